"""A run whose samples were collected and kept as a worker does it, without a browser; and what attackers do to it."""

from __future__ import annotations

import json
from typing import Any

from django.db import connection, transaction

from evidence_app.agent.capturing import Capture, CapturedFile
from evidence_app.agent.events import Acted, Captured, Decided
from evidence_app.agent.outcome import FieldSeen, Outcome
from evidence_app.ledger import merkle
from evidence_app.ledger.canonical import body, canonical
from evidence_app.models import Entry, Run
from evidence_app.services import artifacts, attempts, guards, verifying
from evidence_app.services.verifying import Report
from recipes_app.services import runs as jobs
from tests.evidence_web.conftest import Room

INSERT_NODE = 'INSERT INTO evidence_app_node (level, "index", hash) VALUES (%s, %s, %s)'


def collect(room: Room, *names: str) -> Run:
    """One capture of two files and one value of each sample."""
    run = room.request(*names)
    for sample in run.samples.order_by("number"):
        claim = jobs.claim(sample.attempts.get().job_id, "worker")
        assert claim is not None
        attempt = attempts.begin(claim=claim)
        thought = {"thinking": f"I look at {sample.sample_id}."}
        decided = Decided(1, "screenshot", {"label": "person page"}, mark="", url="", thought=thought)
        attempts.note_decided(claim=claim, attempt=attempt, event=decided)
        files = (
            CapturedFile("text", "text/plain", data=f"{sample.sample_id}, Engineer".encode()),
            CapturedFile("download", "text/csv", data=f"name\n{sample.sample_id}\n".encode(), name="people.csv"),
        )
        event = Captured(1, Capture("person page", "https://people.example/", files))
        artifacts.keep(claim=claim, attempt=attempt, event=event)
        attempts.note_acted(claim=claim, attempt=attempt, event=Acted(1, ok=True, result="Captured.", url="", ms=12))
        found = FieldSeen("name", sample.sample_id, "string", grounding="text", box=(1, 2, 3, 4))
        outcome = Outcome("done", (), {"name": sample.sample_id}, {"answer": "yes", "confidence": 0.9}, (found,))
        attempts.finish(claim=claim, attempt=attempt, outcome=outcome)
    run.refresh_from_db()
    return run


def verified(files: str = "all", **how: Any) -> Report:
    report = Report(files=files)
    for _ in verifying.verify(report, **how):
        pass
    return report


def problems(**how: Any) -> list[str]:
    return [str(each) for each in verified(**how).problems]


def sql(text: str, *values: Any) -> int:
    """As whoever has the database; how many rows it met."""
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(text, values)
        return int(cursor.rowcount)


def drop_guards() -> None:
    """As its superuser can."""
    tables = [f"evidence_app_{name}" for name in guards.KEPT]
    for name in guards.present():
        table = max((each for each in tables if name.startswith(f"guard_{each}_")), key=len)
        sql(f'DROP TRIGGER "{name}"' + (f' ON "{table}"' if connection.vendor == "postgresql" else ""))


def recompute() -> None:
    """All leaves and kept hashes anew, from the entries as they are now."""
    tree = merkle.Tree()
    sql("DELETE FROM evidence_app_node")
    for entry in Entry.objects.order_by("seq"):
        leaf = merkle.leaf_hash(entry.body.encode())
        sql("UPDATE evidence_app_entry SET leaf = %s WHERE seq = %s", leaf.hex(), entry.seq)
        for (level, index), value in tree.append(leaf):
            if level:
                sql(
                    'INSERT INTO evidence_app_node (level, "index", hash) VALUES (%s, %s, %s)',
                    level,
                    index,
                    value.hex(),
                )


def rewrite(seq: int, **facts: Any) -> None:
    """An entry tells something else from now on, with a commitment that is right."""
    entry = Entry.objects.select_related("opening").get(seq=seq)
    told = canonical({**json.loads(entry.opening.facts), **facts})
    text = body(seq=seq, kind=entry.kind, at=entry.at, salt=bytes.fromhex(entry.opening.salt), facts=told)
    sql("UPDATE evidence_app_opening SET facts = %s WHERE entry_id = %s", told.decode(), seq)
    sql("UPDATE evidence_app_entry SET body = %s WHERE seq = %s", text.decode(), seq)


def cut(size: int) -> None:
    """Everything after the first `size` entries is gone, heads included."""
    sql("DELETE FROM evidence_app_opening WHERE entry_id >= %s", size)
    sql("DELETE FROM evidence_app_entry WHERE seq >= %s", size)
    sql("DELETE FROM evidence_app_treehead WHERE size > %s", size)
