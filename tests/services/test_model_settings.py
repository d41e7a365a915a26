"""Which services are set up, what the settings say of them, and what is nonsense."""

import pytest
from django.core import checks
from pytest_django import Settings

from recipes_app import model_wiring
from recipes_app.llm.errors import NotConfigured
from recipes_app.model_checks import model_settings_make_sense
from recipes_app.services import model_settings

NONSENSE = {
    "LLM_TIMEOUT_S": 0,
    "LLM_CONTEXT_WINDOW": 100,
    "MAPPING_BUDGET_TOKENS": -1,
    "RECORDING_BUDGET_TOKENS": 10,
    "RUN_BUDGET_USD": "a lot",
    "MODEL_PRICES": "{",
    "OPENAI_BASE_URL": "localhost:11434",
    "ANTHROPIC_BASE_URL": "file:///etc",
    "LLM_PROVIDER": "acme",
}


@pytest.fixture(autouse=True)
def no_keys(settings: Settings) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "LLM_PROVIDER"):
        setattr(settings, name, "")


def test_without_a_key_no_model_is_set_up() -> None:
    assert model_settings.set_up() == ()
    with pytest.raises(NotConfigured, match="OPENAI_API_KEY or ANTHROPIC_API_KEY"):
        model_wiring.model_for()
    with pytest.raises(NotConfigured, match="ANTHROPIC_API_KEY"):
        model_wiring.model_for("anthropic")
    with pytest.raises(NotConfigured, match="acme"):
        model_wiring.model_for("acme")


def test_a_server_of_ones_own_needs_no_key(settings: Settings) -> None:
    settings.OPENAI_BASE_URL = "http://127.0.0.1:11434/v1"
    assert model_settings.set_up() == ("openai",)


def test_who_is_asked_where_nobody_chose(settings: Settings) -> None:
    settings.ANTHROPIC_API_KEY = "a"
    assert model_settings.chosen() == "anthropic"
    settings.OPENAI_API_KEY = "o"
    assert model_settings.chosen() == "openai"
    settings.LLM_PROVIDER = "anthropic"
    assert model_settings.chosen() == "anthropic"
    assert model_settings.chosen("openai") == "openai"


def test_the_fallback_may_be_of_the_other_service(settings: Settings) -> None:
    settings.OPENAI_API_KEY = "o"
    assert model_settings.fallback_access("openai") is None
    settings.ENABLE_FALLBACK_LLM = True
    assert model_settings.fallback_access("openai") is None
    settings.ANTHROPIC_API_KEY = "a"
    access = model_settings.fallback_access("openai")
    assert access is not None
    assert (access.service, access.model, access.fast_model) == ("anthropic", "claude-haiku-4-5", "claude-haiku-4-5")
    settings.FALLBACK_LLM_MODEL = "mine"
    access = model_settings.fallback_access("openai")
    assert access is not None
    assert (access.service, access.model) == ("openai", "mine")


def test_a_key_is_in_no_text(settings: Settings) -> None:
    settings.OPENAI_API_KEY = "sk-very-secret"
    assert "sk-very-secret" not in repr(model_settings.access_to("openai"))


def test_money_is_read_in_dollars(settings: Settings) -> None:
    assert model_settings.budget_micros() is None
    settings.RUN_BUDGET_USD = "$0.25"
    assert model_settings.budget_micros() == 250_000


def test_the_defaults_make_sense() -> None:
    assert model_settings_make_sense() == []


@pytest.mark.parametrize("name", ["RUN_BUDGET_USD", "MODEL_PRICES"])
def test_a_job_names_nonsense_too(settings: Settings, name: str) -> None:
    settings.OPENAI_API_KEY = "o"
    setattr(settings, name, NONSENSE[name])
    with pytest.raises(NotConfigured, match=name):
        model_wiring.model_for()


@pytest.mark.parametrize("name", NONSENSE)
def test_nonsense_is_named(settings: Settings, name: str) -> None:
    setattr(settings, name, NONSENSE[name])
    messages = model_settings_make_sense()
    assert [type(message) for message in messages] == [checks.Error]
    assert messages[0].msg.startswith(f"The setting {name} makes no sense: ")


def test_a_choice_without_its_key_is_named(settings: Settings) -> None:
    settings.LLM_PROVIDER = "openai"
    assert "OPENAI_API_KEY is not set" in model_settings_make_sense()[0].msg


def test_a_model_that_would_not_be_asked_is_named(settings: Settings) -> None:
    settings.OPENAI_API_KEY = "o"
    settings.RUN_BUDGET_USD = "1"
    assert model_settings_make_sense() == []
    settings.AGENTIFY_MODEL = "mine"
    messages = model_settings_make_sense()
    assert [type(message) for message in messages] == [checks.Warning]
    assert "no price is known for mine" in messages[0].msg
    settings.MODEL_PRICES = '{"mine": {"input": 1, "output": 1}}'
    assert model_settings_make_sense() == []
