"""Signing in, out, and setting passwords."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from recipes_app.forms.accounts import PAUSED
from recipes_app.models import AuditEntry, Role, SignInFailure
from recipes_app.services import people
from recipes_app.services import sign_in as sign_in_service
from tests.people import PASSWORD, make_team, make_user

pytestmark = pytest.mark.django_db
NEW = "another long one 9"


def sign_in(client: Client, name: str, password: str, address: str = "127.0.0.1") -> Any:
    return client.post(reverse("login"), {"username": name, "password": password}, REMOTE_ADDR=address)


def test_signing_in_gives_a_new_session_and_leads_on(client: Client) -> None:
    make_user("ada", make_team())
    client.get(reverse("login"))
    session = client.session
    session["before"] = "1"
    session.save()
    before = session.session_key
    answer = client.post(reverse("login") + "?next=/team/", {"username": "ada", "password": PASSWORD, "next": "/team/"})
    assert answer.status_code == 302
    assert answer["Location"] == "/team/"
    assert client.session.session_key != before


def test_next_never_leads_to_another_site(client: Client) -> None:
    make_user("ada", make_team())
    answer = client.post(reverse("login"), {"username": "ada", "password": PASSWORD, "next": "https://evil.test/"})
    assert answer["Location"] == reverse("home")


def test_a_wrong_password_is_refused_in_one_sentence(client: Client) -> None:
    make_user("ada")
    answer = sign_in(client, "ada", "wrong")
    assert answer.status_code == 200
    assert b"Please enter a correct username and password" in answer.content


def test_five_wrong_passwords_pause_that_name_at_that_address_only(client: Client) -> None:
    make_user("ada")
    make_user("bob")
    for _ in range(5):
        sign_in(client, "ada", "wrong")
    assert PAUSED in sign_in(client, "Ada ", PASSWORD).content.decode()
    assert sign_in(client, "ada", PASSWORD, address="10.1.2.3").status_code == 302
    client.logout()
    assert sign_in(client, "bob", PASSWORD).status_code == 302


def test_the_pause_ends_by_itself(client: Client) -> None:
    make_user("ada")
    for _ in range(5):
        sign_in(client, "ada", "wrong")
    SignInFailure.objects.update(at=timezone.now() - timedelta(minutes=11))
    assert sign_in(client, "ada", PASSWORD).status_code == 302
    assert not SignInFailure.objects.exists()


def test_of_many_tries_at_once_only_so_many_are_looked_at() -> None:
    """Each is counted before its password is looked at, so that none slips in between."""
    who = {"username": "ada", "address": "10.0.0.1"}
    assert [sign_in_service.may_try(**who) for _ in range(25)].count(True) == 5
    assert SignInFailure.objects.count() == 5
    sign_in_service.forget_failures(**who)
    assert sign_in_service.may_try(**who)


def test_a_password_is_counted_before_it_is_looked_at(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []

    def look(*_args: object, **_more: object) -> None:
        counted.append(SignInFailure.objects.count())

    monkeypatch.setattr("django.contrib.auth.forms.authenticate", look)
    sign_in(client, "ada", "wrong")
    assert counted == [1]


def test_the_admin_has_the_same_pause(client: Client) -> None:
    make_user("root", is_staff=True, is_superuser=True)
    for _ in range(5):
        client.post("/admin/login/", {"username": "root", "password": "wrong"})
    answer = client.post("/admin/login/", {"username": "root", "password": PASSWORD})
    assert PAUSED in answer.content.decode()


def test_an_empty_installation_says_how_to_make_the_first_account(client: Client) -> None:
    assert b"./agentify createsuperuser" in client.get(reverse("login")).content
    make_user("ada")
    assert b"createsuperuser" not in client.get(reverse("login")).content


def test_forms_without_the_csrf_token_are_refused() -> None:
    client = Client(enforce_csrf_checks=True)
    make_user("ada")
    assert sign_in(client, "ada", PASSWORD).status_code == 403


def test_signing_out_needs_a_post(client: Client) -> None:
    client.force_login(make_user("ada"))
    assert client.get(reverse("logout")).status_code == 405
    assert client.post(reverse("logout")).status_code == 302
    assert client.get(reverse("account")).status_code == 302


def test_changing_ones_password_ends_the_other_sessions(client: Client) -> None:
    ada = make_user("ada")
    elsewhere = Client()
    elsewhere.force_login(ada)
    client.force_login(ada)
    assert client.get(reverse("password_change")).status_code == 200
    fields = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    assert client.post(reverse("password_change"), fields).status_code == 302
    assert client.get(reverse("account")).status_code == 200
    assert elsewhere.get(reverse("account")).status_code == 302


def test_a_reset_link_sets_a_password_once(client: Client) -> None:
    team = make_team()
    ada = make_user("ada", team)
    owner = make_user("olga", team, Role.OWNER)
    path = people.make_reset_link(user=ada, by=owner)
    form = client.get(path, follow=True)
    assert b"Set a new password" in form.content
    where = form.redirect_chain[-1][0]
    assert client.post(where, {"new_password1": NEW, "new_password2": NEW}).status_code == 302
    assert sign_in(client, "ada", NEW).status_code == 302
    assert b"no longer works" in Client().get(path, follow=True).content


def test_without_a_mail_server_the_forgotten_password_page_says_whom_to_ask(client: Client) -> None:
    page = client.get(reverse("password_reset"))
    assert b"An owner of your team can make you a link" in page.content
    assert client.post(reverse("password_reset"), {"email": "ada@example.test"}).status_code == 404


def test_with_a_mail_server_a_link_is_mailed(client: Client, settings: Settings) -> None:
    settings.EMAIL_IS_CONFIGURED = True
    make_user("ada")
    assert client.post(reverse("password_reset"), {"email": "ada@example.test"}).status_code == 302
    assert "/account/reset/" in mail.outbox[0].body


def test_reset_links_are_written_into_the_audit_log() -> None:
    team = make_team()
    owner = make_user("olga", team, Role.OWNER)
    people.make_reset_link(user=make_user("ada", team), by=owner)
    entry = AuditEntry.objects.get(action="password.reset_link_made")
    assert (entry.actor, entry.subject) == (owner, "user ada")
