"""A bucket on this machine that answers as S3 does."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from urllib.request import Request, urlopen

import pytest
from moto.server import ThreadedMotoServer

from evidence_app.store import s3
from tests.evidence_web.conftest import evidence_root, live_room, room, signed_in, visit

__all__ = ["evidence_root", "live_room", "room", "signed_in", "visit"]


@pytest.fixture(scope="session")
def s3_server() -> Iterator[str]:
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(s3_server: str, monkeypatch: pytest.MonkeyPatch) -> s3.Bucket:
    """Empty, and made for this test."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    urlopen(Request(f"{s3_server}/moto-api/reset", method="POST")).close()
    made = s3.read_address(f"s3://evidence/vault?endpoint={s3_server}&region=us-east-1")
    s3.connected(made).create_bucket(Bucket=made.name)
    return made
