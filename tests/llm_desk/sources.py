"""Where answers come from: a desk, a cassette, a script; and a recorder around any of them."""

from __future__ import annotations

import base64
import importlib.util
import json
import os
import re
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Protocol

from tests.llm_desk.answers import AnswerError, parse_answer
from tests.llm_desk.reading import request_key

Json = dict[str, Any]


class ClientGone(Exception):
    """The client hung up before there was an answer."""


class Source(Protocol):
    """Gives the simple answer to a request."""

    mode: str

    def answer(self, request: Json, gone: Callable[[], bool]) -> Json:
        """The answer; ``gone`` tells whether the client still waits."""
        ...

    def report(self) -> Json:
        """What the source adds to the report."""
        ...


def write_whole(path: Path, data: bytes | str) -> None:
    """Write a file so that nobody sees half of it."""
    raw = data.encode() if isinstance(data, str) else data
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
    with os.fdopen(handle, "wb") as file:
        file.write(raw)
    os.chmod(name, 0o644)
    os.replace(name, path)


def without_data(request: Json) -> Json:
    """A copy for a file: image data left out."""
    images = [{k: v for k, v in image.items() if k != "data"} for image in request["images"]]
    return {**request, "images": images}


def _error(status: int, message: str, **more: Any) -> Json:
    return {"error": {"status": status, "message": message, **more}}


# ------------------------------------------------------------------ rendering


def render(request: Json) -> str:
    """The request as Markdown for the person at the desk."""
    number = request["number"]
    out = [
        f"# Request {number}: {request['provider']} {request['api']}, model {request['model']}",
        f"purpose `{request['purpose']}`, about {request['prompt_tokens']} tokens"
        + (", streaming" if request["stream"] else "")
        + (f", at most {request['max_tokens']} tokens wanted" if request["max_tokens"] else ""),
    ]
    if request["system"]:
        out += ["## System", request["system"]]
    for message in request["messages"]:
        title = message["role"]
        if "tool_call_id" in message:
            title += f" (result of {message['tool_call_id']}{', an error' if message.get('is_error') else ''})"
        out.append(f"## {title.capitalize()}")
        if message["text"]:
            out.append(message["text"])
        for call in message.get("tool_calls", []):
            out.append(f"calls `{call['name']}` ({call['id']}): `{json.dumps(call['arguments'], ensure_ascii=False)}`")
    for i, image in enumerate(request["images"], 1):
        place = image.get("file") or image.get("url")
        out.append(
            f"[image {i}]: {place}" + (f" ({image['media_type']}, {image['size']} bytes)" if "size" in image else "")
        )
    choice = request["tool_choice"]
    if request["tools"]:
        out.append("## Tools")
        for tool in request["tools"]:
            out.append(f"- **{tool['name']}** {_signature(tool['schema'])}  \n  {tool['description']}".rstrip())
            if _nested(tool["schema"]):
                out.append(f"  schema: `{json.dumps(tool['schema'], ensure_ascii=False)}`")
        said = {
            "auto": "a tool or text",
            "none": "text only",
            "required": "a tool call",
            "tool": f"the tool `{choice['name']}`",
        }
        out.append(
            f"Wanted: {said.get(choice['mode'], choice['mode'])}" + ("" if choice["parallel"] else ", one call only")
        )
    wanted = request["response_format"]
    if wanted["type"] != "text":
        out.append(f"## Answer format: {wanted['type']}")
        if wanted.get("schema"):
            out.append("```json\n" + json.dumps(wanted["schema"], indent=2, ensure_ascii=False) + "\n```")
    out.append(f"---\nAnswer: `python3 -m tests.llm_desk answer DIR {number} '{_example(request)}'`")
    return "\n\n".join(out) + "\n"


def _signature(schema: Json) -> str:
    """``(name: string, n?: integer)``."""
    needed = schema.get("required") or []
    parts = []
    for name, inner in (schema.get("properties") or {}).items():
        inner = inner if isinstance(inner, dict) else {}
        kind = inner.get("type", "any")
        kind = "|".join(kind) if isinstance(kind, list) else kind
        if "enum" in inner:
            kind = "|".join(json.dumps(v) for v in inner["enum"])
        parts.append(f"{name}{'' if name in needed else '?'}: {kind}")
    return "(" + ", ".join(parts) + ")"


def _nested(schema: Json) -> bool:
    inner = [v for v in (schema.get("properties") or {}).values() if isinstance(v, dict)]
    return any({"properties", "items", "anyOf", "$ref", "oneOf", "description"} & set(v) for v in inner)


def _example(request: Json) -> str:
    choice = request["tool_choice"]
    names = [t["name"] for t in request["tools"]]
    if choice["mode"] == "tool" or (names and choice["mode"] == "required"):
        return json.dumps({"tool": choice["name"] or names[0], "arguments": {}})
    return '{"json": {}}' if request["response_format"]["type"] != "text" else '{"text": "..."}'


