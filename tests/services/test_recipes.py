import pytest

from recipes_app.engine.acting import SENDS_NOTHING
from recipes_app.engine.document import parse_recipe
from recipes_app.models import AuditEntry, Recipe, RecipeVersion, Site
from recipes_app.models.recipe import Origin, VersionStatus
from recipes_app.services import recipes
from recipes_app.services.errors import BadInput, NotAllowed, WrongState
from tests.people import make_published
from tests.services.conftest import People
from tests.services.documents import search, sign_up

SEEN = {"name": SENDS_NOTHING, "ok": True, "detail": ""}
SEEN_TO_READ = {"passed": True, "mode": "full", "checks": [SEEN]}
PASSED = {"passed": True, "mode": "full", "checks": []}
FAILED = {"passed": False, "mode": "full", "checks": []}


@pytest.fixture
def version(people: People, site: Site) -> RecipeVersion:
    return recipes.save_version(
        site=site, document=search(), author=people.operator, origin=Origin.RECORDED, verdict=PASSED
    )


def newer(site: Site, people: People, note: str = "Another way.") -> RecipeVersion:
    document = search(description=note)
    return recipes.save_version(
        site=site, document=document, author=people.operator, origin=Origin.RECORDED, verdict=PASSED
    )


def test_versions_are_numbered_and_the_same_document_is_saved_once(
    people: People, site: Site, version: RecipeVersion
) -> None:
    assert (version.number, version.status, newer(site, people).number) == (1, VersionStatus.PASSED, 2)
    again = recipes.save_version(site=site, document=search(), author=people.owner, origin=Origin.EDITED)
    assert again == version
    assert again.author == people.operator


def test_a_document_that_is_wrong_is_refused_with_its_place(people: People, site: Site) -> None:
    with pytest.raises(BadInput) as refused:
        recipes.save_version(
            site=site, document=search(steps=[{"op": "fly"}]), author=people.owner, origin=Origin.EDITED
        )
    assert next(iter(refused.value.by_path)).startswith("steps[0]")
    assert not Recipe.objects.exists()


def test_publishing_needs_a_passing_verdict(people: People, site: Site) -> None:
    for verdict in (None, FAILED):
        version = recipes.save_version(
            site=site, document=sign_up(), author=people.owner, origin=Origin.RECORDED, verdict=verdict
        )
        with pytest.raises(WrongState):
            recipes.publish(version=version, by=people.editor)
    assert not Recipe.objects.published().exists()


def test_publishing_swaps_the_live_version_and_retires_the_old_one(
    people: People, site: Site, version: RecipeVersion
) -> None:
    recipes.publish(version=version, by=people.editor)
    second = recipes.publish(version=newer(site, people), by=people.editor)
    version.refresh_from_db()
    assert version.recipe.live_version == second
    assert (version.status, second.status, second.published_by) == ("retired", "published", people.editor)
    assert AuditEntry.objects.filter(action="version.published").count() == 2


def test_publishing_twice_is_refused(people: People, version: RecipeVersion) -> None:
    recipes.publish(version=version, by=people.editor)
    with pytest.raises(WrongState):
        recipes.publish(version=version, by=people.editor)


@pytest.mark.parametrize("who", ["operator", "viewer", "stranger"])
def test_who_is_no_editor_publishes_nothing(people: People, version: RecipeVersion, who: str) -> None:
    with pytest.raises(NotAllowed):
        recipes.publish(version=version, by=getattr(people, who))


def test_rolling_back_brings_the_old_version_back(people: People, site: Site, version: RecipeVersion) -> None:
    recipes.publish(version=version, by=people.editor)
    second = recipes.publish(version=newer(site, people), by=people.editor)
    recipes.roll_back(recipe=version.recipe, to_version=version, by=people.editor)
    second.refresh_from_db()
    assert Recipe.objects.get().live_version == version
    assert (version.status, second.status) == ("published", "retired")


def test_rolling_back_to_what_was_never_live_is_refused(people: People, site: Site, version: RecipeVersion) -> None:
    recipes.publish(version=version, by=people.editor)
    with pytest.raises(WrongState):
        recipes.roll_back(recipe=version.recipe, to_version=newer(site, people), by=people.editor)


def test_a_retired_tool_is_published_no_more(people: People, version: RecipeVersion) -> None:
    recipes.publish(version=version, by=people.editor)
    recipe = Recipe.objects.get()
    recipes.retire(recipe=recipe, by=people.editor)
    assert not Recipe.objects.published().exists()
    with pytest.raises(WrongState):
        recipes.retire(recipe=recipe, by=people.editor)


def test_a_registry_goes_out_and_comes_in_again_as_drafts(people: People, site: Site, version: RecipeVersion) -> None:
    recipes.publish(version=version, by=people.editor)
    file = recipes.export_registry(site=site)
    assert [tool["name"] for tool in file["tools"]] == ["search_products"]
    elsewhere = recipes.import_registry(team=people.stranger.memberships.get().team, by=people.stranger, data=file)
    assert [each.status for each in elsewhere] == [VersionStatus.DRAFT]
    assert elsewhere[0].recipe.site.base_url == site.base_url
    assert recipes.import_registry(team=people.team, by=people.editor, data=file, site=site) == [version]


def test_a_registry_with_one_wrong_tool_brings_nothing_in(people: People, site: Site) -> None:
    good, wrong = search(), search("broken", steps=[{"op": "click"}])
    with pytest.raises(BadInput) as refused:
        recipes.import_registry(
            team=people.team,
            by=people.editor,
            data={"format": 2, "site": "shop", "base_url": site.base_url, "tools": [good, wrong]},
        )
    assert "tools[1].steps[0]" in str(refused.value)
    assert not Recipe.objects.exists()


