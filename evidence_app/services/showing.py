"""Whom a file was sent to, and whether it is still what was captured: hashed again whenever it is looked at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from evidence_app.models import Artifact, Attempt, Exhibit, Shown
from evidence_app.models.evidence import ArtifactKind
from evidence_app.models.review import ShownAs
from evidence_app.services import artifacts, ledger, review_news
from evidence_app.store.blobs import Missing, hash_of
from recipes_app.models import Notice, User
from recipes_app.services import audit
from recipes_app.services.errors import WrongState

# Made of what was captured, or for a person's convenience: nothing is decided on them.
MADE = (ArtifactKind.THUMBNAIL, ArtifactKind.STAMPED, ArtifactKind.REDACTED, ArtifactKind.DIFFERENCE)
AT_A_LOOK = 256 * 1024 * 1024  # bytes that are hashed again before a page is shown; more only when it is decided on


class Mismatch(WrongState):
    """A stored file is not what was captured: nothing is decided on it."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A file of an attempt; `problem` says what is wrong with its bytes now, `is_hashed` whether they were read."""

    row: Artifact
    problem: str = ""
    is_hashed: bool = True


def files_of(attempt: Attempt) -> list[Artifact]:
    """What is decided on: everything that was captured."""
    return list(attempt.artifacts.exclude(kind__in=MADE).filter(removed_at=None).order_by("seq", "pk"))


def pictures_of(files: Iterable[Artifact]) -> list[Artifact]:
    """What has to be looked at: the whole pages, not the tiles one of them was made of."""
    return [row for row in files if row.kind in artifacts.PICTURES]


def checked(files: Sequence[Artifact], *, at_a_look: int | None = None) -> list[Checked]:
    """Each file with what its stored bytes hash to now, beginning with the pictures; `at_a_look` bytes at most."""
    left = at_a_look
    found: dict[int, Checked] = {}
    for row in sorted(files, key=lambda each: each.kind not in artifacts.PICTURES):
        if left is not None and row.size > left:
            found[row.pk] = Checked(row, is_hashed=False)
            continue
        left = None if left is None else left - row.size
        found[row.pk] = Checked(row, _problem(row))
    return [found[row.pk] for row in files]


def _problem(row: Artifact) -> str:
    try:
        found = hash_of(artifacts.blobs(), row.sha256)
    except Missing:
        return "its bytes are not there any more"
    return "" if found == row.sha256 else f"its bytes hash to {found[:12]}… now, not to {row.sha256[:12]}…"


def refuse_changed(files: Sequence[Artifact], by: User) -> None:
    """Mismatch, after the alarm, where one is not what it was. Outside of the transaction that would accept it."""
    for each in checked(files):
        if each.problem:
            alarm(each.row, each.problem, by)
            raise Mismatch(f"{each.row.name}: {each.problem}. Nothing was decided, and the owners are told.")


@transaction.atomic
def alarm(row: Artifact, where: str, by: User | None) -> None:
    """Said once for a file until somebody reads it: to the owners, in the log, on the exhibit, in the ledger."""
    run = row.attempt.sample.run
    Exhibit.objects.filter(sample=row.attempt.sample_id).update(mismatch_at=timezone.now())
    if Notice.objects.filter(team=run.team, mark=review_news.mismatch_mark(row), read_at=None).exists():
        return
    audit.record(run.team, by, "evidence.mismatch", f"artifact {row.pk} {row.name}", sha256=row.sha256, found=where)
    review_news.mismatched(row, where)
    facts = {"artifact": {"id": row.pk, "name": row.name, "sha256": row.sha256}, "found": where}
    ledger.append("evidence.mismatch", {"team": run.team_id, "run": run.public_id, **facts}, run=run)


def note(*, row: Artifact, user: User, how: ShownAs) -> None:
    """Thumbnails and the like are not worth a line."""
    if row.kind not in MADE:
        Shown.objects.create(user=user, artifact=row, how=how, sha256=row.sha256)


def was_sent(row: Artifact, user: User) -> bool:
    return row.kind in MADE or Shown.objects.filter(user=user, artifact=row).exists()


def note_seen(*, row: Artifact, user: User, sha256: str) -> None:
    """The page says that the whole picture stood before them. `sha256`: what their browser hashed, or empty."""
    if sha256 and sha256 != row.sha256:
        where = f"the browser of {user} was sent bytes that hash to {sha256[:12]}…"
        alarm(row, where, user)
        raise Mismatch(f"{row.name}: {where}. Nothing can be signed, and the owners are told.")
    if not Shown.objects.filter(user=user, artifact=row, how=ShownAs.SENT).exists():
        raise WrongState(f"{row.name} was never sent to you.")
    if not Shown.objects.filter(user=user, artifact=row, how=ShownAs.SEEN, sha256=row.sha256).exists():
        Shown.objects.create(user=user, artifact=row, how=ShownAs.SEEN, sha256=row.sha256)


def seen_by(user: User, files: Sequence[Artifact]) -> set[int]:
    """Which of them stood before this person at full size, as they are now."""
    rows = Shown.objects.filter(user=user, artifact__in=files, how=ShownAs.SEEN)
    hashes = {row.pk: row.sha256 for row in files}
    return {artifact for artifact, sha256 in rows.values_list("artifact", "sha256") if hashes[artifact] == sha256}
