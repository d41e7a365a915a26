"""The admin: who gets in, what each page shows, and what nobody may change there."""

import json
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from recipes_app.models import (
    ApiToken,
    AuditEntry,
    Call,
    Healing,
    HealthCheck,
    Invitation,
    Job,
    JobFile,
    JobPicture,
    JobStep,
    Mapping,
    Membership,
    Notice,
    Proposal,
    Recipe,
    RecipeVersion,
    Recording,
    Role,
    Session,
    Site,
    SurveyPage,
    Team,
    User,
    Webhook,
    WebhookDelivery,
)
from recipes_app.models.job import JobKind, JobStatus
from recipes_app.services import audit, people, tokens, webhooks
from tests.people import make_published, make_site, make_team, make_user

pytestmark = pytest.mark.django_db
KEPT = (
    ApiToken, AuditEntry, Call, Healing, HealthCheck, Invitation, Job, JobFile, JobPicture, JobStep, Mapping, Notice,
    RecipeVersion, Recording, Session, SurveyPage, Webhook, WebhookDelivery,
)  # fmt: skip
OURS = (*KEPT, Membership, Proposal, Recipe, Site, Team, User)
NO_ROWS = {"versions-TOTAL_FORMS": 0, "versions-INITIAL_FORMS": 0}
DOCUMENT: dict[str, Any] = {
    "name": "search",
    "description": "Search the shop.",
    "parameters": {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]},
    "side_effect": "read",
    "steps": [{"op": "goto", "url": "http://127.0.0.1:1/?q={{q}}"}],
}


@pytest.fixture
def root() -> User:
    return make_user("root", is_staff=True, is_superuser=True)


@pytest.fixture
def recipe(root: User) -> Recipe:
    return make_published(make_site(make_team(), root), DOCUMENT, root)


@pytest.fixture
def desk(client: Client, root: User) -> Client:
    client.force_login(root)
    return client


@pytest.fixture
def everything(recipe: Recipe, root: User) -> None:
    """One row of every model."""
    site, team = recipe.site, recipe.site.team
    job = Job.objects.create(team=team, kind=JobKind.MAP, title="Map Shop", queue="agents", requested_by=root)
    mapping = Mapping.objects.create(job=job, site=site, start_url=site.base_url)
    picture = JobPicture.objects.create(job=job, label="page", sha256="0" * 64, file="pictures/none.png")
    JobFile.objects.create(job=job, key="file", name="r.csv", sha256="0" * 64, file="downloads/none")
    page = SurveyPage.objects.create(mapping=mapping, url=site.base_url, picture=picture)
    JobStep.objects.create(job=job, seq=1, path="0", op="goto", sentence="Open the page", state="did")
    proposal = Proposal.objects.create(
        site=site, mapping=mapping, page=page, name="search", description="Search.", kind="search",
        side_effect="read", parameters=DOCUMENT["parameters"], examples={"q": "desk"},
        start_url=site.base_url, steps=DOCUMENT["steps"],
    )  # fmt: skip
    of = {"team": team, "requested_by": root, "status": JobStatus.DONE}
    recording = Job.objects.create(kind=JobKind.RECORD, title="Record", queue="agents", **of)
    Recording.objects.create(job=recording, proposal=proposal)
    call = Job.objects.create(kind=JobKind.CALL, title="Call", queue="calls", **of)
    Call.objects.create(job=call, recipe=recipe, version=recipe.versions.get(), arguments={"q": "desk"})
    mending = Job.objects.create(kind=JobKind.HEAL, title="Mend", queue="agents", **of)
    Healing.objects.create(job=mending, version=recipe.versions.get(), path="steps[0]", old_target={"role": "button"})
    Membership.objects.create(team=team, user=root, role=Role.OWNER)
    people.invite(team=team, role=Role.VIEWER, by=root)
    tokens.make_token(team=team, owner=root, name="script", scopes=["read"])
    HealthCheck.objects.create(recipe=recipe, version=recipe.versions.get())
    Notice.objects.create(team=team, user=root, event="tool.failing", text="search fails.", path="/")
    webhook, _ = webhooks.add(team=team, by=root, url="https://hooks.example.org/")
    webhooks.ping(webhook=webhook, by=root)
    Session.objects.create(site=site, state={"cookie": "canary-cookie"}, created_by=root)


def url(model: type[Model], page: str, *args: object) -> str:
    return reverse(f"admin:recipes_app_{model._meta.model_name}_{page}", args=args)


def edit(client: Client, recipe: Recipe, document: object) -> Any:
    text = document if isinstance(document, str) else json.dumps(document)
    return client.post(url(Recipe, "change", recipe.pk), {"document": text, **NO_ROWS}, follow=True)


def test_every_model_is_in_the_admin() -> None:
    assert {model for model in admin.site._registry if model._meta.app_label == "recipes_app"} == set(OURS)


@pytest.mark.parametrize("model", OURS)
def test_every_list_and_every_row_opens(desk: Client, everything: None, model: type[Model]) -> None:
    assert desk.get(url(model, "changelist") + "?q=s").status_code == 200
    assert desk.get(url(model, "change", model._default_manager.first().pk)).status_code == 200


