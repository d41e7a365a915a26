"""A canary secret is in no row, however a page or a recipe spells it."""

import json
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from django.core import serializers
from django.db import connection
from pytest_django.fixtures import Settings

from recipes_app.engine.events import About, Did, Picture, Progress, StepFailed, Warned
from recipes_app.engine.parameters import secret_names, secret_values
from recipes_app.models import Call, Job, JobPicture, JobStep, Site
from recipes_app.models.job import JobStatus
from recipes_app.models.recipe import Origin
from recipes_app.services import calls, proposals, recipes, runs, sites
from recipes_app.services.errors import WrongState
from recipes_app.services.sealing import blot_out
from tests.people import make_published
from tests.services.conftest import People
from tests.services.documents import sign_up

CANARY = 'ca nary/ä"&7<'
SPELLINGS = [
    CANARY,
    quote(CANARY),
    quote(CANARY, safe=""),
    quote_plus(CANARY),
    quote(CANARY, safe="").replace("%2F", "%2f"),
    json.dumps(CANARY)[1:-1],
    "ca nary/ä&quot;&amp;7&lt;",
]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_secret_is_blotted_out_in_every_spelling_and_as_a_key(spelling: str) -> None:
    value = {"url": f"https://x.test/?p={spelling}&q=1", spelling: [spelling, {"k": spelling}]}
    left = json.dumps(blot_out(value, [CANARY]), ensure_ascii=False)
    assert spelling not in left
    assert "https://x.test/?p=•••&q=1" in left


def texts_kept() -> str:
    rows = [*Call.objects.all(), *Job.objects.all(), *JobStep.objects.all(), *JobPicture.objects.all()]
    return str(serializers.serialize("json", rows, ensure_ascii=False))


@pytest.mark.parametrize("spelling", [CANARY, quote(CANARY, safe=""), quote_plus(CANARY)])
def test_no_row_of_a_call_holds_its_secret(
    people: People, site: Site, spelling: str, settings: Any, tmp_path: Any
) -> None:
    storage = {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": str(tmp_path)}}
    settings.STORAGES = {**settings.STORAGES, "default": storage}
    recipe = make_published(site, sign_up(), people.owner)
    call = calls.request_call(recipe=recipe, arguments={"email": "a@b.test", "password": CANARY}, by=people.operator)
    claim = runs.claim(call.job.pk, "one")
    assert claim is not None
    claim.keep_secret([calls.arguments_of(call)["password"]])
    for event in (
        About(f"steps[{spelling}]", "goto", f"Open {spelling}", may_write=False),
        Did(f"steps[{spelling}]", "goto", 1, matched=spelling, detail=spelling),
        Warned("steps[1]", "click", spelling),
        StepFailed("steps[2]", "click", "missing", spelling),
        Picture(spelling, b"png", "image/png", 1, 1),
        Progress(spelling, 1, 1, spelling),
    ):
        claim.record(event)
    failure = {"error": spelling, "kind": "missing", "url": f"/echo/{spelling}", "partial": {spelling: spelling}}
    result = {
        "ok": False,
        "data": {spelling: 1},
        "warnings": [spelling],
        "steps": [],
        "url": spelling,
        "error": failure,
    }
    calls.finish(claim=claim, call=call, result=result)
    assert spelling not in texts_kept().replace("\\\\", "\\").replace('\\"', '"')
    assert Job.objects.get().status == JobStatus.FAILED


NESTED: dict[str, Any] = {
    "type": "object",
    "properties": {
        "user": {"type": "object", "properties": {"name": {}, "key": {"type": "string", "format": "password"}}},
        "named": {"type": "object", "properties": {"password": {"type": "string"}}},
        "behind": {"$ref": "#/$defs/login"},
        "many": {"type": "array", "items": {"$ref": "#/$defs/login"}},
        "either": {"anyOf": [{"type": "null"}, {"type": "string", "format": "password"}]},
        "whole": {"type": "object", "writeOnly": True},
        "plain": {"type": "object", "properties": {"q": {"type": "string"}}, "default": {"format": "password"}},
    },
    "$defs": {
        "login": {"type": "object", "properties": {"s": {"format": "password"}, "next": {"$ref": "#/$defs/login"}}}
    },
}


def test_a_parameter_with_a_secret_anywhere_inside_is_secret_as_a_whole() -> None:
    assert secret_names(NESTED) == {"user", "named", "behind", "many", "either", "whole"}


def test_every_text_inside_a_secret_object_is_a_secret() -> None:
    arguments = {"whole": {"a": "one", "b": ["two", {"c": "three", "d": True}]}, "plain": {"q": "four"}}
    assert set(secret_values(NESTED, arguments)) == {"one", "two", "three"}
    kept = json.dumps(blot_out({"data": ["one", {"two": "three"}]}, secret_values(NESTED, arguments)))
    assert not any(word in kept for word in ("one", "two", "three"))


def test_values_typed_for_a_recording_are_encrypted_in_their_rows(people: People, site: Site) -> None:
    mapping = sites.request_map(site=site, by=people.operator)
    plan = {**sign_up(), "kind": "action", "examples": {"email": "a@b.test", "password": "made up"}}
    [proposal] = proposals.save_drafts(mapping=mapping, drafts=[plan])
    typed = {"email": "a@b.test", "password": CANARY}
    proposals.edit(proposal=proposal, by=people.editor, examples=typed)
    version = recipes.save_version(
        site=site, document=sign_up(), author=people.editor, origin=Origin.RECORDED, examples=typed
    )
    with connection.cursor() as cursor:
        for table in ("recipes_app_proposal", "recipes_app_recipeversion"):
            cursor.execute(f"SELECT * FROM {table}")
            rows = json.dumps(cursor.fetchall(), default=str, ensure_ascii=False)
            assert "ca nary" not in rows
            assert "sealed" in rows
    proposal.refresh_from_db()
    version.refresh_from_db()
    assert proposal.examples == version.examples == typed


def test_examples_that_no_key_opens_any_more_are_gone(people: People, site: Site, settings: Settings) -> None:
    version = recipes.save_version(
        site=site, document=sign_up(), author=people.editor, origin=Origin.RECORDED, examples={"email": "a@b.test"}
    )
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another"
    version.refresh_from_db()
    assert version.examples == {"email": "a@b.test"}
    settings.SECRET_KEY_FALLBACKS = []
    version.refresh_from_db()
    assert version.examples == {}


def test_an_idempotency_key_does_not_give_the_call_of_another_secret(people: People, site: Site) -> None:
    recipe = make_published(site, sign_up(), people.owner)

    def ask(password: str) -> Call:
        arguments = {"email": "a@b.test", "password": password}
        return calls.request_call(recipe=recipe, arguments=arguments, by=people.operator, idempotency_key="k")

    first = ask(CANARY)
    assert ask(CANARY) == first
    with pytest.raises(WrongState):
        ask("another")
    assert CANARY not in texts_kept()


def test_a_nested_secret_is_masked_and_sealed(people: People, site: Site) -> None:
    document = {**sign_up(), "parameters": {"type": "object", "properties": {"user": NESTED["properties"]["user"]}}}
    document["steps"] = document["steps"][:1]
    recipe = make_published(site, document, people.owner)
    arguments = {"user": {"name": "ada", "key": CANARY}}
    call = calls.request_call(recipe=recipe, arguments=arguments, by=people.operator)
    assert CANARY not in texts_kept()
    assert calls.arguments_of(call) == arguments
