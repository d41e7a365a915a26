"""Self-test with the standard library only: ``python3 test_selftest.py`` (or pytest)."""

from __future__ import annotations

import base64
import contextlib
import http.client
import io
import json
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.llm_desk import (
    AnswerError,
    DeskServer,
    DeskSource,
    FaultSchedule,
    RecordingSource,
    ReplaySource,
    ScriptSource,
    check_answer,
    parse_answer,
)
from tests.llm_desk.answers import schema_problems, whole_members
from tests.llm_desk.cli import main

Json = dict[str, Any]
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\nnot really").decode()
SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city"],
}
USER = [{"role": "user", "content": "Hi"}]
CHAT_TOOL = {"type": "function", "function": {"name": "weather", "parameters": SCHEMA}}
MESSAGE_TOOL = {"name": "weather", "input_schema": SCHEMA}


def ask(
    desk: DeskServer, path: str, body: Json | None, headers: dict[str, str] | None = None
) -> tuple[int, Any, dict[str, str]]:
    """One HTTP exchange: status, decoded body (text for a stream), headers."""
    line = http.client.HTTPConnection("127.0.0.1", desk.port, timeout=20)
    try:
        line.request("GET" if body is None else "POST", path, None if body is None else json.dumps(body), headers or {})
        reply = line.getresponse()
        text = reply.read().decode()
        found = {k.lower(): v for k, v in reply.getheaders()}
        return reply.status, json.loads(text) if found["content-type"] == "application/json" else text, found
    finally:
        line.close()


def events(text: str) -> list[Json]:
    """The data of a stream's events."""
    lines = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: ")]
    return [json.loads(line) for line in lines if line != "[DONE]"]


def scripted(answer: Json, faults: str = "") -> DeskServer:
    """A server that always says the same."""
    return DeskServer(ScriptSource(lambda request: answer), faults=faults)


def chat(desk: DeskServer, **more: Any) -> tuple[int, Any, dict[str, str]]:
    return ask(desk, "/v1/chat/completions", {"model": "m", "messages": USER, **more})


def message(desk: DeskServer, **more: Any) -> tuple[int, Any, dict[str, str]]:
    body = {"model": "m", "max_tokens": 50, "messages": USER, **more}
    return ask(desk, "/v1/messages", body, {"anthropic-version": "2023-06-01"})


class Shapes(unittest.TestCase):
    def test_parse(self) -> None:
        self.assertEqual(parse_answer({"text": "x"}).text, "x")
        self.assertEqual(parse_answer({"json": {"a": 1}}).text, '{"a": 1}')
        both = parse_answer({"text": "x", "tools": [{"tool": "a"}, {"name": "b", "arguments": {"c": 1}}]})
        self.assertEqual([c.name for c in both.calls], ["a", "b"])
        wrong: list[Any] = [
            [], {}, {"txt": 1}, {"text": 1}, {"tool": ""}, {"tool": "a", "arguments": [1]}, {"tools": []},
            {"text": "a", "json": {}}, {"error": {"status": 200}}, {"error": {"status": 429}, "text": "x"},
            {"text": "x", "stop": "never"}, {"text": "x", "delay": -1}, {"arguments": {}, "text": "x"},
        ]  # fmt: skip
        for raw in wrong:
            with self.subTest(raw), self.assertRaises(AnswerError):
                parse_answer(raw)

    def test_schema(self) -> None:
        self.assertEqual(schema_problems({"city": "x", "days": 1}, SCHEMA), [])
        wrong: list[Any] = [
            {},
            {"city": 1},
            {"city": "x", "days": "1"},
            {"city": "x", "days": True},
            {"city": "x", "dayz": 1},
            [],
        ]
        for bad in wrong:
            self.assertTrue(schema_problems(bad, SCHEMA), bad)
        deep = {
            "$defs": {"n": {"type": ["number", "null"]}},
            "type": "array",
            "items": {"anyOf": [{"$ref": "#/$defs/n"}, {"enum": ["a"]}]},
        }
        self.assertEqual(schema_problems([1, None, "a"], deep), [])
        self.assertEqual(len(schema_problems([1, "b"], deep)), 1)
        self.assertEqual(whole_members('{"a": 1, "b": "xy'), {"a": 1})
        self.assertEqual(whole_members("{"), {})

    def test_check_against_request(self) -> None:
        request: Json = {
            "tools": [{"name": "weather", "schema": SCHEMA}],
            "tool_choice": {"mode": "required", "parallel": False},
        }
        self.assertEqual(check_answer(request, {"tool": "weather", "arguments": {"city": "x"}}), [])
        twice = {"tools": [{"tool": "weather", "arguments": {"city": "x"}}] * 2}
        for raw in ({"text": "x"}, {"tool": "other"}, {"tool": "weather"}, twice):
            self.assertTrue(check_answer(request, raw), raw)
        no_tool: Json = {"tools": [{"name": "weather", "schema": SCHEMA}], "tool_choice": {"mode": "none"}}
        self.assertTrue(check_answer(no_tool, {"tool": "weather", "arguments": {"city": "x"}}))
        wanted: Json = {"response_format": {"type": "json_schema", "schema": SCHEMA}}
        self.assertEqual(check_answer(wanted, {"json": {"city": "x"}}), [])
        self.assertTrue(check_answer(wanted, {"text": "x"}) and check_answer(wanted, {"json": {}}))

    def test_schedule(self) -> None:
        plan = FaultSchedule("1:429=0.5,3-4:reset,*5:slow")
        names = [fault.name if (fault := plan.at(n)) else "" for n in range(1, 11)]
        self.assertEqual(names, ["rate_limit", "", "reset", "reset", "slow", "", "", "", "", "slow"])
        for bad in ("x", "1:nope", "1-:500", "1"):
            with self.assertRaises(ValueError):
                FaultSchedule(bad)


