"""Command line: ``python3 -m tests.llm_desk MODE ...``, ``next`` and ``answer``."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from tests.llm_desk.answers import AnswerError, check_answer, parse_answer
from tests.llm_desk.faults import FaultSchedule
from tests.llm_desk.server import DeskServer
from tests.llm_desk.sources import (
    DeskSource,
    RecordingSource,
    ReplaySource,
    ScriptSource,
    Source,
    open_numbers,
    write_whole,
)

Json = dict[str, Any]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="llm_desk",
        description="An LLM API on 127.0.0.1 whose answers are written by hand, replayed or scripted.",
        epilog="After '--' a command may follow: it runs with the SDK variables set, and the server stops when it ends.",
    )
    modes = parser.add_subparsers(dest="mode", required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--port", type=int, default=0, help="default: a free one")
    common.add_argument("--faults", default="", metavar="SCHEDULE", help="e.g. 1:429=0.5,2:500,5:reset,*7:slow=3")
    common.add_argument("--ready-file", type=Path, help="write port, pid and base URLs here once serving")
    common.add_argument("--report-file", type=Path, help="write the report here at the end")
    common.add_argument(
        "--models", default="desk-model", help="names for /v1/models, comma-separated (any name is accepted)"
    )
    waiting = argparse.ArgumentParser(add_help=False)
    waiting.add_argument("dir", type=Path, metavar="DIR")
    waiting.add_argument("--wait", type=float, default=900.0, help="seconds to wait for an answer (default 900)")
    modes.add_parser("desk", parents=[waiting, common], help="answers are written by hand")
    record = modes.add_parser("record", parents=[waiting, common], help="as desk, and keep a cassette")
    record.add_argument("--cassette", type=Path, help="default DIR/cassette.jsonl")
    replay = modes.add_parser("replay", parents=[common], help="answer from a cassette")
    replay.add_argument("cassette", type=Path, metavar="CASSETTE")
    replay.add_argument(
        "--loose", action="store_true", help="without a key match, go by order within (provider, purpose)"
    )
    replay.add_argument(
        "--mask", action="append", default=[], metavar="REGEX", help="matches count as equal (repeatable)"
    )
    replay.add_argument(
        "--ignore", action="append", default=[], choices=["model", "images", "tools"], help="leave out of the key"
    )
    replay.add_argument("--allow-unused", action="store_true", help="leftover entries do not make the exit code 4")
    script = modes.add_parser("script", parents=[common], help="answer by answer(request) of a Python file")
    script.add_argument("file", type=Path, metavar="FILE.py")
    ask = modes.add_parser("next", help="wait for the oldest open request and print it")
    ask.add_argument("dir", type=Path, metavar="DIR")
    ask.add_argument("--wait", type=float, default=900.0, help="seconds (default 900); exit code 2 if none came")
    ask.add_argument("--json", action="store_true", help="print the JSON file instead of the Markdown")
    answer = modes.add_parser("answer", help="check an answer and hand it in")
    answer.add_argument("dir", type=Path, metavar="DIR")
    answer.add_argument("number", metavar="NNNN")
    answer.add_argument("answer", metavar="ANSWER", help="JSON, or @FILE, or - for standard input")
    answer.add_argument("--force", action="store_true", help="hand it in whatever the checks say")
    return parser


def main(argv: list[str] | None = None) -> int:
    """Entry point; returns the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    command: list[str] = []
    if "--" in words:
        at = words.index("--")
        words, command = words[:at], words[at + 1 :]
    if words[:1] == ["faults"]:  # faults SCHEDULE MODE ... = MODE ... --faults SCHEDULE
        if len(words) < 3:
            print("use: llm_desk faults SCHEDULE MODE ...", file=sys.stderr)
            return 2
        words = [*words[2:], "--faults", words[1]]
    options = _parser().parse_args(words)
    if options.mode == "next":
        return _next(options)
    if options.mode == "answer":
        return _answer(options)
    try:
        return _serve(options, command)
    except (ValueError, OSError) as problem:
        print(f"llm_desk: {problem}", file=sys.stderr)
        return 2


# ------------------------------------------------------------------ serving


def _source(options: argparse.Namespace) -> Source:
    if options.mode == "replay":
        return ReplaySource(options.cassette, options.loose, options.mask, options.ignore)
    if options.mode == "script":
        return ScriptSource.load(options.file)
    desk = DeskSource(options.dir, options.wait)
    if options.mode == "record":
        return RecordingSource(desk, options.cassette or options.dir / "cassette.jsonl")
    return desk


