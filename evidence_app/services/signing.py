"""Signed tree heads: made by upkeep while the ledger grows, and refused where it does not continue the last one.

The last head is remembered in a file beside the key. Whoever rewrites the database has to rewrite that file too, and
every copy that lies outside.
"""

from __future__ import annotations

import logging
import re
import socket
from collections.abc import Sequence
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction

from evidence_app.ledger import keeping, merkle, note
from evidence_app.ledger.errors import BadSignature, LedgerError, Rewritten
from evidence_app.ledger.keeping import Folder, NoKey
from evidence_app.ledger.merkle import Tree
from evidence_app.ledger.note import Head, Signer, Verifier
from evidence_app.models import Entry, LedgerKey, TreeHead
from evidence_app.services import alarms, ledger
from recipes_app.services.errors import WrongState

logger = logging.getLogger(__name__)

OTHER = re.compile(r"[^A-Za-z0-9._-]+")
MOST_FORGED = 50  # rows of heads that are passed over, if they are signed by nobody known
AT_ONCE = 20_000  # entries between two heads; the next turn goes on from there


def sign_due() -> int:
    """A chore of upkeep: 1 if a head was signed. What is wrong stands as an alarm until it is well again."""
    try:
        head = sign()
    except (LedgerError, OSError) as error:
        alarms.sound(alarms.SIGNING, f"{error}. Nothing is signed until this is settled.")
        return 0
    alarms.calm(alarms.SIGNING)
    return int(head is not None)


def sign() -> TreeHead | None:
    """The new head; None where the ledger has not grown. Rewritten, BadSignature or NoKey where none may be signed."""
    if not ledger.size() and not folder().head():
        return None
    with folder().locked():
        by = signers()
        return _sign(by, by)


def signers() -> list[Signer]:
    """Of the key that counts, then of the one before it, while the setting still names both. NoKey if it is gone."""
    given = settings.LEDGER_SIGNING_KEY
    if given:
        return [Signer(origin(), keeping.read_key(each)) for each in given]
    if not folder().has_key() and (folder().head() or TreeHead.objects.exists()):
        raise NoKey(f"the signing key of the ledger is not in {folder().root} any more")
    return [Signer(origin(), folder().key())]


def verifier() -> Verifier | None:
    """Of the key that counts; None on a machine that has none."""
    return next(iter(verifiers()), None)


def verifiers() -> list[Verifier]:
    """Of the keys that are on this machine. Never makes one."""
    has_key = bool(settings.LEDGER_SIGNING_KEY) or folder().has_key()
    return [each.verifier for each in signers()] if has_key else []


def origin() -> str:
    """The name of this ledger, under which its key signs. NoKey for one that cannot be written into a head."""
    name = settings.LEDGER_ORIGIN or folder().origin(_usual_origin())
    if not note.NAME.fullmatch(name):
        raise NoKey(f"{name!r} is no name that a key could sign under: no spaces, no plus, 200 characters at most")
    return name


def folder() -> Folder:
    return Folder(settings.LEDGER_DIR)


def remembered() -> Head | None:
    """The last head that was signed on this machine. BadSignature where its file is not of its key."""
    return _remembered(signers())


def start_over() -> None:
    """After a backup was put back, and two people said so: the head that is remembered counts no more."""
    with folder().locked():
        text = folder().head()
        folder().set_aside(note.read(text)[0].size if text else 0)


def rotate(*, lost: bool = False) -> Verifier:
    """A new key, said in the ledger, and a head over that whose text names it, signed by the old and the new.

    `lost`: the old key is not there any more, so the new one signs alone.
    """
    with folder().locked():
        new, old = _pair(lost=lost)
        with transaction.atomic():
            ledger.append("key.rotated", _rotation(old, new))
        lines = tuple(note.hands_over(new.verifier, each.verifier) for each in old)
        while _sign([new, *old], old, lines):
            pass
        if not settings.LEDGER_SIGNING_KEY:
            folder().change_key()
    return new.verifier


def _pair(*, lost: bool) -> tuple[Signer, list[Signer]]:
    """The key that will sign, and that of the last head; none where it is lost."""
    if not settings.LEDGER_SIGNING_KEY:
        old = [] if lost else signers()
        return Signer(origin(), folder().prepare_key()), old
    new, *before = signers()
    if not before and not lost:
        raise WrongState("Write the new key before the old one into LEDGER_SIGNING_KEY, with a comma between.")
    return new, [] if lost else before[:1]


