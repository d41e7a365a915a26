"""The command line: which pack, against which key, and what is said about it."""

from __future__ import annotations

import argparse
import base64
import binascii
import json
import re
import sys
from pathlib import Path
from typing import Any, NoReturn

from evidence_app.bundle.offline.archive import Archive, Broken
from evidence_app.bundle.offline.checks import Newer, Pack
from evidence_app.bundle.offline.contents import check_contents
from evidence_app.bundle.offline.findings import USAGE, Report
from evidence_app.bundle.offline.heads import HEX_32, MAX_NOTE, Head, NoHead, read_head, read_key
from evidence_app.bundle.offline.policy import check_policy
from evidence_app.bundle.offline.reading import HEAD, Unreadable, whole
from evidence_app.bundle.offline.stamps import check_stamps

PEM = re.compile(r"-----BEGIN PUBLIC KEY-----\s+([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----")
PEM_START = bytes.fromhex("302a300506032b6570032100")
EPILOG = """exit codes: 0 good, 1 wrong use, 2 modified, 3 missing, 4 extra, 5 bad proof, 6 bad signature or unknown
signer, 7 history was rewritten, 8 time stamp, 9 review policy, 10 newer format, 11 cannot be checked here"""


class WrongUse(Exception):
    """What was asked for cannot be done; the message is for a person."""


class Arguments(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"{self.prog}: {message}\n")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pack", help="the ZIP file")
    parser.add_argument(
        "--key", action="append", default=[], metavar="FINGERPRINT|FILE",
        help="whose signature it has to bear: got from elsewhere, not from the pack",
    )  # fmt: skip
    parser.add_argument(
        "--since",
        metavar="HEAD",
        help="an earlier signed state of the ledger, or an earlier pack: it has to go on from there",
    )
    parser.add_argument(
        "--tsa", action="append", default=[], metavar="FINGERPRINT", help="SHA-256 of a certificate of the time stamps"
    )
    parser.add_argument("--json", action="store_true", help="the result as one JSON object")


def main(given: list[str] | None = None, *, name: str = "verify.py") -> int:
    """The exit code."""
    parser = Arguments(
        prog=name, description="Checks a pack of evidence. Changes nothing, asks no network.", epilog=EPILOG
    )
    add_arguments(parser)
    return answered(parser.parse_args(given), name)


def answered(asked: argparse.Namespace, name: str) -> int:
    """Says what there is to say about what was asked for; the exit code."""
    try:
        report = verify(Path(asked.pack), keys=asked.key, since=asked.since, authorities=asked.tsa)
    except WrongUse as error:
        sys.stderr.write(f"{name}: {error}\n")
        return USAGE
    sys.stdout.write(as_json(report) if asked.json else as_text(report))
    return report.code


def verify(pack: Path, *, keys: list[str], since: str | None = None, authorities: list[str] | None = None) -> Report:
    """WrongUse where there is no such pack, or no key can be read."""
    named = [_key(each) for each in keys]
    earlier = _earlier(since) if since else None
    fingerprints = [_fingerprint(each) for each in authorities or []]
    report = Report()
    try:
        with pack.open("rb") as file:
            _check(Pack(Archive(file), report), named, earlier, fingerprints)
    except OSError as error:
        raise WrongUse(f"{pack}: {error.strerror}") from error
    except Broken as error:
        report.add("modified", pack.name, str(error))
    except Newer as error:
        report.add("newer", pack.name, f"{error}; take the program that comes with a newer Agentify")
    except Exception as error:  # noqa: BLE001 - whatever a pack makes this program stumble over is not as it was made
        report.add("modified", pack.name, f"it cannot be checked to its end ({type(error).__name__})")
    return report


def _check(pack: Pack, keys: list[Any], earlier: Head | None, authorities: list[str]) -> None:
    pack.check()
    raw, fingerprints = [key for key in keys if isinstance(key, bytes)], [key for key in keys if isinstance(key, str)]
    pack.check_signature(raw, fingerprints)
    if earlier is not None:
        pack.check_since(earlier)
    check_contents(pack)
    check_policy(pack)
    check_stamps(pack, authorities)
    if pack.head is not None:
        signer = pack.signer.fingerprint if pack.signer else None
        pack.report.facts.update(
            origin=pack.head.origin, entries=pack.head.size, root=pack.head.root.hex(), signer=signer
        )
    pack.report.facts["run"] = pack.manifest.get("run")


