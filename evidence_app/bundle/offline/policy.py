"""Whether the decisions in a pack are such as the rules of review allow: four eyes, what was seen, who signed last."""

from __future__ import annotations

from typing import Any, NamedTuple

from evidence_app.bundle.offline.checks import Pack
from evidence_app.bundle.offline.contents import Named, named_by
from evidence_app.bundle.offline.reading import Entry

BARS = {
    "ran": "asked for the run", "started": "confirmed it or took it up again", "scheduled": "owns its schedule",
    "token": "owns the token it was asked for with", "task": "wrote the task", "tool": "wrote a tool it may use",
}  # fmt: skip


JUDGING = {"review.decided": "decided on", "conclusion.given": "concluded on"}


class Decided(NamedTuple):
    """One decision that stands, not undone."""

    entry: Entry
    sample: str
    attempt: str
    level: int
    decision: str
    reviewer: str  # the number of the person
    called: str


class Standing(NamedTuple):
    """Where one sample stands at the end of the ledger's part in the pack."""

    sample: str
    attempt: str  # the newest that ended
    status: str
    attempts: int
    decided: list[Decided]
    conclusion: Entry | None  # of that attempt; where it has none, the last one of an attempt before it

    @property
    def is_conclusion_stale(self) -> bool:
        return self.conclusion is not None and self.conclusion.text("attempt") != self.attempt


def person(value: dict[str, Any]) -> tuple[str, str]:
    """The number of a person and how they are called."""
    number = str(value.get("id", "")) or "nobody"
    return number, str(value.get("name") or value.get("email") or f"person {number}")


def standings(entries: list[Entry]) -> list[Standing]:
    """In the order in which the samples ended first."""
    ended: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.kind == "sample.finished" and entry.facts is not None:
            ended.setdefault(entry.text("sample"), []).append(entry)
    decided, concluded = _decisions(entries), _conclusions(entries)
    made = []
    for sample, attempts in ended.items():
        newest = attempts[-1]
        of_sample = [each for each in decided if each.sample == sample]
        earlier = [entry for (name, _), entry in concluded.items() if name == sample]
        conclusion = concluded.get(
            (sample, newest.text("attempt")), max(earlier, key=lambda each: each.seq, default=None)
        )
        made.append(
            Standing(sample, newest.text("attempt"), newest.text("status"), len(attempts), of_sample, conclusion)
        )
    return made


def is_signed(standing: Standing, levels: int) -> bool:
    """Approved at every level that is asked for, of the newest attempt, and not decided otherwise since."""
    newest = [each for each in standing.decided if each.attempt == standing.attempt]
    approved = {each.level for each in newest if each.decision == "approve"}
    return bool(newest) and newest[-1].decision == "approve" and approved >= set(range(1, levels + 1))


def check_policy(pack: Pack) -> None:
    policy = pack.manifest.get("policy", {})
    levels = 2 if policy.get("levels") == 2 else 1
    found, own = standings(pack.entries), by_sample(pack.entries)
    _check_people(pack)
    for standing in found:
        for each in standing.decided:
            _check_seen(pack, each, own.get(each.sample, []))
        _check_levels(pack, standing)
        if standing.conclusion is not None and standing.is_conclusion_stale:
            text = f"the conclusion on sample {standing.sample} is of attempt {standing.conclusion.text('attempt')}"
            pack.report.notes.append(f"{text}, and its newest is attempt {standing.attempt}: the conclusion is stale")
    unsigned = [each for each in found if not is_signed(each, levels)]
    if policy.get("scope") == "signed":
        for standing in unsigned:
            text = "the pack says that it holds signed samples only, and this one is not signed"
            pack.report.add("policy", f"sample {standing.sample}", text)
    elif unsigned:
        pack.report.notes.append(f"{len(found) - len(unsigned)} of {len(found)} samples are signed")
    asked = _asked(pack.entries)
    if policy.get("scope") != "signed" and len(found) < asked:
        pack.report.notes.append(f"{asked} samples were asked for, and {len(found)} have ended")
    pack.report.facts.update(samples=len(found), signed=len(found) - len(unsigned), asked=asked)


def by_sample(entries: list[Entry]) -> dict[str, list[Entry]]:
    made: dict[str, list[Entry]] = {}
    for entry in entries:
        made.setdefault(entry.text("sample"), []).append(entry)
    return made


def _asked(entries: list[Entry]) -> int:
    """How many samples the run has, as it was asked for or confirmed last."""
    said = [entry.facts or {} for entry in entries if entry.kind in ("run.requested", "run.confirmed")]
    return next((facts["samples"] for facts in reversed(said) if isinstance(facts.get("samples"), int)), 0)


