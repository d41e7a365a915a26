"""The scene, clients signed in as each of its people, and Chromium signed in to the running pages."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from recipes_app.browser.api import Page
from recipes_app.browser.session import BrowserSession
from recipes_app.models import User
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
def visit(browse: Callable[..., Any], live_server: LiveServer) -> Callable[[str, Callable[[Page, str], Any]], Any]:
    """`visit("olga", look)` runs `look(page, url of the server)` in Chromium, signed in; rows are looked at afterwards."""

    def run(name: str, look: Callable[[Page, str], Any]) -> Any:
        def work(session: BrowserSession) -> Any:
            page = session.page
            page.goto(f"{live_server.url}/login/")
            page.get_by_label("Username").fill(name)
            page.get_by_label("Password").fill(PASSWORD)
            page.keyboard.press("Enter")
            page.wait_for_url(f"{live_server.url}/")
            return look(page, live_server.url)

        return browse(work, url=live_server.url)

    return run