class Wire(unittest.TestCase):
    def test_text_everywhere(self) -> None:
        with scripted({"text": "Hello there"}) as desk:
            status, body, _ = chat(desk)
            self.assertEqual((status, body["choices"][0]["message"]["content"]), (200, "Hello there"))
            self.assertEqual(body["usage"]["total_tokens"], 1 + 3)
            _, body, _ = message(desk)
            self.assertEqual((body["content"][0]["text"], body["stop_reason"]), ("Hello there", "end_turn"))
            _, body, _ = ask(desk, "/v1/responses", {"model": "m", "input": "Hi"})
            self.assertEqual(body["output"][0]["content"][0]["text"], "Hello there")
            again = {"model": "m", "input": "More", "previous_response_id": body["id"]}
            _, body, _ = ask(desk, "/v1/responses", again)
            self.assertEqual(body["usage"]["input_tokens"], 5)  # Hi, Hello there, More

    def test_streams(self) -> None:
        with scripted({"text": "Hello there, friend", "tool": "weather", "arguments": {"city": "Oslo"}}) as desk:
            parts = events(chat(desk, stream=True, tools=[CHAT_TOOL])[1])
            deltas = [c["delta"] for e in parts for c in e["choices"]]
            self.assertEqual("".join(d.get("content") or "" for d in deltas), "Hello there, friend")
            said = "".join(t["function"].get("arguments", "") for d in deltas for t in d.get("tool_calls", []))
            self.assertEqual(json.loads(said), {"city": "Oslo"})
            parts = events(message(desk, stream=True, tools=[MESSAGE_TOOL])[1])
            said = "".join(e["delta"].get("partial_json", "") for e in parts if e["type"] == "content_block_delta")
            self.assertEqual((json.loads(said), parts[-1]["type"]), ({"city": "Oslo"}, "message_stop"))
            tool = {"type": "function", "name": "weather", "parameters": SCHEMA}
            parts = events(ask(desk, "/v1/responses", {"model": "m", "input": "x", "stream": True, "tools": [tool]})[1])
            self.assertEqual(parts[-1]["response"]["output"][1]["arguments"], '{"city": "Oslo"}')

    def test_refused_requests(self) -> None:
        with scripted({"text": "x"}) as desk:
            self.assertEqual(ask(desk, "/v1/chat/completions", {"model": "m"})[0], 400)
            self.assertEqual(ask(desk, "/v1/nothing", {})[0], 404)
            self.assertEqual(
                ask(desk, "/v1/messages", {"model": "m", "messages": USER})[1]["error"]["type"], "invalid_request_error"
            )
            self.assertEqual(chat(desk, tools=[{"type": "function", "function": {"name": "a b"}}])[0], 400)
            self.assertEqual(chat(desk, messages=[{"role": "tool", "tool_call_id": "x", "content": "y"}])[0], 400)
            self.assertEqual(chat(desk, tool_choice="required")[0], 400)
            self.assertEqual(chat(desk, messages=["oops"])[0], 400)
            self.assertEqual(len(desk.report()["refused"]), 7)

    def test_counts_and_models(self) -> None:
        with scripted({"text": "x"}) as desk:
            block = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
            body = {"model": "m", "messages": [{"role": "user", "content": [block]}], "system": "12345678"}
            self.assertEqual(
                ask(desk, "/v1/messages/count_tokens", body)[1], {"input_tokens": 1500 + 5}
            )  # "[image 1]" too
            self.assertEqual(ask(desk, "/v1/models", None)[1]["object"], "list")
            self.assertIs(ask(desk, "/v1/models", None, {"anthropic-version": "x"})[1]["has_more"], False)