def _serve(options: argparse.Namespace, command: list[str]) -> int:
    desk = DeskServer(_source(options), options.port, FaultSchedule(options.faults), options.models.split(","))
    for sort in (signal.SIGTERM, signal.SIGINT):
        if threading.current_thread() is threading.main_thread():
            signal.signal(sort, lambda *_: desk.stop_asked.set())
    code = 0
    with desk:
        for name, value in desk.environment().items():
            print(f"{name}={value}", flush=True)
        if options.ready_file:
            ready = {"pid": os.getpid(), "port": desk.port, "url": desk.url, "environment": desk.environment()}
            options.ready_file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(options.ready_file, json.dumps(ready) + "\n")
        if command:
            child = subprocess.Popen(command, env={**os.environ, **desk.environment()})
            while child.poll() is None and not desk.stop_asked.wait(0.05):
                pass
            if child.poll() is None:
                child.terminate()
            code = child.wait()
        else:
            while not desk.stop_asked.wait(0.5):
                pass
            time.sleep(0.1)  # let the answer to a shutdown request go out
    report = desk.report()
    if options.report_file:
        write_whole(options.report_file, json.dumps(report, indent=2, ensure_ascii=False) + "\n")
    _print_summary(report)
    own = desk.exit_code()
    if own == 4 and options.allow_unused:
        own = 0
    return code or own


def _print_summary(report: Json) -> None:
    counts = report["tokens"]
    print(
        f"llm_desk: {report['answered']} of {report['requests']} requests answered, about {counts['prompt']} prompt and "
        f"{counts['completion']} completion tokens, {sum(f['applied'] for f in report['faults'])} faults",
        file=sys.stderr,
    )
    for refused in report["refused"]:
        print(f"  refused: {refused['path']}: {refused['message']}", file=sys.stderr)
    for lost in report.get("unmatched", []):
        print(
            f"  unmatched: {lost['provider']} {lost['purpose']} key {lost['key']}: {lost['last_message'][-100:]!r}",
            file=sys.stderr,
        )
    for left in report.get("unused", []):
        print(f"  unused: line {left['line']}, {left['provider']} {left['purpose']} key {left['key']}", file=sys.stderr)
    for failure in report.get("script_failures", []):
        print(f"  script failed: {failure}", file=sys.stderr)


# ------------------------------------------------------------------ at the desk


def _next(options: argparse.Namespace) -> int:
    until = time.monotonic() + options.wait
    while True:
        numbers = open_numbers(options.dir)
        if numbers:
            kind = "json" if options.json else "md"
            print((options.dir / "requests" / f"{numbers[0]}.{kind}").read_text(encoding="utf-8"), end="")
            if len(numbers) > 1:
                print(f"{len(numbers) - 1} more open: {' '.join(numbers[1:])}", file=sys.stderr)
            return 0
        if time.monotonic() >= until:
            print(f"no open request within {options.wait:g} s", file=sys.stderr)
            return 2
        time.sleep(0.1)


def _answer(options: argparse.Namespace) -> int:
    number = options.number.zfill(4)
    path = options.dir / "requests" / f"{number}.json"
    place = options.dir / "answers" / f"{number}.json"
    text: str = options.answer
    try:
        if text == "-":
            text = sys.stdin.read()
        elif text.startswith("@"):
            text = Path(text[1:]).read_text(encoding="utf-8")
        request = json.loads(path.read_text(encoding="utf-8"))
        raw = json.loads(text)
    except FileNotFoundError as problem:
        print(f"there is no {problem.filename}", file=sys.stderr)
        return 2
    except ValueError as problem:
        print(f"not JSON: {problem}", file=sys.stderr)
        return 2
    try:
        parse_answer(raw)
    except AnswerError as problem:
        print(f"refused, not an answer: {problem}", file=sys.stderr)
        return 2
    problems = check_answer(request, raw)
    if place.exists():
        problems.append(f"request {number} has been answered already")
    closed = path.with_suffix(".closed")
    if closed.exists():
        problems.append(f"request {number} is closed: {closed.read_text(encoding='utf-8').strip()}")
    if problems and not options.force:
        print(
            f"refused, nothing was handed in ({len(problems)} problem(s); --force hands it in all the same):",
            file=sys.stderr,
        )
        for line in problems:
            print(f"  - {line}", file=sys.stderr)
        return 2
    place.parent.mkdir(parents=True, exist_ok=True)
    write_whole(place, json.dumps(raw, ensure_ascii=False, indent=2) + "\n")
    print(f"answered {number}")
    return 0
