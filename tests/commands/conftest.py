"""Commands run in this process: what they say, print, and how they end."""

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from pytest_django import Settings


@dataclass(frozen=True)
class Ended:
    status: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[str]:
        return self.err.splitlines()


Agentify = Callable[..., Ended]


@pytest.fixture
def agentify(monkeypatch: pytest.MonkeyPatch) -> Agentify:
    """`agentify("list", "--json")`; `typed` is what the person answers."""

    def run(command: str, *arguments: str, typed: str = "") -> Ended:
        out, err = io.StringIO(), io.StringIO()
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        status = 0
        try:
            call_command(command, *arguments, stdout=out, stderr=err)
        except SystemExit as end:
            status = int(end.code or 0)
        return Ended(status, out.getvalue(), err.getvalue())

    return run


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder the person is in; pictures of this test are elsewhere."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    storage = {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": str(tmp_path / "media")},
    }
    settings.STORAGES = {**settings.STORAGES, "default": storage}
    return here