class Faults(unittest.TestCase):
    def test_instead(self) -> None:
        with scripted({"text": "ok"}, "1:429=2,2:500,3:529,4:empty,5:refusal,6:reset") as desk:
            status, body, headers = chat(desk)
            self.assertEqual((status, headers["retry-after"], body["error"]["code"]), (429, "2", "rate_limit_exceeded"))
            self.assertEqual(chat(desk)[0], 500)
            self.assertEqual(message(desk)[1]["error"]["type"], "overloaded_error")
            self.assertEqual(message(desk)[1]["content"], [])
            self.assertEqual(message(desk)[1]["stop_reason"], "refusal")
            with self.assertRaises((ConnectionError, http.client.HTTPException)):
                chat(desk)
            self.assertEqual(chat(desk)[0], 200)
            self.assertEqual(len(desk.report()["faults"]), 6)

    def test_upon(self) -> None:
        tool = {"tool": "weather", "arguments": {"city": "Oslo", "days": 2}}
        with scripted(tool, "1:truncated,2:unknown_tool,3:wrong_type,4:max_tokens,5:slow=0.3,6:cut") as desk:

            def call() -> tuple[Json, str]:
                choice = chat(desk, tools=[CHAT_TOOL])[1]["choices"][0]
                return choice["message"]["tool_calls"][0]["function"], choice["finish_reason"]

            with self.assertRaises(ValueError):
                json.loads(call()[0]["arguments"])
            self.assertEqual(call()[0]["name"], "weather_v2")
            self.assertTrue(schema_problems(json.loads(call()[0]["arguments"]), SCHEMA))
            self.assertEqual(call()[1], "length")
            start = time.monotonic()
            call()
            self.assertGreaterEqual(time.monotonic() - start, 0.3)
            with self.assertRaises((ConnectionError, http.client.HTTPException)):
                call()


