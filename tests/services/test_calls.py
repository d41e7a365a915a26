from datetime import timedelta

import pytest

from recipes_app.models import Call, Job, Recipe, Site
from recipes_app.services import calls, runs, sealing
from recipes_app.services.errors import BadInput, NotAllowed, WrongState
from recipes_app.services.tokens import make_token
from tests.people import make_published
from tests.services.conftest import People
from tests.services.documents import search, sign_up

SECRET = "hunter-two-and-a-half"


@pytest.fixture
def recipe(people: People, site: Site) -> Recipe:
    return make_published(site, search(), people.owner)


@pytest.fixture
def secret_call(people: People, site: Site) -> Call:
    recipe = make_published(site, sign_up(), people.owner)
    return calls.request_call(recipe=recipe, arguments={"email": "a@b.test", "password": SECRET}, by=people.operator)


def test_a_call_is_a_row_and_a_waiting_job_with_defaults_filled_in(people: People, recipe: Recipe) -> None:
    call = calls.request_call(recipe=recipe, arguments={"q": "pens"}, by=people.operator)
    assert call.arguments == {"q": "pens", "pages": 1}
    assert (call.job.status, call.job.queue, call.version) == ("queued", "calls", recipe.live_version)


def test_wrong_arguments_are_all_named_before_any_queue(people: People, recipe: Recipe) -> None:
    with pytest.raises(BadInput) as refused:
        calls.request_call(recipe=recipe, arguments={"pages": 0, "colour": "red"}, by=people.operator)
    assert len(refused.value.problems) >= 3
    assert not Job.objects.exists()


def test_a_tool_that_is_not_published_is_not_called(people: People, recipe: Recipe) -> None:
    Recipe.objects.update(live_version=None)
    recipe.refresh_from_db()
    with pytest.raises(WrongState):
        calls.request_call(recipe=recipe, arguments={"q": "pens"}, by=people.owner)


@pytest.mark.parametrize("who", ["viewer", "reviewer", "stranger"])
def test_who_is_no_operator_calls_nothing(people: People, recipe: Recipe, who: str) -> None:
    with pytest.raises(NotAllowed):
        calls.request_call(recipe=recipe, arguments={"q": "pens"}, by=getattr(people, who))
    assert not Job.objects.exists()


def test_the_same_idempotency_key_gives_the_same_call(people: People, recipe: Recipe) -> None:
    token, _ = make_token(team=people.team, owner=people.operator, name="shop", scopes=["call"])
    asked = {"recipe": recipe, "by": people.operator, "token": token, "idempotency_key": "k1"}
    first = calls.request_call(arguments={"q": "pens"}, **asked)  # type: ignore[arg-type]
    assert calls.request_call(arguments={"q": "pens"}, **asked) == first  # type: ignore[arg-type]
    with pytest.raises(WrongState):
        calls.request_call(arguments={"q": "ink"}, **asked)  # type: ignore[arg-type]
    assert Job.objects.count() == 1


def test_a_secret_travels_sealed_and_is_read_once(secret_call: Call) -> None:
    row = Call.objects.get()
    assert SECRET not in repr(row.arguments)
    assert SECRET.encode() not in bytes(row.sealed_arguments or b"")
    assert calls.arguments_of(row)["password"] == SECRET
    row.refresh_from_db()
    assert row.sealed_arguments is None
    with pytest.raises(WrongState):
        calls.arguments_of(row)


def test_a_secret_that_no_worker_took_in_time_is_thrown_away(secret_call: Call) -> None:
    assert calls.forget_old_secrets() == 0
    Job.objects.update(created_at=secret_call.job.created_at - timedelta(seconds=sealing.LASTS_S + 1))
    assert calls.forget_old_secrets() == 1
    with pytest.raises(WrongState):
        calls.arguments_of(Call.objects.get())


def test_a_secret_sealed_too_long_ago_is_not_opened() -> None:
    with pytest.raises(sealing.Unreadable):
        sealing.unseal(sealing.seal({"password": SECRET}), lasts_s=-1)


def test_a_page_that_says_the_secret_does_not_get_it_into_the_result(secret_call: Call) -> None:
    claim = runs.claim(secret_call.job.pk, "here")
    assert claim is not None
    claim.keep_secret([SECRET])
    failure = {"error": f"Not {SECRET}", "kind": "verify_failed"}
    result = {"ok": False, "data": {"said": f"wrong: {SECRET}"}, "error": failure}
    calls.finish(claim=claim, call=secret_call, result=result)
    row = Call.objects.select_related("job").get()
    assert SECRET not in repr((row.result, row.job.error))
    assert (row.result or {})["error"] == "Not •••"
    assert (row.job.status, (row.job.error or {})["kind"]) == ("failed", "verify_failed")


def test_the_result_says_that_no_model_was_asked(people: People, recipe: Recipe) -> None:
    call = calls.request_call(recipe=recipe, arguments={"q": "pens"}, by=people.operator)
    claim = runs.claim(call.job.pk, "here")
    assert claim is not None
    calls.finish(claim=claim, call=call, result={"ok": True, "data": {"n": 1}})
    call.refresh_from_db()
    assert call.result == {"ok": True, "data": {"n": 1}, "llm_calls": 0, "recipe_version": 1}
