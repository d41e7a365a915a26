"""`./agentify login`: sign in to a site once, so that its tools are called, mapped and recorded signed in.

What is typed stays in this process: it goes into the browser and nowhere else.
"""

import getpass
import json
import sys
import threading
from argparse import BooleanOptionalAction
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import time
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser

from recipes_app import vault_wiring, wiring
from recipes_app.browser.launch import LaunchOptions
from recipes_app.browser.session import BrowserSession, ContextOptions
from recipes_app.browser.states import SavedState, state_from
from recipes_app.browser.thread import BrowserThread, Desk
from recipes_app.browser.windows import find_windowed
from recipes_app.engine.document import dump_recipe
from recipes_app.engine.errors import DocumentError
from recipes_app.management import work
from recipes_app.management.acting import find_site, find_user
from recipes_app.management.command import AgentifyCommand
from recipes_app.management.given import add_words, take_words
from recipes_app.management.plain import Refused
from recipes_app.management.reach import open_private
from recipes_app.mapping.login import LoggedIn, LoginFailed, Open, sign_in, sign_in_by_hand, sign_in_by_state
from recipes_app.models import Session, Site, User
from recipes_app.services import logins, planning, sessions
from recipes_app.vault.errors import VaultError
from recipes_app.vault.totp import one_time_password


class Command(AgentifyCommand):
    help = "Sign in to a site and keep the session. The password is asked for unseen, or taken from the vault."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        add_words(parser, "site", site="its short name, as ./agentify list has it")
        parser.add_argument("--session", default="default", metavar="NAME", help="where there are several accounts")
        parser.add_argument("--vault", default="", metavar="PATH", help="such as shop/alice: username, password, otp")
        parser.add_argument(
            "--account", default="", metavar="NAME", help="of whom, with --manual: looked for on the page"
        )
        parser.add_argument("--exclusive", action="store_true", help="one job at a time: the site renews what it keeps")
        parser.add_argument("--allow-private", action="store_true", help="the address is a private one, and mine")
        parser.add_argument("--headless", action=BooleanOptionalAction, default=None, help="hide or show the browser")
        how = parser.add_mutually_exclusive_group()
        how.add_argument(
            "--auto", dest="manual", action="store_false", default=False, help="by the form that was found"
        )
        how.add_argument("--manual", action="store_true", help="a browser opens, you sign in, Enter here ends it")
        how.add_argument("--state", default="", metavar="FILE", help="what Playwright wrote of a signed-in browser")

    def run(self, options: dict[str, Any]) -> int:
        take_words(options, "site")
        self.prepare_database()
        user = find_user(options["username"])
        site = find_site(user, options["site"], options["team"])
        sessions.require_runner(site, user)
        open_private(site, user, allowed=options["allow_private"], ask=self.ask)
        try:
            session = self.way(options)(site, user, options)
        except (VaultError, DocumentError) as error:
            raise Refused(str(error)) from error
        except LoginFailed as error:
            self.say(f"not signed in: {error}.")
            return 1
        saved = {"site": site.slug, "session": session.name, "account": session.account_label, "probe": session.probe}
        if options["json"]:
            self.show_json(saved, on_one_line=True)
        else:
            self.show(f"Signed in to {site.name}; the session {session.name} is used from now on.")
        return 0

    def way(self, options: dict[str, Any]) -> Callable[[Site, User, dict[str, Any]], Session]:
        if options["state"]:
            return self.by_state
        return self.by_hand if options["manual"] else self.by_form

    def by_state(self, site: Site, user: User, options: dict[str, Any]) -> Session:
        try:
            state = state_from(json.loads(Path(options["state"]).read_bytes()))
        except OSError as error:
            raise Refused(f"{options['state']}: {error.strerror}.") from error
        except (ValueError, RecursionError) as error:
            raise Refused(f"{options['state']} is no saved state: {error}.") from error

        def do(desk: Desk) -> LoggedIn:
            opens = opener(desk, site)
            return sign_in_by_state(site.base_url, options["account"], state, open_session=opens, emit=desk.emit)

        with work.working(self.say, headless=options["headless"], steps=False) as here:
            deadline_s = settings.RECORDING_DEADLINE_S
            found = work.drive(here.place().browser, do, deadline_s=deadline_s, hear=here.tell)
        return self.keep(site, user, options, found, account=options["account"], login={})

    def by_form(self, site: Site, user: User, options: dict[str, Any]) -> Session:
        proposal = logins.form_of(site)
        recipe = planning.plan_of(proposal)
        given = vault_wiring.vault().read(options["vault"]) if options["vault"] else {}
        values = logins.values_for(
            proposal.parameters, given, self.typed, lambda secret: one_time_password(secret, time())
        )
        account = logins.account_in(proposal.parameters, values)

        def do(desk: Desk) -> LoggedIn:
            return sign_in(recipe, values, account, open_session=opener(desk, site), emit=desk.emit)

        with work.working(self.say, headless=options["headless"], steps=False) as here:
            deadline_s = settings.RECORDING_DEADLINE_S
            found = work.drive(here.place().browser, do, deadline_s=deadline_s, hear=here.tell)
        return self.keep(site, user, options, found, account=account, login=dump_recipe(recipe))

    def by_hand(self, site: Site, user: User, options: dict[str, Any]) -> Session:
        browser = BrowserThread(LaunchOptions(executable=find_windowed(), headless=False)).start()
        done = threading.Event()
        self.say("the browser opens. Sign in there, then press Enter here.")
        threading.Thread(target=wait_for_enter, args=(done,), name="input", daemon=True).start()

        def is_done(session: BrowserSession) -> bool:
            if not session.pages:
                raise LoginFailed("the window was closed")
            return done.is_set()

        def do(desk: Desk) -> LoggedIn:
            opens = opener(desk, site)
            return sign_in_by_hand(
                site.base_url, options["account"], is_done=is_done, open_session=opens, emit=desk.emit
            )

        try:
            found = work.drive(browser, do, deadline_s=settings.REMOTE_DEADLINE_S, hear=lambda _event: None)
        finally:
            browser.stop()
        return self.keep(site, user, options, found, account=options["account"], login={})

    def keep(
        self, site: Site, user: User, options: dict[str, Any], found: LoggedIn, *, account: str, login: dict[str, Any]
    ) -> Session:
        kept = sessions.Kept(
            state=found.state,
            probe=dict(found.probe),
            login=login,
            account_label=account,
            vault_path=options["vault"],
            is_exclusive=options["exclusive"],
        )
        return sessions.keep_login(site=site, by=user, name=options["session"], kept=kept)

    def typed(self, name: str, kind: str) -> str:
        """Unseen where it is a secret; from a pipe, a line each."""
        words = f"{name.replace('_', ' ')}: "
        try:
            value = getpass.getpass(words) if kind != logins.USERNAME and sys.stdin.isatty() else self.ask(words)
        except EOFError as error:
            raise Refused("nobody can be asked here.", add="--vault PATH") from error
        if not value:
            raise Refused(f"{name} is empty; nothing was tried.")
        return value


def wait_for_enter(done: threading.Event) -> None:
    """The end of the input is no Enter."""
    if sys.stdin.readline():
        done.set()


def opener(desk: Desk, site: Site) -> Open:
    usual = wiring.context_options(site)
    return partial(_open, desk, usual)


def _open(desk: Desk, usual: ContextOptions, state: SavedState | None) -> AbstractContextManager[BrowserSession]:
    return desk.session(replace(usual, state=state))
