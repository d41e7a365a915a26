"""What the entries of a pack tell, in the order of a report: the ledger's own facts, and nothing from anywhere else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evidence_app.bundle.content import Content, Stored, Withheld, one_line
from evidence_app.bundle.offline.policy import Decided, Standing, by_sample, is_signed, person, standings
from evidence_app.bundle.offline.reading import Entry, entry_of

PICTURES = ("screenshot", "stitched", "viewport", "redacted")
DECISIONS = {"approve": "approved", "reject": "rejected", "recapture": "asked for a new capture"}
ANSWERS = {"meets": "Meets the control", "exception": "Exception", "not_applicable": "Not applicable"}
NO_CONCLUSION = "none given"
STATUSES = {"partial_success": "partly done", "needs_review": "needs review"}
GROUNDED = {"text": "in the page's text", "control": "in a control", "not_found": "not found on the page"}


@dataclass(frozen=True, slots=True)
class Shown:
    """A file of a sample. `path` is blank where it is withheld; `is_picture` where it is to be looked at."""

    name: str
    sha256: str
    path: str
    attempt: str
    size: int
    is_picture: bool
    said: str = ""
    kept: str = ""  # when the ledger was told of it, and the page it shows
    statement: str = ""  # the SHA-256 of what is known of how it came; blank where that does not lie in the pack


@dataclass(frozen=True, slots=True)
class Value:
    path: str
    value: str
    seen: str
    is_doubted: bool = False
    picture: str = ""  # the SHA-256 of the picture it stands on, and where there, in its pixels: x, y, width, height
    box: tuple[float, float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class SampleStory:
    sample: str
    status: str
    attempts: int
    is_signed: bool
    values: tuple[Value, ...]
    judgment: str
    decisions: tuple[str, ...]
    conclusion: str
    files: tuple[Shown, ...]

    @property
    def is_concluded(self) -> bool:
        return self.conclusion != NO_CONCLUSION

    @property
    def pictures(self) -> tuple[Shown, ...]:
        """Each once: a page that fits its window is the same picture under two names."""
        found = {each.sha256: each for each in reversed(self.files) if each.is_picture and each.path}
        return tuple(reversed(found.values()))


@dataclass(frozen=True, slots=True)
class Story:
    """`lines`: what stands above the samples, as names and what they are."""

    title: str
    lines: tuple[tuple[str, str], ...]
    samples: tuple[SampleStory, ...]


def told(content: Content) -> Story:
    entries = [entry_of(_plain(each)) for each in content.lines]
    found = standings(entries)
    stored = {each.sha256: each for each in content.stored}
    withheld = {each.sha256: each for each in content.withheld}
    own = by_sample(entries)
    samples = tuple(_sample(each, own[each.sample], stored, withheld, content.levels) for each in found)
    return Story(content.run.get("title", ""), tuple(_about(content, entries, samples)), samples)


def _plain(line: Any) -> dict[str, Any]:
    return {"seq": line.seq, "body": line.body, "salt": line.salt, "facts": line.facts}


def _about(content: Content, entries: list[Entry], samples: tuple[SampleStory, ...]) -> list[tuple[str, str]]:
    run = content.run
    signed = sum(each.is_signed for each in samples)
    concluded = sum(each.is_concluded for each in samples)
    doubted = [f"{each.sample} ({n})" for each in samples if (n := sum(value.is_doubted for value in each.values))]
    asked = next((entry for entry in entries if entry.kind == "run.requested"), None)
    final = next((entry for entry in reversed(entries) if entry.kind in ("run.requested", "run.confirmed")), None)
    lines = [
        ("What was asked for", final.text("goal") if final else ""),
        ("To be judged", final.text("question") if final else ""),
        ("Control", run.get("control", "")),
        ("Period", run.get("period", "")),
        ("Run", run.get("id", "")),
        ("Task", f"{run.get('task_id', '')}, version {run.get('spec_digest', '')}".strip(", ")),
        ("Population", _population(asked)),
        ("Requested by", person(asked.object("by"))[1] if asked else ""),
        ("Requested at", _time(asked.at) if asked else ""),
        ("Completeness", content.completeness),
        ("Signed", f"{signed} of {len(samples)} samples in this pack"),
        ("Concluded", f"{concluded} of {len(samples)} samples in this pack"),
        ("Values to look at", ", ".join(doubted)),
        ("Pack made by", f"{content.made_by}, {_time(content.made_at)}"),
        ("Made with", content.application),
        ("Ledger", content.origin),
        ("Key's fingerprint", content.fingerprint),
    ]
    return [(name, text) for name, text in lines if text]


def _population(asked: Entry | None) -> str:
    facts = asked.object("population") if asked else {}
    if not facts:
        return ""
    return f"{facts.get('source', '')}, {facts.get('rows', '?')} rows, SHA-256 {facts.get('sha256', 'unknown')}"


def _sample(
    standing: Standing,
    own: list[Entry],
    stored: Mapping[str, Stored],
    withheld: Mapping[str, Withheld],
    levels: int,
) -> SampleStory:
    ended = [entry for entry in own if entry.kind == "sample.finished"][-1]
    conclusion = standing.conclusion
    return SampleStory(
        sample=standing.sample,
        status=STATUSES.get(standing.status, standing.status),
        attempts=standing.attempts,
        is_signed=is_signed(standing, levels),
        values=tuple(_value(each) for each in ended.list("fields")),
        judgment=_judgment(ended.object("judgment")),
        decisions=(*(_decision(each) for each in standing.decided), *_undone(own)),
        conclusion=_conclusion(conclusion, standing) if conclusion else NO_CONCLUSION,
        files=tuple(_files(own, stored, withheld)),
    )


def _value(facts: Mapping[str, Any]) -> Value:
    grounding = str(facts.get("grounding", ""))
    problem = str(facts.get("problem") or "")
    seen = "; ".join(filter(None, (GROUNDED.get(grounding, "not looked for"), problem)))
    doubted = bool(problem) or grounding == "not_found"
    picture, box = str(facts.get("artifact") or ""), _box(facts.get("box"))
    return Value(str(facts.get("path", "")), in_words(facts.get("value")), seen, doubted, picture, box)


def _box(said: Any) -> tuple[float, float, float, float] | None:
    if not isinstance(said, list) or len(said) != 4 or not all(isinstance(each, int | float) for each in said):
        return None
    x, y, width, height = said
    return (x, y, width, height)


def in_words(value: Any) -> str:
    """A value as a person reads it."""
    if isinstance(value, str):
        return value
    return "—" if value is None else json.dumps(value, ensure_ascii=False)


def _judgment(facts: Mapping[str, Any]) -> str:
    if not facts:
        return ""
    return f"{facts.get('answer', '')}: {facts.get('reasoning', '')}".strip(": ")


def _decision(each: Decided) -> str:
    entry = each.entry
    level = " (second signature)" if each.level == 2 else ""
    reason = entry.text("reason_code").replace("_", " ").capitalize()
    why = ". ".join(filter(None, [reason, entry.text("words")]))
    on = f" attempt {each.attempt}"
    return f"{each.called} {DECISIONS.get(each.decision, each.decision)}{on}{level}, {_time(entry.at)}" + (
        f": {why}" if why else ""
    )


def _of_page(entry: Entry) -> str:
    url = entry.text("url")
    return f"of {one_line(url)}" if url else ""


def _undone(own: list[Entry]) -> list[str]:
    """Decisions that were taken back: each still stands in the ledger, and so here."""
    undone = [entry for entry in own if entry.kind == "review.undone" and entry.facts is not None]
    return [_taken_back(entry) for entry in undone]


def _taken_back(entry: Entry) -> str:
    what, words = DECISIONS.get(entry.text("decision"), "decided"), entry.text("words")
    who, attempt = person(entry.object("by"))[1], entry.text("attempt")
    said = f"{who} took back what was {what} on attempt {attempt}, {_time(entry.at)}"
    return f"{said}: {words}" if words else said


def _conclusion(entry: Entry, standing: Standing) -> str:
    words = f": {entry.text('words')}" if entry.text("words") else ""
    answer = ANSWERS.get(entry.text("answer"), entry.text("answer"))
    on = f"on attempt {entry.text('attempt')}"
    stale = f"; stale: the newest is attempt {standing.attempt}" if standing.is_conclusion_stale else ""
    return f"{answer}{words} ({person(entry.object('reviewer'))[1]} {on}, {_time(entry.at)}{stale})"


def _files(own: list[Entry], stored: Mapping[str, Stored], withheld: Mapping[str, Withheld]) -> list[Shown]:
    made = []
    for entry in own:
        artifacts = entry.list("artifacts") if entry.kind == "capture.kept" else []
        if entry.kind == "derived.kept":
            artifacts = [entry.object("artifact")]
        made += [_shown(each, entry, stored, withheld) for each in artifacts]
    return made


def _shown(
    facts: Mapping[str, Any], entry: Entry, stored: Mapping[str, Stored], withheld: Mapping[str, Withheld]
) -> Shown:
    sha256 = str(facts.get("sha256", ""))
    path = stored[sha256].path if sha256 in stored else ""
    said = "withheld" if sha256 in withheld else ""
    size = facts.get("size")
    is_picture = facts.get("kind") in PICTURES
    return Shown(
        str(facts.get("name", "")), sha256, path, entry.text("attempt"), size if isinstance(size, int) else 0,
        is_picture, said, " ".join(filter(None, (f"kept {_time(entry.at)}", _of_page(entry)))),
        statement if (statement := entry.text("statement")) in stored else "",
    )  # fmt: skip


def _time(text: str) -> str:
    """2026-12-01T04:00:00.000000Z as people read it."""
    return f"{text[:10]} {text[11:19]} UTC" if len(text) >= 19 and text[10] == "T" else text