def _rotation(old: list[Signer], new: Signer) -> dict[str, object]:
    return {
        "team": None,
        "old": old[0].verifier.fingerprint if old else None,
        "new": new.verifier.fingerprint,
        "key": new.verifier.text,
        "lost": not old,
    }


def _sign(by: Sequence[Signer], known: Sequence[Signer], lines: tuple[str, ...] = ()) -> TreeHead | None:
    """`known` have signed the last head; empty if their keys are lost. The file is first: a head that anybody can have
    seen is one that is remembered."""
    before = _last(known)
    size = ledger.size()
    if before is not None and size == before.size:
        _continue(before, size)
        _keep(folder().head(), before, by)
        return None
    start = before or Head(origin(), 0, merkle.EMPTY_ROOT)
    upto = min(size, start.size + AT_ONCE)
    root = _continue(start, upto)
    if upto == 0:
        return None
    head = Head(origin(), upto, root, lines)
    text = note.sign(head, by)
    folder().remember(text)
    return _keep(text, head, by)


def _last(known: Sequence[Signer]) -> Head | None:
    """The larger of the one remembered here and the newest in the database that these keys signed: to lay an older file
    back helps nobody."""
    mine = _remembered(known)
    rows = TreeHead.objects.order_by("-size", "-pk")
    newer = rows[:MOST_FORGED] if mine is None else rows.filter(size__gt=mine.size)[:MOST_FORGED]
    refusal: BadSignature | None = None
    for row in newer:
        try:
            kept = _verified(row.note, known)
        except BadSignature as error:  # anybody who can write rows can add one like it; verify-ledger names it
            refusal = error
            continue
        folder().remember(row.note)
        logger.warning("the ledger: the last head was not in %s; it is taken from the database", folder().root)
        return kept
    if mine is None and refusal is not None:
        raise refusal
    return mine


def _remembered(known: Sequence[Signer]) -> Head | None:
    text = folder().head()
    return _verified(text, known) if text else None


def _verified(text: str, known: Sequence[Signer]) -> Head:
    if not known:
        return note.read(text)[0]
    try:
        return note.verify(text, [each.verifier for each in known])[0]
    except BadSignature as error:
        raise BadSignature("the last head that was signed here is not of the key that is here now") from error


def _continue(start: Head, upto: int) -> bytes:
    """The root over the first `upto` entries, from their own text; Rewritten where they do not continue `start`."""
    if upto < start.size:
        raise Rewritten(f"the ledger has {upto} entries, and a head over {start.size} was signed already")
    tree = Tree(start.size, ledger.fetched(merkle.peaks(start.size)))
    try:
        if tree.root != start.root:
            raise Rewritten(f"the first {start.size} entries are not those that were signed")
        rows = Entry.objects.filter(seq__gte=start.size, seq__lt=upto).order_by("seq").values_list("seq", "body")
        for seq, body in rows.iterator(chunk_size=2000):
            if seq != tree.size:
                raise Rewritten(f"entry {tree.size} is missing")
            tree.append(merkle.leaf_hash(body.encode()))
        if (tree.size, tree.root) != (upto, ledger.root_at(upto)):
            raise Rewritten(f"the entries from {start.size} on are not those whose hashes are kept")
    except KeyError as error:
        raise Rewritten(f"the hash at level and number {error} is missing") from error
    return tree.root


@transaction.atomic
def _keep(text: str, head: Head, by: Sequence[Signer]) -> TreeHead:
    """Its row; the keys' first. A head that was remembered only, as the machine went down, gets its row now."""
    for each in by:
        _keep_key(each.verifier)
    folder().publish_keys([each.verifier.text for each in by])
    row = TreeHead.objects.filter(size=head.size, note=text).first()
    if row is not None:
        return row
    signed = note.verify(text, [each.verifier for each in by])[1]
    return TreeHead.objects.create(size=head.size, root=head.root.hex(), note=text, fingerprint=signed.fingerprint)


def _keep_key(key: Verifier) -> None:
    if not LedgerKey.objects.filter(fingerprint=key.fingerprint).exists():
        LedgerKey.objects.create(fingerprint=key.fingerprint, verifier=key.text)


def _usual_origin() -> str:
    """The name people know the installation by, or of this machine."""
    host = urlsplit(settings.PUBLIC_URL).hostname or ""
    name = host if host not in ("", "localhost", "127.0.0.1", "::1") else socket.gethostname()
    return f"{OTHER.sub('-', name)}/agentify"