def _decisions(entries: list[Entry]) -> list[Decided]:
    undone = {entry.text("review") for entry in entries if entry.kind == "review.undone"}
    made = []
    for entry in entries:
        if entry.kind != "review.decided" or entry.facts is None or entry.text("review") in undone:
            continue
        number, called = person(entry.object("reviewer"))
        level = 2 if entry.text("level") == "2" else 1
        where = (entry.text("sample"), entry.text("attempt"))
        made.append(Decided(entry, *where, level, entry.text("decision"), number, called))
    return made


def _conclusions(entries: list[Entry]) -> dict[tuple[str, str], Entry]:
    """The last of each sample and attempt."""
    given = [entry for entry in entries if entry.kind == "conclusion.given" and entry.facts is not None]
    return {(entry.text("sample"), entry.text("attempt")): entry for entry in given}


def _barred(pack: Pack) -> dict[str, tuple[int, str]]:
    """Who may not sign, by number: from which entry on, and why. Whoever had a hand in the run."""
    barred: dict[str, tuple[int, str]] = {}
    for entry in pack.entries:
        if entry.kind in ("run.requested", "run.confirmed"):
            number, _ = person(entry.object("by"))
            why = "asked for the run" if entry.kind == "run.requested" else "confirmed the run"
            barred.setdefault(number, (entry.seq, why))
        for each in entry.list("people") if entry.kind == "run.barred" else ():
            why = BARS.get(str(each.get("why")), "had a hand in the run")
            barred.setdefault(person(each)[0], (entry.seq, why))
    return barred


def _released(entries: list[Entry]) -> set[str]:
    broken = [entry for entry in entries if entry.kind == "four_eyes.broken" and entry.facts is not None]
    return {person(entry.object("person"))[0] for entry in broken}


def _check_people(pack: Pack) -> None:
    """Whoever decided on evidence, or concluded from it, had no hand in it, or it was said that they had."""
    barred, released = _barred(pack), _released(pack.entries)
    for entry in pack.entries:
        number, called = person(entry.object("reviewer"))
        since, why = barred.get(number, (entry.seq, ""))
        if entry.kind not in JUDGING or since >= entry.seq:
            continue
        sample, did = entry.text("sample"), JUDGING[entry.kind]
        if number in released:
            pack.report.notes.append(f"four eyes were broken openly: {called} {why}, and {did} sample {sample}")
        else:
            text = f"{called} {why}, and {did} it all the same"
            pack.report.add("policy", f"entry {entry.seq}, sample {sample}", text)


def _check_seen(pack: Pack, each: Decided, own: list[Entry]) -> None:
    """An approval names the hashes of what was captured in that attempt, and all of them."""
    if each.decision != "approve":
        return
    seen = {str(one.get("sha256")) for one in each.entry.list("seen")}
    where = f"entry {each.entry.seq}, sample {each.sample}"
    captured = {one.sha256 for one in _captured(own, each)}
    if captured and not seen:
        pack.report.add("policy", where, f"{each.called} approved without having been shown anything")
    elif seen - _all_hashes(own):
        pack.report.add("policy", where, f"{each.called} approved files that were not captured in this attempt")
    elif captured - seen:
        pack.report.add("policy", where, f"{each.called} approved without {len(captured - seen)} of the pictures")


def _captured(own: list[Entry], each: Decided) -> list[Named]:
    """The pictures of the attempt that was approved, as they were captured before that."""
    return [
        picture
        for entry in own
        if entry.kind == "capture.kept" and entry.seq < each.entry.seq and entry.text("attempt") == each.attempt
        for picture in named_by(entry)
        if picture.sha256 in _pictures(entry)
    ]


def _pictures(entry: Entry) -> set[str]:
    kinds = ("screenshot", "stitched", "viewport")
    return {str(one.get("sha256")) for one in entry.list("artifacts") if one.get("kind") in kinds}


def _all_hashes(own: list[Entry]) -> set[str]:
    kept = [entry for entry in own if entry.kind in ("capture.kept", "derived.kept") and entry.facts is not None]
    return {named.sha256 for entry in kept for named in named_by(entry)}


def _check_levels(pack: Pack, standing: Standing) -> None:
    """The second signature is another person's than the first."""
    first = {each.reviewer for each in standing.decided if each.level == 1 and each.decision == "approve"}
    for each in standing.decided:
        if each.level == 2 and each.decision == "approve" and each.reviewer in first:
            text = f"{each.called} gave both signatures"
            pack.report.add("policy", f"entry {each.entry.seq}, sample {standing.sample}", text)
