"""The scene, clients signed in as each of its people, and Chromium signed in to the running pages."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from recipes_app.browser.api import Page
from recipes_app.browser.session import ContextOptions
from recipes_app.browser.thread import BrowserThread, Desk
from recipes_app.engine.events import Note
from recipes_app.models import User
from tests.conftest import loopback_policy
from tests.people import PASSWORD
from tests.web.scene import Scene, make_scene

SignIn = Callable[[User], Client]


@pytest.fixture(autouse=True)
def files_apart(settings: Settings, tmp_path: Path) -> None:
    """Pictures go to a folder of the test; static files are served as they are; no Redis is there."""
    storage = {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": str(tmp_path)}}
    static = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {"default": storage, "staticfiles": static}
    settings.REDIS_URL = f"unix://{tmp_path}/no.sock"


@pytest.fixture
def scene(db: None) -> Scene:
    return make_scene()


@pytest.fixture
def signed_in() -> SignIn:
    def sign_in(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return sign_in


@pytest.fixture
def visit(browser: BrowserThread, live_server: LiveServer) -> Callable[..., Any]:
    """`visit("olga", look)` runs `look(page, url of the server)` in Chromium, signed in, and returns what it returns.

    With `meanwhile`, `look(page, url, tell)` may `tell("word")`; `meanwhile("word")` then runs here, beside the rows.
    """

    def run(name: str, look: Callable[..., Any], meanwhile: Callable[[str], None] | None = None) -> Any:
        def on_desk(desk: Desk) -> Any:
            with desk.session(ContextOptions(policy=loopback_policy(live_server.url))) as session:
                sign_in(session.page, live_server.url, name)
                more = [lambda word: desk.emit(Note(word))] if meanwhile else []
                return look(session.page, live_server.url, *more)

        events = browser.drive(on_desk, deadline_s=60, cancelled=lambda: False, on_tick=lambda: None)
        while True:
            try:
                event = next(events)
            except StopIteration as end:
                return end.value
            if meanwhile and isinstance(event, Note):
                meanwhile(event.message)

    return run


def sign_in(page: Page, url: str, name: str) -> None:
    page.goto(f"{url}/login/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{url}/")
