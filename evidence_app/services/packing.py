"""What goes into the pack of a run: its part of the ledger, each file this names, and what is known of both."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import UTC, datetime

from django.conf import settings
from django.utils import timezone

from evidence_app.bundle.content import Content, Line, PackError, Stored, Withheld
from evidence_app.bundle.offline.contents import Named, named_by
from evidence_app.bundle.offline.policy import is_signed, standings
from evidence_app.bundle.offline.reading import Entry as Read
from evidence_app.bundle.offline.reading import entry_of
from evidence_app.ledger.canonical import canonical
from evidence_app.ledger.note import Verifier
from evidence_app.models import ActionEntry, Artifact, Attempt, Entry, Pack, Run
from evidence_app.models.evidence import ArtifactKind
from evidence_app.models.pack import Scope
from evidence_app.services import completeness
from evidence_app.services.entries import LOGGED
from recipes_app.version import VERSION

LOG = "the action log"
STAYS = (ArtifactKind.REDACTED, ArtifactKind.STATEMENT)


def levels() -> int:
    """How many signatures a sample needs."""
    return 2 if settings.REVIEW_TWO_SIGNATURES else 1


def content_of(pack: Pack, key: Verifier) -> Content:
    """PackError where there is nothing that could be proven, or a file is not there any more."""
    run = pack.run
    if Artifact.objects.filter(attempt__sample__run=run, removed_at__isnull=False).exists():
        raise PackError("Evidence of this run was deleted, as its task says: no pack is made of the rest.")
    lines, read = _lines(run)
    if pack.scope == Scope.SIGNED:
        lines, read = _signed_only(lines, read)
    named = list({each.sha256: each for entry in read for each in named_by(entry)}.values())
    rows = {row.sha256: row for row in Artifact.objects.filter(attempt__sample__run=run).order_by("-pk")}
    logs = _logs(run, {each.sha256 for each in named if each.sha256 not in rows})
    withheld = list(_withheld(run, named)) if pack.withholds else []
    behind = {each.sha256 for each in withheld}
    return Content(
        run=_about(run),
        lines=tuple(lines),
        stored=tuple(_stored(each, rows, logs) for each in named if each.sha256 not in behind),
        withheld=tuple(withheld),
        scope=pack.scope,
        levels=levels(),
        completeness=completeness.of_run(run).in_words,
        made_by=pack.requested_by.get_full_name() or pack.requested_by.get_username(),
        made_at=_time(timezone.now()),
        origin=key.name,
        fingerprint=key.fingerprint,
        application=f"Agentify {VERSION}",
    )


def _lines(run: Run) -> tuple[list[Line], list[Read]]:
    rows = Entry.objects.filter(run=run).select_related("opening").order_by("seq").iterator(chunk_size=500)
    lines = [Line(row.seq, row.body, row.opening.salt, row.opening.facts) for row in rows]
    if not any(line.facts for line in lines):
        raise PackError("Nothing of this run stands in the ledger: it was collected before there was one.")
    read = [
        entry_of({"seq": each.seq, "body": each.body, "salt": each.salt, "facts": each.facts}) for each in lines
    ]  # fmt: skip
    for entry in read:
        if entry.fault:
            raise PackError(f"Entry {entry.seq} of the ledger is not as it was entered: {entry.fault}.")
    return lines, read


def _signed_only(lines: list[Line], read: list[Read]) -> tuple[list[Line], list[Read]]:
    """What belongs to the run as a whole, and to the samples that are signed."""
    signed = {each.sample for each in standings(read) if is_signed(each, levels())}
    if not signed:
        raise PackError("No sample of this run is signed yet.")
    kept = [(line, entry) for line, entry in zip(lines, read, strict=True) if entry.text("sample") in {"", *signed}]
    return [line for line, _ in kept], [entry for _, entry in kept]


def _stored(named: Named, rows: Mapping[str, Artifact], logs: Mapping[str, bytes]) -> Stored:
    sha256, sample = named.sha256, named.sample
    if sha256 in rows:
        row = rows[sha256]
        return Stored(sha256, row.size, row.media_type, named.name, sample)
    if sha256 not in logs:
        raise PackError(f"{named.name} of sample {sample} is not what was entered in the ledger any more.")
    return Stored(sha256, len(logs[sha256]), "text/plain", LOG, sample, logs[sha256])


def _logs(run: Run, wanted: Collection[str]) -> dict[str, bytes]:
    """Action logs by their SHA-256, written as they were hashed."""
    found = {}
    attempts = Attempt.objects.filter(sample__run=run, finished_at__isnull=False) if wanted else ()
    for attempt in attempts:
        data = log_of(attempt)
        found[hashlib.sha256(data).hexdigest()] = data
    return {sha256: data for sha256, data in found.items() if sha256 in wanted}


def log_of(attempt: Attempt) -> bytes:
    """One line of canonical JSON for each action."""
    rows = ActionEntry.objects.filter(attempt=attempt).order_by("seq").values(*LOGGED)
    return b"".join(canonical(row) + b"\n" for row in rows.iterator(chunk_size=500))


def _withheld(run: Run, named: Iterable[Named]) -> Iterator[Withheld]:
    """Of each picture with a redacted copy: the original, all else that the same capture brought, what was made of
    any of these, and the action logs of that attempt."""
    copies = Artifact.objects.filter(attempt__sample__run=run, kind=ArtifactKind.REDACTED).order_by("pk")
    newest = {row.derived_from_id: row.sha256 for row in copies}
    captures = {(row.attempt_id, row.seq) for row in copies}
    rows = Artifact.objects.filter(attempt__in={attempt for attempt, _ in captures}).exclude(kind__in=STAYS)
    behind = {row.sha256: newest.get(row.pk, "") for row in rows if (row.attempt_id, row.seq) in captures}
    logs = {
        hashlib.sha256(log_of(attempt)).hexdigest()
        for attempt in Attempt.objects.filter(pk__in={attempt for attempt, _ in captures})
    }
    made = _made_of(run, behind)
    for each in named:
        if each.sha256 in behind or each.sha256 in logs or each.sha256 in made:
            yield Withheld(each.sha256, each.name, each.sample, behind.get(each.sha256, ""))


def _made_of(run: Run, sources: Collection[str]) -> set[str]:
    """Pictures that show one of these too: differences, from another attempt."""
    made: dict[str, set[str]] = defaultdict(set)
    rows = Artifact.objects.filter(attempt__sample__run=run, kind=ArtifactKind.DIFFERENCE)
    for row in rows:
        made[row.sha256] |= {str(each.get("sha256")) for each in row.transform.get("sources", ())}
    return {sha256 for sha256, of in made.items() if of & set(sources)}


def _about(run: Run) -> dict[str, str]:
    version = run.version
    return {
        "id": run.public_id,
        "title": run.title,
        "team": run.team.name,
        "control": run.control,
        "period": run.period,
        "task_id": version.spec.task_id if version else "",
        "spec_digest": version.digest if version else "",
    }


def _time(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"
