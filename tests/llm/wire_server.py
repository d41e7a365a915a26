"""A server that keeps what it is sent, word for word, and answers what it was told to."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

Json = dict[str, Any]


@dataclass
class WireServer:
    """`answers` are (status, body) in order, the last one again and again; a body that is a text is sent as HTML."""

    answers: list[tuple[int, Json | str]]
    bodies: list[Json] = field(default_factory=list)

    def __enter__(self) -> Self:
        wire = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_words: Any) -> None:
                """Quiet."""

            def do_POST(self) -> None:
                wire.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                status, body = wire.answers[min(len(wire.bodies), len(wire.answers)) - 1]
                raw = (body if isinstance(body, str) else json.dumps(body)).encode()
                self.send_response(status)
                self.send_header("Content-Type", "text/html" if isinstance(body, str) else "application/json")
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"


def completion(content: str | None, *, usage: Json | None = None, **more: Any) -> tuple[int, Json]:
    message = {"role": "assistant", "content": content, **more.pop("message", {})}
    choice = {"index": 0, "message": message, "finish_reason": more.pop("finish_reason", "stop")}
    counted = {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107}
    body = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    return 200, {**body, "usage": counted if usage is None else usage, **more}


def reply(*content: Json, stop: str = "end_turn", **usage: int) -> tuple[int, Json]:
    counted = {"input_tokens": 100, "output_tokens": 7, **usage}
    body = {"id": "r", "type": "message", "role": "assistant", "model": "m", "content": list(content)}
    return 200, {**body, "stop_reason": stop, "stop_sequence": None, "usage": counted}
