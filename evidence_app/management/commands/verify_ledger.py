"""`./agentify verify-ledger`: the whole ledger done again, and compared with rows, signed heads and files."""

from __future__ import annotations

import json
import sys
from time import monotonic
from typing import Any

from django.core.management.base import CommandParser

from evidence_app.management.asked import read_bytes
from evidence_app.services import nightly, verifying
from evidence_app.services.verifying import Report
from evidence_app.services.verifying_files import ALL, NONE, SAMPLE
from recipes_app.management.plain import PlainCommand

TELL_EVERY_S = 5.0


class Command(PlainCommand):
    help = "Verify the ledger of evidence. Exit status 0 only if nothing is wrong; the first wrong thing is named."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--files", choices=(ALL, SAMPLE, NONE), default=ALL, help="whose bytes are hashed again")
        parser.add_argument("--key", default="", metavar="FINGERPRINT", help="of the key that has to have signed")
        parser.add_argument("--since", default="", metavar="FILE", help="a head that was kept elsewhere")
        parser.add_argument("--record", action="store_true", help="write the outcome into the ledger")
        parser.add_argument("--json", action="store_true", help="the outcome as JSON on one line")

    def handle(self, *_args: Any, **options: Any) -> None:
        report = Report(files=options["files"])
        self.watch(report, options)
        if options["record"]:
            nightly.record(report, how="command")
        if options["json"]:
            self.stdout.write(json.dumps(report.as_json()))
        else:
            self.tell(report)
        if not report.ok:
            sys.exit(1)

    def watch(self, report: Report, options: dict[str, Any]) -> None:
        since = read_bytes(options["since"]).decode(errors="replace") if options["since"] else ""
        told = monotonic()
        for _ in verifying.verify(report, key=options["key"].strip().lower(), since=since):
            if monotonic() - told > TELL_EVERY_S:
                told = monotonic()
                self.say(f"{report.entries} of {report.size} entries, {report.heads} heads, {report.hashed} files.")

    def tell(self, report: Report) -> None:
        entries, heads = many(report.entries, "entry", "entries"), many(report.heads, "signed head", "signed heads")
        files = (
            "no files" if report.files == NONE else f"{many(report.hashed, 'file', 'files')} ({report.bytes:,} bytes)"
        )
        self.show(f"{entries}, {heads}, {files} read again. Root {report.root}")
        if report.removed:
            self.show(f"What {many(report.removed, 'entry', 'entries')} told was deleted by retention.")
        for line in report.notes:
            self.show(f"Note: {line}.")
        for problem in sorted(report.problems, key=lambda each: (each.seq is None, each.seq or 0)):
            self.show(f"WRONG: {problem}")
        if report.wrong > len(report.problems):
            self.show(f"WRONG: and {report.wrong - len(report.problems)} more.")
        self.show("Nothing is wrong." if report.ok else f"{report.wrong} wrong. The first: {report.first}")


def many(count: int, one: str, more: str) -> str:
    return f"{count} {one if count == 1 else more}"