# ------------------------------------------------------------------ the desk


class DeskSource:
    """Lays each request in DIR/requests and waits for DIR/answers/NNNN.json."""

    mode = "desk"

    def __init__(self, folder: Path | str, wait: float = 900.0, poll: float = 0.05) -> None:
        self.folder = Path(folder)
        self.wait = wait
        self.poll = poll
        self._lock = threading.Lock()
        self._left: dict[str, str] = {}  # key -> number of a request whose client went away
        self.requests.mkdir(parents=True, exist_ok=True)
        self.answers.mkdir(parents=True, exist_ok=True)
        taken = [int(m[0]) for p in self.requests.iterdir() if (m := re.match(r"\d+", p.name))]
        self._last = max(taken, default=0)
        for number in open_numbers(self.folder):
            self._close(number, "the server was started anew")

    @property
    def requests(self) -> Path:
        """Where requests lie."""
        return self.folder / "requests"

    @property
    def answers(self) -> Path:
        """Where answers are awaited."""
        return self.folder / "answers"

    def _close(self, number: str, why: str) -> None:
        path = self.requests / f"{number}.closed"
        if not path.exists():
            write_whole(path, why + "\n")

    def _lay(self, request: Json) -> str:
        """Write the request for the desk; a retry of one given up takes that one's place."""
        with self._lock:
            number = self._left.pop(request["key"], None) if request.get("retry") else None
            if number is not None:
                (self.requests / f"{number}.closed").unlink(missing_ok=True)
                return number
            self._last += 1
            number = f"{self._last:04d}"
        received = time.strftime("%Y-%m-%dT%H:%M:%S%z")
        images = [dict(image) for image in request["images"]]
        laid = {"number": number, "received": received, **request, "images": images}
        for i, image in enumerate(laid["images"], 1):
            if "data" in image:
                image["file"] = f"{number}-{i}.{image['media_type'].split('/')[1]}"
                write_whole(self.requests / image["file"], base64.b64decode(image["data"]))
        write_whole(self.requests / f"{number}.md", render(laid))
        text = json.dumps(without_data(laid), indent=2, ensure_ascii=False)
        write_whole(self.requests / f"{number}.json", text + "\n")  # last: this file announces it
        return number

    def answer(self, request: Json, gone: Callable[[], bool]) -> Json:
        """Wait for the hand-written answer."""
        number = self._lay(request)
        path = self.answers / f"{number}.json"
        problem = self.answers / f"{number}.problem.txt"
        until = time.monotonic() + self.wait
        seen: tuple[int, int] | None = None
        while time.monotonic() < until:
            if path.exists():
                stat = path.stat()
                try:
                    raw = json.loads(path.read_text(encoding="utf-8"))
                    parse_answer(raw)
                    problem.unlink(missing_ok=True)
                    return dict(raw)
                except (ValueError, AnswerError) as error:
                    mark = (stat.st_mtime_ns, stat.st_size)
                    # Perhaps half-written: say what is wrong once it has stayed so, and wait on.
                    if seen != mark and time.time() - stat.st_mtime > 1:
                        seen = mark
                        write_whole(problem, f"{path.name}: {error}\n")
            if gone():
                with self._lock:
                    self._left[request["key"]] = number
                self._close(number, "the client went away")
                raise ClientGone
            time.sleep(self.poll)
        self._close(number, f"no answer within {self.wait:g} s")
        return _error(504, f"llm_desk: nobody answered request {number} within {self.wait:g} s", may_retry=False)

    def report(self) -> Json:
        """Numbers still open."""
        return {"open": open_numbers(self.folder)}


def open_numbers(folder: Path) -> list[str]:
    """Requests that wait for an answer, oldest first."""
    paths = [p for p in (folder / "requests").glob("*.json") if p.stem.isdigit()]
    return [
        path.stem
        for path in sorted(paths, key=lambda p: int(p.stem))
        if not (folder / "answers" / path.name).exists() and not path.with_suffix(".closed").exists()
    ]


# ------------------------------------------------------------------ recording and replay


class RecordingSource:
    """Passes requests on and appends each exchange to a cassette (JSON lines)."""

    mode = "record"

    def __init__(self, inner: Source, cassette: Path | str) -> None:
        self.inner = inner
        self.cassette = Path(cassette)
        self.cassette.parent.mkdir(parents=True, exist_ok=True)
        self.cassette.touch()
        self._lock = threading.Lock()

    def answer(self, request: Json, gone: Callable[[], bool]) -> Json:
        """Answer and record."""
        raw = self.inner.answer(request, gone)
        if (raw.get("error") or {}).get("status") == 504:
            return raw  # nobody answered: nothing to record
        entry = {
            "key": request["key"],
            "provider": request["provider"],
            "api": request["api"],
            "purpose": request["purpose"],
            "answer": raw,
            "request": without_data(request),
        }
        with self._lock, self.cassette.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")
        return raw

    def report(self) -> Json:
        """As the source inside."""
        return {**self.inner.report(), "cassette": str(self.cassette)}