def as_text(report: Report) -> str:
    lines = report.lines()
    facts = report.facts
    run = facts.get("run") or {}
    if run:
        count = f"{facts.get('samples')} of {facts.get('asked')} samples"
        lines.append(f"pack of: {run.get('title')} ({run.get('id')}), {count} in it")
    if facts.get("signer"):
        lines.append(f"signed by: {facts['origin']}, key {facts['signer']}, over {facts['entries']} entries")
    lines += [f"note: {note}" for note in report.notes]
    if report.code == 0:
        lines.append("GOOD: everything in this pack is as it was captured and signed")
    elif all(finding.kind == "unknown" for finding in report.findings):
        lines.append("CONSISTENT, SIGNER NOT KNOWN: all fits together; whose key it is has to be compared (6)")
    else:
        lines.append(f"NOT GOOD: {len(report.findings)} found ({report.code})")
    return "".join(f"{_printable(line)}\n" for line in lines)


def as_json(report: Report) -> str:
    findings = [finding._asdict() for finding in report.findings]
    made = {"code": report.code, "good": report.code == 0, "findings": findings, "notes": report.notes, **report.facts}
    return json.dumps(made, indent=2) + "\n"


def _printable(line: str) -> str:
    """Names in a pack could move the cursor, or not fit into the terminal's letters."""
    safe = "".join(letter if letter.isprintable() else f"\\x{ord(letter):02x}" for letter in line)
    encoding = sys.stdout.encoding or "utf-8"
    return safe.encode(encoding, "backslashreplace").decode(encoding)


def _key(given: str) -> Any:
    """A fingerprint as text, or a raw key as bytes."""
    if HEX_32.fullmatch(_bare(given)):
        return _bare(given)
    text = _text_of(given).strip()
    if HEX_32.fullmatch(_bare(text)):
        return _bare(text)
    match = PEM.search(text)
    try:
        if not match:
            return read_key(text).raw
        value = base64.b64decode("".join(match.group(1).split()), validate=True)
    except (NoHead, binascii.Error) as error:
        raise WrongUse(f"{given} holds no key: {error}") from error
    if not value.startswith(PEM_START) or len(value) != len(PEM_START) + 32:
        raise WrongUse(f"{given} holds no Ed25519 key")
    return value[-32:]


def _fingerprint(given: str) -> str:
    if not HEX_32.fullmatch(_bare(given)):
        raise WrongUse(f"{given!r} is no SHA-256: 64 digits and letters from a to f")
    return _bare(given)


def _bare(given: str) -> str:
    return re.sub(r"[\s:]", "", given).lower()


def _text_of(path: str) -> str:
    try:
        with Path(path).open("rb") as file:
            return file.read(MAX_NOTE).decode("utf-8")
    except OSError as error:
        raise WrongUse(
            f"{path!r} is no fingerprint (64 digits and letters from a to f) and no file: {error.strerror}"
        ) from error
    except UnicodeDecodeError as error:
        raise WrongUse(f"{path} is no text") from error


def _earlier(path: str) -> Head:
    """Of a note, or of an earlier pack."""
    try:
        with Path(path).open("rb") as file:
            if file.read(4) != b"PK\3\4":
                file.seek(0)
                return read_head(file.read(MAX_NOTE).decode("utf-8"))
            archive = Archive(file)
            member = next((each for each in archive.members if each.name == HEAD and not each.odd), None)
            if member is None:
                raise WrongUse(f"{path} is a ZIP without a signed state of a ledger")
            return read_head(whole(archive, member).decode("utf-8"))
    except OSError as error:
        raise WrongUse(f"{path}: {error.strerror}") from error
    except (Broken, NoHead, Unreadable, UnicodeDecodeError) as error:
        raise WrongUse(f"{path} is no signed state of a ledger: {error}") from error
