"""A small server that answers as HashiCorp documents its KV engine, version 2."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

TOKEN = "hvs.canary-token"
ANSWERS: dict[str, tuple[int, dict[str, Any]]] = {
    "/v1/secret/data/shop/alice": (200, {"data": {"data": {"password": "s3cret", "age": 7}, "metadata": {}}}),
    "/v1/secret/data/shop/gone": (404, {"data": {"data": None, "metadata": {"deletion_time": "2026-01-01T00:00:00Z"}}}),
    "/v1/secret/data/shop/sealed": (503, {"errors": ["Vault is sealed"]}),
    "/v1/secret/data/shop/odd": (200, {"data": [1]}),
    "/v1/secret/data/shop/away": (307, {}),
}  # fmt: skip


class _Vault(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.server.seen.append((self.path, dict(self.headers)))  # type: ignore[attr-defined]
        if self.headers.get("X-Vault-Token") != TOKEN:
            self.answer(403, {"errors": ["permission denied"]})
        else:
            self.answer(*ANSWERS.get(self.path, (404, {"errors": []})))

    def answer(self, status: int, body: dict[str, Any]) -> None:
        text = json.dumps(body).encode()
        self.send_response(status)
        if status == 307:
            self.send_header("Location", "/v1/secret/data/shop/alice")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_arguments: Any) -> None:
        """Quiet."""


@contextmanager
def vault_server() -> Iterator[tuple[str, list[tuple[str, dict[str, str]]]]]:
    """Its address, and what it was asked."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Vault)
    server.seen = []  # type: ignore[attr-defined]
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", server.seen  # type: ignore[attr-defined]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
