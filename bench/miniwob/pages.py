"""The pages of the package `miniwob`, served on a free port of this machine."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bench.frame import NotReady

PACKAGE = "miniwob==1.1.0"


def pages_folder() -> Path:
    """Looked up without loading the package, which would want Gymnasium and Selenium."""
    spec = find_spec("miniwob")
    folder = Path(spec.origin).parent / "html" if spec and spec.origin else None
    if folder is None or not (folder / "core" / "core.js").exists():
        raise NotReady(f"the pages are missing: .venv/bin/python -m pip install --no-deps {PACKAGE}, then again.")
    return folder


class QuietHandler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 5

    def log_message(self, *_args: Any) -> None:
        """Nobody reads it."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of the folder, as long as the block lasts."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(folder)))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, name="miniwob pages", daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