class ReplaySource:
    """Answers from a cassette: by key, else (``loose``) in order within (provider, purpose).

    Keys are worked out anew from the recorded requests, so that ``masks`` and ``ignore`` hold for
    both sides.  Requests of one key are answered in recorded order; once all are used the last
    one is given again (counted as reused).
    """

    mode = "replay"

    def __init__(
        self,
        cassette: Path | str,
        loose: bool = False,
        masks: Iterable[str] = (),
        ignore: Iterable[str] = (),
    ) -> None:
        self.loose = loose
        self.masks = [re.compile(m) for m in masks]
        self.ignore = set(ignore)
        self.entries: list[Json] = []
        for n, line in enumerate(Path(cassette).read_text(encoding="utf-8").splitlines(), 1):
            if not line.strip():
                continue
            try:
                entry = json.loads(line)
                parse_answer(entry["answer"])
                entry["key"] = request_key(entry["request"], self.masks, self.ignore)
            except (ValueError, KeyError, TypeError) as error:
                raise ValueError(f"{cassette}, line {n}: not a cassette entry ({error})") from None
            self.entries.append({**entry, "line": n, "used": 0})
        self.unmatched: list[Json] = []
        self.reused = 0
        self.by_order = 0
        self._lock = threading.Lock()

    def answer(self, request: Json, gone: Callable[[], bool]) -> Json:
        """The recorded answer, or a 404 that says what was asked."""
        key = request_key(request, self.masks, self.ignore)
        with self._lock:
            same = [e for e in self.entries if e["key"] == key]
            entry = next((e for e in same if not e["used"]), None)
            if entry is None and same:
                entry = same[-1]
                self.reused += 1
            if entry is None and self.loose:
                sort = (request["provider"], request["purpose"])
                entry = next((e for e in self.entries if not e["used"] and (e["provider"], e["purpose"]) == sort), None)
                self.by_order += entry is not None
            if entry is not None:
                entry["used"] += 1
                return dict(entry["answer"])
            said = request["messages"][-1]["text"] if request["messages"] else ""
            lost = {
                "key": key,
                "provider": request["provider"],
                "api": request["api"],
                "model": request["model"],
                "purpose": request["purpose"],
                "last_message": said[-300:],
            }
            self.unmatched.append(lost)
        return _error(
            404,
            f"llm_desk: no recorded answer for this request (key {key}, purpose {request['purpose']!r}, "
            f"{request['provider']} {request['api']}); last message ends: {said[-120:]!r}",
            code="llm_desk_unmatched",
            may_retry=False,
        )

    def report(self) -> Json:
        """Unmatched requests and unused entries."""
        unused = [
            {"line": e["line"], "key": e["key"], "provider": e["provider"], "purpose": e["purpose"]}
            for e in self.entries
            if not e["used"]
        ]
        return {
            "entries": len(self.entries),
            "unmatched": self.unmatched,
            "unused": unused,
            "reused": self.reused,
            "matched_by_order": self.by_order,
        }


# ------------------------------------------------------------------ script


class ScriptSource:
    """Answers by a function ``answer(request) -> dict``, called for one request at a time."""

    mode = "script"

    def __init__(self, function: Callable[[Json], Json | None]) -> None:
        self.function = function
        self.failures: list[str] = []
        self._lock = threading.Lock()

    @classmethod
    def load(cls, path: Path | str) -> ScriptSource:
        """Take ``answer`` from a Python file."""
        spec = importlib.util.spec_from_file_location("llm_desk_script", path)
        if spec is None or spec.loader is None:
            raise ValueError(f"{path}: not a Python file")
        module = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            raise ValueError(f"{path} cannot be loaded: {type(error).__name__}: {error}") from error
        function = getattr(module, "answer", None)
        if not callable(function):
            raise ValueError(f"{path} defines no answer(request)")
        return cls(function)

    def answer(self, request: Json, gone: Callable[[], bool]) -> Json:
        """What the function says; its failure becomes an error that is not to be retried."""
        with self._lock:
            try:
                raw = self.function(request)
                parse_answer(raw)
            except Exception as error:  # the script is the user's: whatever it raises is reported
                self.failures.append(traceback.format_exc())
                return _error(500, f"llm_desk: the script failed: {type(error).__name__}: {error}", may_retry=False)
        return dict(raw or {})

    def report(self) -> Json:
        """Failures of the script."""
        return {"script_failures": self.failures}