@pytest.mark.parametrize("model", KEPT)
def test_evidence_is_neither_added_nor_changed_nor_deleted_even_by_a_superuser(
    desk: Client, everything: None, model: type[Model]
) -> None:
    row = model._default_manager.first()
    before = model._default_manager.filter(pk=row.pk).values().get()
    assert desk.get(url(model, "add")).status_code == 403
    assert desk.post(url(model, "change", row.pk), {"status": "done", "document": "{}"}).status_code == 403
    assert desk.post(url(model, "delete", row.pk), {"post": "yes"}).status_code == 403
    desk.post(url(model, "changelist"), {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"})
    assert model._default_manager.filter(pk=row.pk).values().get() == before


@pytest.mark.parametrize("model", [Site, Team, Recipe])
def test_nothing_is_deleted_while_evidence_hangs_below_it(desk: Client, everything: None, model: type[Model]) -> None:
    row = model._default_manager.first()
    desk.post(url(model, "delete", row.pk), {"post": "yes"})
    desk.post(url(model, "changelist"), {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"})
    assert model._default_manager.filter(pk=row.pk).exists()


def test_what_a_browser_begins_with_is_shown_nowhere(desk: Client, everything: None) -> None:
    shown = desk.get(url(Session, "change", Session.objects.get().pk)).content.decode()
    assert "default" in shown
    assert "canary-cookie" not in shown


def test_the_key_that_signs_messages_is_shown_nowhere(desk: Client, everything: None) -> None:
    row = Webhook.objects.get()
    assert row.sealed["secret"] not in desk.get(url(Webhook, "change", row.pk)).content.decode()


def test_secret_hashes_are_shown_nowhere(desk: Client, everything: None) -> None:
    for row in (ApiToken.objects.get(), Invitation.objects.get()):
        page = desk.get(url(type(row), "change", row.pk)).content.decode()
        assert row.secret_hash not in page


def test_who_is_no_staff_does_not_get_in(client: Client, recipe: Recipe) -> None:
    client.force_login(make_user("olga", recipe.site.team, Role.OWNER))
    assert client.get(url(Recipe, "change", recipe.pk)).status_code == 302
    assert edit(client, recipe, {**DOCUMENT, "description": "Else."}).request["PATH_INFO"].startswith("/admin/login/")
    assert recipe.versions.count() == 1


def test_staff_without_the_permission_gets_403(client: Client, recipe: Recipe) -> None:
    staff = make_user("sam", is_staff=True)
    client.force_login(staff)
    assert client.get(url(Recipe, "change", recipe.pk)).status_code == 403
    staff.user_permissions.add(Permission.objects.get(codename="view_recipe"))
    assert client.get(url(Recipe, "change", recipe.pk)).status_code == 200
    assert edit(client, recipe, {**DOCUMENT, "description": "Else."}).status_code == 403


def test_editing_a_recipe_makes_a_new_version_and_leaves_the_live_one(desk: Client, recipe: Recipe, root: User) -> None:
    assert "Search the shop." in desk.get(url(Recipe, "change", recipe.pk)).content.decode()
    page = edit(desk, recipe, {**DOCUMENT, "description": "Search it by words."})
    assert "Saved as search v2, a draft" in page.content.decode()
    version = recipe.versions.get(number=2)
    assert (version.origin, version.author, version.status) == ("edited", root, "draft")
    assert version.document["description"] == "Search it by words."
    recipe.refresh_from_db()
    assert recipe.live_version.number == 1
    assert recipe.live_version.document == DOCUMENT


def test_saving_the_same_twice_makes_one_version(desk: Client, recipe: Recipe) -> None:
    changed = {**DOCUMENT, "description": "Search it by words."}
    edit(desk, recipe, changed)
    page = edit(desk, recipe, changed).content.decode()
    assert "already says this" in page
    assert "was changed successfully" not in page
    assert recipe.versions.count() == 2


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ('{"name": ', "line 1: no valid JSON"),
        ("[" * 100_000, "nested too deeply"),
        ([], "object"),
        ({**DOCUMENT, "steps": [{"op": "clik"}]}, "steps[0].op"),
        ({**DOCUMENT, "steps": [{"op": "click", "target": {"rol": "button"}}]}, "steps[0].target.rol"),
        ({**DOCUMENT, "name": "other"}, "callers know it by that name"),
    ],
)
def test_a_wrong_document_is_refused_with_the_place_of_the_mistake(
    desk: Client, recipe: Recipe, document: object, said: str
) -> None:
    page = edit(desk, recipe, document)
    assert page.status_code == 200
    assert said in " ".join(page.context["adminform"].form.errors["document"])
    assert recipe.versions.count() == 1


def test_a_recipe_can_be_written_by_hand(desk: Client, recipe: Recipe) -> None:
    document = {**DOCUMENT, "name": "list_all"}
    desk.post(url(Recipe, "add"), {"site": recipe.site.pk, "document": json.dumps(document), **NO_ROWS})
    assert Recipe.objects.get(name="list_all").versions.get().origin == "edited"


def test_an_editor_who_is_staff_but_in_another_team_changes_no_site(client: Client, recipe: Recipe) -> None:
    staff = make_user("sam", make_team("Red"), Role.OWNER, is_staff=True)
    staff.user_permissions.add(Permission.objects.get(codename="change_site"))
    client.force_login(staff)
    where = url(Site, "change", recipe.site.pk)
    page = client.post(where, {**site_form(recipe.site), "name": "Mine"}, follow=True)
    assert "Your role in Blue does not let you change a site." in page.content.decode()
    assert Site.objects.get().name == "Shop"


def test_a_site_is_changed_by_its_service(desk: Client, recipe: Recipe) -> None:
    where = url(Site, "change", recipe.site.pk)
    page = desk.post(where, {**site_form(recipe.site), "time_zone": "Moon/Base"}, follow=True)
    assert "There is no time zone Moon/Base" in page.content.decode()
    desk.post(where, {**site_form(recipe.site), "time_zone": "Europe/Berlin"})
    assert Site.objects.get().time_zone == "Europe/Berlin"
    assert AuditEntry.objects.filter(action="site.changed").count() == 1


def site_form(site: Site) -> dict[str, Any]:
    names = ("name", "base_url", "time_zone", "locale", "viewport_width", "viewport_height", "canary_hours")
    lists = {name: json.dumps(getattr(site, name)) for name in ("allowed_hosts", "private_hosts")}
    return {**{name: getattr(site, name) for name in names}, **lists}


def test_a_proposal_is_edited_by_its_service(desk: Client, everything: None) -> None:
    proposal = Proposal.objects.get()
    where = url(Proposal, "change", proposal.pk)
    lists = {name: json.dumps(getattr(proposal, name)) for name in ("parameters", "examples")}
    form = {"name": "find", "description": "Find things.", "side_effect": "read", **lists}
    desk.post(where, form)
    proposal.refresh_from_db()
    assert (proposal.name, proposal.description) == ("find", "Find things.")
    page = desk.post(where, {**form, "examples": "{}"}, follow=True)
    assert "The examples do not fit" in page.content.decode()


def test_a_proposal_is_not_given_a_name_that_another_has(desk: Client, everything: None) -> None:
    one = Proposal.objects.get()
    rows = Proposal.objects.filter(pk=one.pk).values("site_id", "mapping_id", "kind", "side_effect", "start_url").get()
    Proposal.objects.create(**rows, name="taken", description="Other.")
    given = {"name": "taken", "description": one.description, "side_effect": one.side_effect}
    stored = {"parameters": json.dumps(one.parameters), "examples": json.dumps(one.examples)}
    page = desk.post(url(Proposal, "change", one.pk), {**given, **stored}, follow=True)
    assert page.status_code == 200
    assert "Another proposal of this mapping is called taken" in page.content.decode()


def test_the_last_owner_stays_owner_in_the_admin_too(desk: Client, everything: None) -> None:
    membership = Membership.objects.get()
    page = desk.post(url(Membership, "change", membership.pk), {"role": "viewer"}, follow=True)
    assert "is the last owner" in page.content.decode()
    membership.refresh_from_db()
    assert membership.role == Role.OWNER
    assert desk.post(url(Membership, "delete", membership.pk), {"post": "yes"}).status_code == 403


def test_adding_a_member_is_audited(desk: Client, everything: None) -> None:
    mia = make_user("mia")
    desk.post(url(Membership, "add"), {"team": Team.objects.get().pk, "user": mia.pk, "role": "editor"})
    assert Membership.objects.get(user=mia).role == Role.EDITOR
    assert AuditEntry.objects.get(action="member.added").subject == "user mia"


def test_tokens_are_revoked_by_an_action(desk: Client, everything: None) -> None:
    chosen = {"action": "revoke", "_selected_action": [ApiToken.objects.get().pk]}
    assert "is revoked" in desk.post(url(ApiToken, "changelist"), chosen, follow=True).content.decode()
    assert ApiToken.objects.get().revoked_at is not None
    assert "already revoked" in desk.post(url(ApiToken, "changelist"), chosen, follow=True).content.decode()


def test_what_a_page_shows_of_a_document_is_text_not_markup(desk: Client, recipe: Recipe) -> None:
    audit.record(recipe.site.team, None, "x", "y", text="<script>alert(1)</script>")
    entry = AuditEntry.objects.get(action="x")
    page = desk.get(url(AuditEntry, "change", entry.pk)).content.decode()
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)" in page


@pytest.mark.parametrize(
    "path", ["", "dashboard/", "dashboard/stats.json", "dashboard/queues/0/", "dashboard/queues/0/empty/"]
)
def test_the_queues_pages_are_for_superusers_only(client: Client, path: str) -> None:
    where = f"/admin/django_rq/{path}"
    assert client.get(where).status_code == 302
    staff = make_user("sam", is_staff=True)
    staff.user_permissions.add(*Permission.objects.filter(content_type__app_label="django_rq"))
    client.force_login(staff)
    assert client.get(where).status_code in (403, 404)
    assert client.post(where).status_code in (403, 404)
