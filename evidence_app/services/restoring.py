"""A backup was put back: the ledger ends before a head that was signed already, and the signer refuses to go on.

Two people say so, at the machine that remembers the lost head; the ledger tells it as its next entry. An older head
that somebody kept elsewhere will still say that entries are missing: nothing here can make that unsaid.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from evidence_app.ledger.note import Head
from evidence_app.models import Restoration
from evidence_app.models.retention import Asked
from evidence_app.services import four_eyes, ledger, signing
from recipes_app.models import Membership, Role, Team, User
from recipes_app.models.team import OWNERS
from recipes_app.services import audit, notices
from recipes_app.services.errors import BadInput, NotAllowed, WrongState

DECLARED = "restore.declared"
MIN_WORDS = 20


@dataclass(frozen=True, slots=True)
class Gap:
    """The head that was signed last, with its note, and where the ledger stands instead."""

    lost: Head
    note: str
    size: int
    root: str


def gap() -> Gap | None:
    """None where the ledger continues what was signed, or nothing was."""
    lost = signing.remembered()
    if lost is None or _continues(lost):
        return None
    size, root = ledger.current()
    return Gap(lost, signing.folder().head(), size, root.hex())


def waiting(found: Gap) -> Restoration | None:
    rows = Restoration.objects.filter(status=Asked.WAITING, lost_root=found.lost.root.hex())
    return rows.select_related("asked_by").first()


@transaction.atomic
def declare(*, by: User, words: str) -> Restoration:
    """By the first person. WrongState where nothing is missing."""
    _require_owner(by)
    found = _gap()
    if len(words.strip()) < MIN_WORDS:
        raise BadInput({"words": f"Say what happened, in at least {MIN_WORDS} characters: it stands in the ledger."})
    if waiting(found):
        raise WrongState("That is declared already; a second person confirms it.")
    row = Restoration.objects.create(
        lost_size=found.lost.size,
        lost_root=found.lost.root.hex(),
        lost_note=found.note,
        size=found.size,
        root=found.root,
        words=words.strip(),
        asked_by=by,
    )
    audit.record(None, by, "restore.asked", row, words=row.words, lost=row.lost_size, size=row.size)
    _tell_everybody(f"{by} declares a backup put back: {row.size} entries of the ledger are left of {row.lost_size}.")
    return row


def confirm(*, row: Restoration, by: User) -> None:
    """By the second person; the signer goes on from here. Cut off half-way, `finish` does the rest."""
    _confirm(row, by)
    finish()


def finish() -> bool:
    """Lays the lost head aside, once its loss was declared; False where there is nothing to do."""
    found = gap()
    if found is None or not _is_declared(found):
        return False
    signing.start_over()
    return True


@transaction.atomic
def _confirm(row: Restoration, by: User) -> None:
    _require_owner(by)
    if row.asked_by_id == by.pk:
        raise NotAllowed("You declared it: somebody else confirms.")
    found = _gap()
    if found.lost.root.hex() != row.lost_root:
        raise WrongState("Another head was signed since: declare it anew.")
    decided = {"status": Asked.APPROVED, "decided_by": by, "decided_at": timezone.now()}
    if Restoration.objects.filter(pk=row.pk, status=Asked.WAITING).update(**decided) != 1:
        raise WrongState("Somebody has confirmed that already.")
    audit.record(None, by, DECLARED, row, words=row.words, lost=row.lost_size, size=row.size)
    _tell_everybody(f"{by} confirmed it: the ledger goes on from {row.size} entries, {row.lost_size} were signed.")
    facts = {
        "team": None,
        "restoration": row.pk,
        "declared_by": four_eyes.person(row.asked_by),
        "confirmed_by": four_eyes.person(by),
        "words": row.words,
        "lost": {"size": row.lost_size, "root": row.lost_root, "note": row.lost_note},
        "stands": {"size": row.size, "root": row.root},
    }
    ledger.append(DECLARED, facts)


def _gap() -> Gap:
    found = gap()
    if found is None:
        raise WrongState("The ledger continues its last signed head: nothing has to be declared.")
    return found


def _continues(lost: Head) -> bool:
    try:
        return ledger.size() >= lost.size and ledger.root_at(lost.size) == lost.root
    except KeyError:  # hashes are missing
        return False


def _is_declared(found: Gap) -> bool:
    return Restoration.objects.filter(status=Asked.APPROVED, lost_root=found.lost.root.hex()).exists()


def _require_owner(by: User) -> None:
    if not by.is_superuser and not Membership.objects.filter(user=by, role=Role.OWNER).exists():
        raise NotAllowed("A superuser or an owner of a team declares that.")


def _tell_everybody(text: str) -> None:
    news = notices.News(event="ledger.restored", text=text, path=reverse("heads"), mark="", by_mail=True)
    for team in Team.objects.all():
        notices.tell(team=team, people=notices.people_of(team, OWNERS), news=news)