class Sources(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = Path(folder.name)

    def run_cli(self, *words: str) -> tuple[int, str]:
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            code = main(list(words))
        return code, out.getvalue()

    def test_desk_record_replay(self) -> None:
        cassette = self.dir / "c.jsonl"
        image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
        body = {
            "messages": [{"role": "user", "content": [{"type": "text", "text": "Look"}, image]}],
            "tools": [CHAT_TOOL],
        }
        got: list[Any] = []
        with DeskServer(RecordingSource(DeskSource(self.dir, wait=20), cassette)) as desk:
            client = threading.Thread(target=lambda: got.append(chat(desk, tool_choice="required", **body)))
            client.start()
            code, text = self.run_cli("next", str(self.dir), "--wait", "10")
            self.assertEqual(code, 0)
            self.assertIn("weather", text)
            self.assertEqual((self.dir / "requests/0001-1.png").read_bytes(), base64.b64decode(PNG))
            wrong = {
                '{"text": "x"}': "must be called",
                '{"tool": "weather"}': "missing",
                "{": "not JSON",
                "{}": "not an answer",
            }
            for bad, why in wrong.items():
                code, text = self.run_cli("answer", str(self.dir), "1", bad)
                self.assertEqual(code, 2)
                self.assertIn(why, text)
            (self.dir / "answers/0001.json").write_text("{half")  # written by an editor, not yet whole
            time.sleep(0.2)
            self.assertEqual(
                self.run_cli(
                    "answer", str(self.dir), "1", '{"tool": "weather", "arguments": {"city": "x"}}', "--force"
                )[0],
                0,
            )
            client.join(10)
            self.assertEqual(
                self.run_cli("answer", str(self.dir), "1", '{"tool": "weather", "arguments": {"city": "x"}}')[0], 2
            )
            self.assertEqual(self.run_cli("next", str(self.dir), "--wait", "0")[0], 2)
        self.assertEqual(got[0][1]["choices"][0]["message"]["tool_calls"][0]["function"]["name"], "weather")
        with DeskServer(ReplaySource(cassette)) as desk:
            self.assertEqual(chat(desk, tool_choice="required", temperature=0.1, **body)[0], 200)
            self.assertEqual(desk.exit_code(), 0)
            status, reply, headers = chat(desk)
            self.assertEqual(
                (status, headers["x-should-retry"], reply["error"]["code"]), (404, "false", "llm_desk_unmatched")
            )
            self.assertEqual((len(ask(desk, "/__desk__/report", None)[1]["unmatched"]), desk.exit_code()), (1, 3))

    def test_loose_mask_ignore(self) -> None:
        cassette = self.dir / "c.jsonl"
        with DeskServer(RecordingSource(ScriptSource(lambda request: {"text": "one"}), cassette)) as desk:
            chat(desk, messages=[{"role": "user", "content": "port 1234"}])
        other = [{"role": "user", "content": "port 99"}]
        with DeskServer(ReplaySource(cassette)) as desk:
            self.assertEqual((chat(desk, messages=other)[0], desk.exit_code()), (404, 3))
        with DeskServer(ReplaySource(cassette, masks=[r"port \d+"])) as desk:
            self.assertEqual((chat(desk, messages=other)[0], desk.exit_code()), (200, 0))
        with DeskServer(ReplaySource(cassette, loose=True)) as desk:
            self.assertEqual((chat(desk, messages=other)[0], chat(desk, messages=other)[0]), (200, 404))
        with DeskServer(ReplaySource(cassette)) as desk:
            self.assertEqual(desk.exit_code(), 4)

    def test_tool_call_ids_do_not_matter(self) -> None:
        def talk(name: str) -> list[Json]:
            call = {"id": name, "type": "function", "function": {"name": "weather", "arguments": '{"city":"x"}'}}
            return [
                *USER,
                {"role": "assistant", "tool_calls": [call]},
                {"role": "tool", "tool_call_id": name, "content": "sun"},
            ]

        keys: list[str] = []

        def note(request: Json) -> Json:
            keys.append(request["key"])
            return {"text": "x"}

        with DeskServer(ScriptSource(note)) as desk:
            for name in ("a", "b"):
                self.assertEqual(chat(desk, messages=talk(name))[0], 200)
        self.assertEqual(keys[0], keys[1])

    def test_desk_gives_up(self) -> None:
        with DeskServer(DeskSource(self.dir, wait=0.2)) as desk:
            status, _, headers = message(desk)
            self.assertEqual((status, headers["x-should-retry"]), (504, "false"))
        self.assertEqual(self.run_cli("next", str(self.dir), "--wait", "0")[0], 2)
        self.assertIn("closed", self.run_cli("answer", str(self.dir), "1", '{"text": "x"}')[1])

    def test_script_failure_and_command(self) -> None:
        script = self.dir / "s.py"
        script.write_text("def answer(request):\n    return {'text': request['nothing']}\n")
        client = self.dir / "client.py"
        client.write_text(
            "import json, os, urllib.request as u\n"
            "r = u.Request(os.environ['OPENAI_BASE_URL'] + '/chat/completions', json.dumps({'model': 'm', "
            "'messages': [{'role': 'user', 'content': 'x'}]}).encode())\n"
            "try: u.urlopen(r)\nexcept OSError as e: assert e.code == 500\n"
        )
        code, text = self.run_cli(
            "script", str(script), "--report-file", str(self.dir / "r.json"), "--", sys.executable, str(client)
        )
        self.assertEqual(code, 3)
        self.assertIn("KeyError", text)
        self.assertEqual(json.loads((self.dir / "r.json").read_text())["requests"], 1)
        self.assertEqual(self.run_cli("script", str(client))[0], 2)


if __name__ == "__main__":
    unittest.main()
