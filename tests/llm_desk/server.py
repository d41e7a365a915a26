"""The HTTP server: routes, errors, faults and the report."""

from __future__ import annotations

import gzip
import json
import re
import select
import socket
import struct
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from tests.llm_desk import wire
from tests.llm_desk.answers import Answer, ErrorAnswer, check_answer, parse_answer
from tests.llm_desk.faults import INSTEAD, Fault, FaultSchedule, instead, spoil
from tests.llm_desk.reading import BadRequest, read_chat, read_messages, read_responses, request_key, tokens
from tests.llm_desk.sources import ClientGone, Source

Json = dict[str, Any]

_LONGEST_BODY = 64 * 1024 * 1024


class DeskServer:
    """Serves one source on 127.0.0.1; a context manager, running in a thread of its own."""

    def __init__(
        self,
        source: Source,
        port: int = 0,
        faults: FaultSchedule | str | None = None,
        models: list[str] | None = None,
    ) -> None:
        self.source = source
        self.faults = FaultSchedule(faults or "") if isinstance(faults, str) or faults is None else faults
        self.models = models or ["desk-model"]
        self.exchanges: list[Json] = []
        self.faults_done: list[Json] = []
        self.refused: list[Json] = []
        self.stop_asked = threading.Event()
        self.stored: dict[str, tuple[Json, list[Json]]] = {}  # responses by id, for previous_response_id
        self._count = 0
        self._lock = threading.Lock()
        desk = self

        class Handler(_Handler):
            server_desk = desk

        self._http = _Server(("127.0.0.1", port), Handler)
        self.port: int = self._http.server_address[1]
        self._thread: threading.Thread | None = None

    # -- life

    def start(self) -> DeskServer:
        """Begin to serve."""
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()
        return self

    def stop(self) -> None:
        """Stop serving."""
        if self._thread:
            self._http.shutdown()
            self._thread.join()
            self._thread = None
        self._http.server_close()

    def __enter__(self) -> DeskServer:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def url(self) -> str:
        """Root address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def openai_base_url(self) -> str:
        """For OPENAI_BASE_URL."""
        return self.url + "/v1"

    @property
    def anthropic_base_url(self) -> str:
        """For ANTHROPIC_BASE_URL."""
        return self.url

    def environment(self) -> dict[str, str]:
        """Variables that point both SDKs here."""
        return {
            "OPENAI_BASE_URL": self.openai_base_url,
            "ANTHROPIC_BASE_URL": self.anthropic_base_url,
            "OPENAI_API_KEY": "desk",
            "ANTHROPIC_API_KEY": "desk",
        }

    # -- book-keeping

    def next_count(self) -> int:
        """The ordinal of a model request that has just arrived."""
        with self._lock:
            self._count += 1
            return self._count

    def note(self, entry: Json) -> None:
        """Remember one exchange."""
        with self._lock:
            self.exchanges.append(entry)

    def note_refusal(self, entry: Json) -> None:
        """Remember a request that was malformed, or for something unknown."""
        with self._lock:
            self.refused.append(entry)

    def note_fault(self, count: int, fault: Fault, applied: bool) -> None:
        """Remember one fault that was due."""
        with self._lock:
            self.faults_done.append({"request": count, "fault": fault.name, "applied": applied})

    def report(self) -> Json:
        """What has been asked and answered so far."""
        with self._lock:
            exchanges, faults = [dict(e) for e in self.exchanges], list(self.faults_done)
        answered = [e for e in exchanges if e["status"] == 200]
        prompt = sum(e["prompt_tokens"] for e in answered)
        completion = sum(e["completion_tokens"] for e in answered)
        return {
            "mode": self.source.mode,
            "requests": len(exchanges),
            "answered": len(answered),
            "tokens": {"prompt": prompt, "completion": completion, "total": prompt + completion},
            "faults": faults,
            "refused": list(self.refused),
            **self.source.report(),
            "exchanges": exchanges,
        }

    def exit_code(self) -> int:
        """0; 3 where requests went unmatched or a script failed; 4 where only entries are left over."""
        report = self.source.report()
        if report.get("unmatched") or report.get("script_failures"):
            return 3
        return 4 if report.get("unused") else 0


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no news; anything else is."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_desk: DeskServer
    disable_nagle_algorithm = True

    # -- plumbing

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""

    def _provider(self) -> str:
        return (
            "anthropic" if self.headers.get("anthropic-version") or self.path.startswith("/v1/messages") else "openai"
        )

    def _send(self, status: int, body: Json, headers: dict[str, str] | None = None, cut: bool = False) -> None:
        raw = json.dumps(body, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        if cut:
            self.wfile.write(raw[: len(raw) // 2])
            self._reset()
            return
        self.wfile.write(raw)

    def _send_error(self, error: ErrorAnswer, number: str = "0000") -> None:
        headers = {"request-id": f"req_desk_{number}", "x-request-id": f"req_desk_{number}"}
        if error.retry_after is not None:
            headers["retry-after"] = f"{error.retry_after:g}"
        if error.may_retry is not None:
            headers["x-should-retry"] = "true" if error.may_retry else "false"
        self._send(error.status, wire.error_body(self._provider(), error, f"req_desk_{number}"), headers)

    def _send_events(self, events: list[wire.Event], headers: dict[str, str], cut: bool) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Cache-Control", "no-cache")
        self.send_header("Transfer-Encoding", "chunked")
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        for event in events[: len(events) // 2] if cut else events:
            raw = wire.encode_event(event)
            self.wfile.write(f"{len(raw):x}\r\n".encode() + raw + b"\r\n")
            self.wfile.flush()
        if cut:
            self._reset()
        else:
            self.wfile.write(b"0\r\n\r\n")

    def _reset(self) -> None:
        """End the connection with a reset in place of an orderly close."""
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.rfile.close()
        self.connection.close()

    def _gone(self) -> bool:
        """Has the client hung up?"""
        try:
            ready, _, _ = select.select([self.connection], [], [], 0)
            return bool(ready) and self.connection.recv(1, socket.MSG_PEEK) == b""
        except (OSError, ValueError):
            return True

    def _body(self) -> Json:
        if "chunked" in (self.headers.get("Transfer-Encoding") or ""):
            raw = b""
            while size := int(self.rfile.readline().split(b";")[0], 16):
                raw += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            length = int(self.headers.get("Content-Length") or 0)
            if length > _LONGEST_BODY:
                self.close_connection = True
                raise BadRequest("request too large", 413)
            raw = self.rfile.read(length)
        if self.headers.get("Content-Encoding") == "gzip":
            raw = gzip.decompress(raw)
        try:
            body = json.loads(raw)
        except ValueError:
            raise BadRequest("the request body is not JSON") from None
        if not isinstance(body, dict):
            raise BadRequest("the request body is not a JSON object")
        return body

    # -- routes

    def do_GET(self) -> None:
        """Models, stored responses and the report."""
        desk = self.server_desk
        path = self.path.split("?")[0].rstrip("/")
        if path == "/__desk__/report":
            return self._send(200, desk.report())
        if path in ("", "/__desk__"):
            return self._send(200, {"llm_desk": desk.source.mode, "report": "/__desk__/report"})
        path = re.sub(r"^(/v1)+", "", path)
        if path == "/models":
            if self._provider() == "anthropic":
                data = [self._anthropic_model(m) for m in desk.models]
                ends: Json = {"first_id": desk.models[0], "last_id": desk.models[-1], "has_more": False}
                return self._send(200, {"data": data, **ends})
            return self._send(200, {"object": "list", "data": [self._openai_model(m) for m in desk.models]})
        if path.startswith("/models/"):
            name = path.removeprefix("/models/")
            return self._send(
                200, self._anthropic_model(name) if self._provider() == "anthropic" else self._openai_model(name)
            )
        if path.startswith("/responses/") and path.removeprefix("/responses/") in desk.stored:
            return self._send(200, desk.stored[path.removeprefix("/responses/")][0])
        return self._send_error(ErrorAnswer(404, f"llm_desk knows no GET {self.path}", may_retry=False))

    @staticmethod
    def _openai_model(name: str) -> Json:
        return {"id": name, "object": "model", "created": 1700000000, "owned_by": "llm_desk"}

    @staticmethod
    def _anthropic_model(name: str) -> Json:
        return {"type": "model", "id": name, "display_name": name, "created_at": "2025-01-01T00:00:00Z"}

    def do_POST(self) -> None:
        """Model requests, token counts and shutdown."""
        path = self.path.split("?")[0].rstrip("/")
        try:
            body = self._body() if path != "/__desk__/shutdown" else {}
            if path == "/__desk__/shutdown":
                self.server_desk.stop_asked.set()
                return self._send(200, self.server_desk.report())
            path = re.sub(r"^(/v1)+", "", path)
            if path == "/messages/count_tokens":
                return self._send(200, {"input_tokens": read_messages(body, counting=True)["prompt_tokens"]})
            if path == "/responses/input_tokens":
                counted = read_responses({"model": "any", **body})["prompt_tokens"]
                return self._send(200, {"object": "response.input_tokens", "input_tokens": counted})
            if path == "/chat/completions":
                request = read_chat(body)
            elif path == "/messages":
                request = read_messages(body)
            elif path == "/responses":
                request = read_responses(body, self._earlier(body))
            else:
                return self._refuse(ErrorAnswer(404, f"llm_desk knows no POST {self.path}", may_retry=False))
        except BadRequest as problem:
            return self._refuse(ErrorAnswer(problem.status, str(problem), code=problem.code))
        except (KeyError, TypeError, AttributeError, ValueError) as problem:  # malformed beyond the checks
            return self._refuse(ErrorAnswer(400, f"malformed request: {type(problem).__name__}: {problem}"))
        self._exchange(request, body)

    def _refuse(self, error: ErrorAnswer) -> None:
        self.server_desk.note_refusal({"path": self.path, "status": error.status, "message": error.message})
        self._send_error(error)

    def _earlier(self, body: Json) -> list[Json]:
        previous = body.get("previous_response_id")
        if not previous:
            return []
        if previous not in self.server_desk.stored:
            raise BadRequest(f"Previous response with id '{previous}' not found.", code="previous_response_not_found")
        return self.server_desk.stored[previous][1]

    # -- one exchange

    def _exchange(self, request: Json, body: Json) -> None:
        desk = self.server_desk
        started = time.monotonic()
        count = desk.next_count()
        number = f"{count:04d}"
        request["purpose"] = self.headers.get("x-llm-desk-purpose") or request["purpose"]
        request["key"] = request_key(request)
        request["retry"] = int(self.headers.get("x-stainless-retry-count") or 0)
        fault = desk.faults.at(count)
        entry: Json = {k: request[k] for k in ("provider", "api", "model", "purpose", "key", "retry", "prompt_tokens")}
        entry = {"request": count, **entry, "status": 0, "completion_tokens": 0, "outcome": "waiting", "warnings": []}
        if fault:
            entry["fault"] = fault.name
        desk.note(entry)  # now, and completed before the answer goes out: a report asked for at once is whole
        try:
            answer = self._find_answer(request, fault, count, entry)
            if answer is None:
                entry["outcome"] = "connection reset (fault)"
                return self._reset()
            if answer.delay:
                time.sleep(answer.delay)
            entry["seconds"] = round(time.monotonic() - started, 3)
            if answer.error:
                entry["status"], entry["outcome"] = answer.error.status, f"error: {answer.error.message}"
                return self._send_error(answer.error, number)
            entry["status"] = 200
            entry["completion_tokens"] = tokens(answer.completion_chars())
            entry["outcome"] = ", ".join(c.name for c in answer.calls) or (
                "refusal" if answer.refusal is not None else "text"
            )
            self._deliver(request, body, answer, number, cut=fault is not None and fault.name == "cut")
        except (ClientGone, ConnectionError):
            entry["outcome"] = "the client went away"
            self.close_connection = True

    def _find_answer(self, request: Json, fault: Fault | None, count: int, entry: Json) -> Answer | None:
        desk = self.server_desk
        if fault and fault.name in INSTEAD:
            desk.note_fault(count, fault, True)
            return instead(fault)
        raw = desk.source.answer(request, self._gone)
        entry["warnings"] = check_answer(request, raw)
        answer = parse_answer(raw)
        if fault:
            answer, applied = spoil(fault, answer, request)
            desk.note_fault(count, fault, applied or fault.name == "cut")
        return answer

    def _deliver(self, request: Json, body: Json, answer: Answer, number: str, cut: bool) -> None:
        headers = {"request-id": f"req_desk_{number}", "x-request-id": f"req_desk_{number}"}
        stream = request["stream"]
        if request["api"] == "chat.completions":
            if stream:
                with_usage = bool((body.get("stream_options") or {}).get("include_usage"))
                return self._send_events(wire.chat_events(request, answer, number, with_usage), headers, cut)
            return self._send(200, wire.chat(request, answer, number), headers, cut)
        if request["api"] == "messages":
            if stream:
                return self._send_events(wire.message_events(request, answer, number), headers, cut)
            return self._send(200, wire.message(request, answer, number), headers, cut)
        full = wire.response(request, answer, number, body)
        given = body["input"] if isinstance(body["input"], list) else [{"role": "user", "content": body["input"]}]
        self.server_desk.stored[full["id"]] = (full, [*self._earlier(body), *given, *full["output"]])
        if stream:
            return self._send_events(wire.response_events(request, answer, number, body), headers, cut)
        return self._send(200, full, headers, cut)
