"""Whether what was captured is all there: each file that an entry of the ledger names, and no other."""

from __future__ import annotations

from typing import Any, NamedTuple

from evidence_app.bundle.offline.checks import Pack
from evidence_app.bundle.offline.reading import SHA_256, Entry

OBJECTS = "objects/"


class Named(NamedTuple):
    """A file as an entry names it; `made_of` is the SHA-256 of the picture it was derived from, empty for originals."""

    sha256: str
    size: int
    name: str
    sample: str
    seq: int
    made_of: str = ""
    made_by: str = ""

    @property
    def called(self) -> str:
        return f"{self.name} of sample {self.sample}"


def check_contents(pack: Pack) -> None:
    """What is withheld is said, and is nothing wrong where the ledger knows of it."""
    named = [each for entry in pack.entries for each in named_by(entry)]
    here = {name[len(OBJECTS) :].partition(".")[0]: name for name in pack.members if name.startswith(OBJECTS)}
    _check_sizes(pack, named, here)
    excused = _withheld(pack, named, here)
    unopened = {entry.seq for entry in pack.entries if entry.facts is None and not entry.fault}
    for each in named:
        if each.sha256 not in here and each.sha256 not in excused:
            text = f"{each.called} was captured and is not in the pack"
            pack.report.add("missing", f"entry {each.seq}", text)
    known = {each.sha256 for each in named}
    for sha256, name in here.items():
        if sha256 not in known and pack.entries and not unopened:
            pack.report.add("extra", name, "nothing in the ledger names this file")
    pack.report.notes += dict.fromkeys(excused.values())
    if unopened:
        pack.report.notes.append(
            f"{len(unopened)} entries were emptied when their files were removed, as the task asks"
        )
    pack.report.facts.update(files=len(here), withheld=len(_of_manifest(pack, "withheld")), removed=len(unopened))


def named_by(entry: Entry) -> list[Named]:
    sample, found = entry.text("sample"), []
    if entry.kind == "capture.kept":
        found = [_named(each, entry, sample) for each in entry.list("artifacts")]
        if entry.text("statement"):
            found.append(
                Named(entry.text("statement"), -1, f"the statement of {entry.text('label')}", sample, entry.seq)
            )
    elif entry.kind == "derived.kept":
        made = _named(entry.object("artifact"), entry, sample)
        found = [made._replace(made_of=entry.text("source"), made_by=_transform(entry))]
    elif entry.kind == "sample.finished" and entry.text("log"):
        found = [Named(entry.text("log"), -1, "the action log", sample, entry.seq)]
    return [each for each in found if SHA_256.fullmatch(each.sha256)]


def _named(artifact: dict[str, Any], entry: Entry, sample: str) -> Named:
    size = artifact.get("size")
    size = size if isinstance(size, int) else -1
    return Named(str(artifact.get("sha256")), size, str(artifact.get("name")), sample, entry.seq)


def _transform(entry: Entry) -> str:
    return str(entry.object("transform").get("name") or entry.text("transform"))


def _check_sizes(pack: Pack, named: list[Named], here: dict[str, str]) -> None:
    for each in named:
        name = here.get(each.sha256)
        if name and pack.sums.get(name, each.sha256) == each.sha256 and each.size not in (-1, pack.members[name].size):
            pack.report.add("modified", name, f"{each.called} had {each.size} bytes when it was captured")
    said = {finding.where for finding in pack.report.findings}
    for sha256, name in here.items():
        if name not in said and pack.sums.get(name, sha256) != sha256:
            called = next((each.called for each in named if each.sha256 == sha256), "this file")
            text = f"{called} is not what was captured: it is called by its SHA-256 and has another"
            pack.report.add("modified", name, text)


def _of_manifest(pack: Pack, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pack.manifest.get(name, [])
    return found


def _withheld(pack: Pack, named: list[Named], here: dict[str, str]) -> dict[str, str]:
    """Originals that stay where they are, by their hash; a redacted copy that is promised has to be here."""
    by_hash = {each.sha256: each for each in named}
    copies = {(each.made_of, each.sha256) for each in named if each.made_by == "redacted"}
    said = {}
    for each in _of_manifest(pack, "withheld"):
        sha256, copy = str(each.get("sha256")), each.get("copy")
        where = f"withheld {sha256[:12]}"
        if sha256 not in by_hash:
            pack.report.add("modified", where, "it is said to be withheld, and nothing in the ledger names it")
            continue
        called = by_hash[sha256].called
        if copy and copy not in here:
            pack.report.add("missing", where, f"the redacted copy of {called} is not in the pack")
        elif copy and (sha256, copy) not in copies:
            pack.report.add("modified", where, f"what is shown for {called} was not made of it")
        else:
            instead = "; a redacted copy is here" if copy else ""
            said[sha256] = f"withheld: {called} is not in this pack, only its hash {sha256}{instead}"
    return said