def test_a_file_of_the_first_agentify_keeps_its_format(people: People, site: Site) -> None:
    [version] = recipes.import_registry(
        team=people.team,
        by=people.editor,
        data={"site": "shop", "base_url": site.base_url, "tools": [search()]},
        site=site,
    )
    assert version.format == 1
    assert recipes.document_of(version).format == 1


def test_an_imported_version_is_accepted_with_a_reason_only(people: People, site: Site) -> None:
    data = {"format": 2, "site": "shop", "base_url": site.base_url, "tools": [search()]}
    [version] = recipes.import_registry(team=people.team, by=people.editor, data=data, site=site)
    with pytest.raises(WrongState):
        recipes.publish(version=version, by=people.editor)
    with pytest.raises(BadInput):
        recipes.accept_unverified(version=version, by=people.editor, reason=" ")
    with pytest.raises(NotAllowed):
        recipes.accept_unverified(version=version, by=people.operator, reason="It is ours.")
    recipes.accept_unverified(version=version, by=people.editor, reason="It is ours.")
    assert Recipe.objects.get().live_version == version
    assert AuditEntry.objects.get(action="version.accepted_unverified").detail == {
        "reason": "It is ours.",
        "only_reads": False,
    }


def test_a_version_that_says_it_reads_is_taken_to_write_until_that_was_seen_or_an_editor_answers_for_it(
    people: People, site: Site
) -> None:
    data = {"format": 2, "site": "shop", "base_url": site.base_url, "tools": [search(), search("again")]}
    first, second = recipes.import_registry(team=people.team, by=people.editor, data=data, site=site)
    assert (first.side_effect, first.effect) == ("read", "write")
    recipes.set_verdict(version=first, verdict={"passed": False, "checks": [SEEN]})
    assert first.effect == "write"
    recipes.set_verdict(version=first, verdict=SEEN_TO_READ)
    assert (first.effect, recipes.document_as_taken(first).side_effect) == ("read", "read")
    recipes.accept_unverified(version=second, by=people.editor, reason="It is ours.")
    assert (second.effect, recipes.document_as_taken(second).side_effect) == ("write", "write")


def test_an_editor_answers_for_a_tool_that_is_said_to_read(people: People, version: RecipeVersion) -> None:
    sent = {"name": SENDS_NOTHING, "ok": False, "detail": "POST https://shop.example.test/count"}
    recipes.set_verdict(version=version, verdict={"passed": False, "checks": [sent]})
    with pytest.raises(BadInput):
        recipes.accept_unverified(version=version, by=people.editor, reason="", only_reads=True)
    recipes.accept_unverified(version=version, by=people.editor, reason="It counts visits.", only_reads=True)
    assert (version.status, version.effect) == (VersionStatus.PUBLISHED, "read")
    detail = AuditEntry.objects.get(action="version.accepted_unverified").detail
    assert detail == {"reason": "It counts visits.", "only_reads": True}


def test_what_cannot_act_needs_no_proof_that_it_reads(people: People, site: Site) -> None:
    steps = [{"op": "goto", "url": "/"}, {"op": "extract", "target": {"css": "h1"}, "key": "title"}]
    harmless = recipes.save_version(site=site, document=search(steps=steps), author=people.owner, origin=Origin.EDITED)
    scripted = [*steps, {"op": "js_extract", "expr": "() => fetch('/x', {method: 'POST'})", "key": "x"}]
    script = recipes.save_version(
        site=site, document=search("script", steps=scripted), author=people.owner, origin=Origin.EDITED
    )
    assert (harmless.effect, script.effect) == ("read", "write")


def test_a_recorded_version_cannot_be_accepted_unverified(people: People, version: RecipeVersion) -> None:
    with pytest.raises(WrongState):
        recipes.accept_unverified(version=version, by=people.owner, reason="Trust me.")


def test_a_verification_is_asked_for_once_at_a_time(people: People, site: Site) -> None:
    version = recipes.save_version(site=site, document=search(), author=people.editor, origin=Origin.EDITED)
    recording = recipes.request_verification(version=version, by=people.operator)
    assert (version.status, recording.job.status) == (VersionStatus.VERIFYING, "queued")
    with pytest.raises(WrongState):
        recipes.request_verification(version=version, by=people.editor)


def test_an_edit_that_says_less_than_before_needs_a_tick(people: People, site: Site) -> None:
    make_published(site, sign_up(), people.owner)
    document = parse_recipe({**sign_up(), "side_effect": "read"})
    for how in ({"by": people.operator, "relabel": True}, {"by": people.editor}):
        with pytest.raises((NotAllowed, BadInput)):
            recipes.save_edited(site=site, document=document, **how)
    version, is_new = recipes.save_edited(site=site, document=document, by=people.editor, relabel=True)
    assert (is_new, version.origin, version.status) == (True, "edited", "draft")
    assert AuditEntry.objects.filter(action="version.edited", detail__was="write", detail__label="read").exists()
    assert recipes.save_edited(site=site, document=document, by=people.editor, relabel=True) == (version, False)


def test_all_that_passed_is_published_at_once_or_none(people: People, site: Site) -> None:
    passed = {"passed": True, "checks": []}
    for name in ("one", "two"):
        recipes.save_version(site=site, document=search(name), author=people.owner, origin="recorded", verdict=passed)
    ready = recipes.publishable(site)
    assert [version.recipe.name for version in ready] == ["one", "two"]
    with pytest.raises(NotAllowed):
        recipes.publish_all(versions=ready, by=people.operator)
    recipes.publish_all(versions=ready, by=people.editor)
    assert recipes.publishable(site) == []
    assert Recipe.objects.published().count() == 2
