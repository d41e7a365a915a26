"""Whom a file was sent to, and whether it is still what was captured: hashed again whenever it is looked at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from django.db import transaction
from django.utils import timezone

from evidence_app.models import Artifact, Attempt, Exhibit, Shown
from evidence_app.models.evidence import ArtifactKind
from evidence_app.models.review import ShownAs
from evidence_app.services import artifacts, four_eyes, ledger, review_news
from evidence_app.store.blobs import Missing, hash_of
from recipes_app.models import Notice, User
from recipes_app.services import audit
from recipes_app.services.errors import NotAllowed, WrongState

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
def alarm(row: Artifact, where: str, by: User | None, *, is_stored: bool = True) -> None:
    """Said once for a file until somebody reads it: to the owners, in the log, in the ledger; and on the exhibit, where
    it is the stored bytes that are wrong."""
    run = row.attempt.sample.run
    if is_stored:
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
    if not Shown.objects.filter(user=user, artifact=row, how=ShownAs.SENT).exists():
        raise WrongState(f"{row.name} was never sent to you.")
    if sha256 and sha256 != row.sha256:
        _refuse_other_bytes(row, user, sha256)
    for how in (ShownAs.SEEN, ShownAs.HASH) if sha256 else (ShownAs.SEEN,):
        if not Shown.objects.filter(user=user, artifact=row, how=how, sha256=row.sha256).exists():
            Shown.objects.create(user=user, artifact=row, how=how, sha256=row.sha256)


def _refuse_other_bytes(row: Artifact, user: User, sha256: str) -> NoReturn:
    """A browser's word against the store is taken of who may sign, and the store is asked first."""
    if four_eyes.why_not(row.attempt.sample.run, user):
        raise NotAllowed(f"{row.name}: your browser has other bytes than were captured. Tell somebody who may sign it.")
    refuse_changed([row], user)
    where = f"the browser of {user} says it was sent bytes that hash to {sha256[:12]}…; the stored ones are as captured"
    alarm(row, where, user, is_stored=False)
    raise Mismatch(f"{row.name}: {where}. Do not sign it from this page; the owners are told.")


def seen_by(user: User, files: Sequence[Artifact]) -> set[int]:
    """Which of them stood before this person at full size, as they are now."""
    return _shown_as(ShownAs.SEEN, user, files)


def are_hashed_by(user: User, files: Sequence[Artifact]) -> bool:
    """Whether this person's browser hashed each of the pictures, and it was what is stored; not where there is none."""
    pictures = pictures_of(files)
    return bool(pictures) and {row.pk for row in pictures} == _shown_as(ShownAs.HASH, user, pictures)


def refuse_unsent(files: Sequence[Artifact], user: User) -> None:
    """WrongState where a picture never left for this person."""
    pictures = pictures_of(files)
    sent = set(Shown.objects.filter(user=user, artifact__in=pictures).values_list("artifact", flat=True))
    if unsent := [row.label for row in pictures if row.pk not in sent]:
        raise WrongState(f"You have not been shown every picture yet: {', '.join(unsent[:5])}.")


def _shown_as(how: ShownAs, user: User, files: Sequence[Artifact]) -> set[int]:
    rows = Shown.objects.filter(user=user, artifact__in=files, how=how)
    hashes = {row.pk: row.sha256 for row in files}
    return {artifact for artifact, sha256 in rows.values_list("artifact", "sha256") if hashes[artifact] == sha256}
