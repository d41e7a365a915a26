"""`vault` and `rotate-keys` at the terminal."""

import json
from pathlib import Path

import pytest
from django.db import connection
from pytest_django import Settings

from evidence_app.models import Run, Sample
from evidence_app.services import confidential
from recipes_app.models import AuditEntry, Role, Webhook
from tests.commands.conftest import Agentify
from tests.people import make_team, make_user


@pytest.fixture(autouse=True)
def var(settings: Settings, tmp_path: Path) -> Path:
    settings.VAR_DIR = tmp_path / "var"
    return Path(settings.VAR_DIR)


def test_a_secret_is_put_checked_listed_and_removed_and_never_shown(agentify: Agentify, var: Path) -> None:
    name = "vault:shop/alice#password"
    said = [
        agentify("vault", "put", name, typed="canary-s3cret\n"),
        agentify("vault", "check", name),
        agentify("vault", "list"),
        agentify("vault", "remove", name),
    ]
    assert [each.status for each in said] == [0, 0, 0, 0]
    assert said[2].out.split() == [name]
    assert not any("canary" in each.out + each.err for each in said)
    gone = agentify("vault", "check", name)
    assert gone.status == 2
    assert "no such secret" in gone.err
    assert agentify("vault", "put", name, typed="\n").status == 2


def test_a_vault_elsewhere_is_not_written_to(agentify: Agentify, settings: Settings) -> None:
    settings.VAULT = "environment"
    refused = agentify("vault", "put", "vault:shop/alice#password", typed="x\n")
    assert refused.status == 2
    assert "by its own means" in refused.err
    settings.VAULT = "hashicorp"
    assert "VAULT_ADDR and VAULT_TOKEN" in agentify("vault", "check", "vault:a#b").err


@pytest.mark.django_db
def test_everything_sealed_moves_to_the_newest_key(agentify: Agentify, settings: Settings) -> None:
    team = make_team()
    owner = make_user("olga", team, Role.OWNER)
    hook = Webhook.objects.create(
        team=team, url="https://example.test/", sealed={"secret": "canary-1"}, created_by=owner
    )
    run = Run.objects.create(team=team, requested_by=owner)
    sample = Sample.objects.create(
        run=run, number=1, sample_id="a", folder="a", extra=confidential.seal({"password": "canary-2", "city": "Graz"})
    )
    old = settings.SECRET_KEY
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another key", [old]
    done = agentify("rotate_keys")
    assert done.status == 0, done.err
    assert "Webhook sealed: 1 sealed anew" in done.out.replace("webhook", "Webhook")
    assert "sample columns: 1 sealed anew" in done.out
    again = agentify("rotate_keys")
    assert "sealed anew" not in again.out
    settings.SECRET_KEY_FALLBACKS = []
    hook.refresh_from_db()
    sample.refresh_from_db()
    assert hook.sealed == {"secret": "canary-1"}
    assert confidential.opened(sample.extra) == {"password": "canary-2", "city": "Graz"}
    assert AuditEntry.objects.filter(action="keys.rotated").first().detail == {"changed": 0, "unreadable": 0}


@pytest.mark.django_db
def test_what_no_key_opens_is_said_and_left(agentify: Agentify, settings: Settings) -> None:
    team = make_team()
    owner = make_user("olga", team, Role.OWNER)
    Webhook.objects.create(team=team, url="https://example.test/", sealed={"secret": "canary"}, created_by=owner)
    with connection.cursor() as cursor:
        cursor.execute("SELECT sealed FROM recipes_app_webhook")
        before = cursor.fetchone()[0]
    settings.SECRET_KEY = "another key"
    lost = agentify("rotate_keys")
    assert lost.status == 2
    assert "no key opens 1 values" in lost.err
    with connection.cursor() as cursor:
        cursor.execute("SELECT sealed FROM recipes_app_webhook")
        assert cursor.fetchone()[0] == before
    assert json.loads(before) if isinstance(before, str) else before
