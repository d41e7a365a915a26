"""Fills the database of the bench with runs of 500 samples, five files each, by COPY. Goes on from what is there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from time import perf_counter
from typing import Any

from django.core.management.color import no_style
from django.db import connection, transaction

from evidence_app.models import Artifact, Attempt, Exhibit, Field, Run, RunBarred, Sample, TaskSpecVersion
from evidence_app.services import specs
from evidence_app.services.artifacts import blobs
from recipes_app.models import Job, Membership, Role, Site, Team, User

SAMPLES_A_RUN, FILES_A_SAMPLE, TASKS, REAL_FILES = 500, 5, 20, 1000
KINDS = ("screenshot", "thumbnail", "text", "layout", "statement")
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
# Of a hundred exhibits: most are signed.
STATES = ("approved",) * 70 + ("open",) * 20 + ("rejected",) * 4 + ("stale",) * 3 + ("second",) * 3
Row = Mapping[str, Any]


def main(files: int) -> dict[str, Any]:
    started = perf_counter()
    first = Run.objects.count()
    runs = files // (SAMPLES_A_RUN * FILES_A_SAMPLE)
    people, versions = known() if first else begun()
    hashes = stored() if not first else hashes_there()
    make_runs(first, runs, people, versions)
    fill(first, runs, people, hashes)
    return {"runs": runs, "s": round(perf_counter() - started, 1)}


def begun() -> tuple[list[Any], list[Any]]:
    """[operator, reviewers…] and a version of each task."""
    team = Team.objects.create(name="Bench", slug="bench")
    people = []
    for name, role in (("operator", Role.OWNER), *((f"reviewer{number}", Role.REVIEWER) for number in range(5))):
        user = User.objects.create(username=name, email=f"{name}@example.test")
        Membership.objects.create(team=team, user=user, role=role)
        people.append(user)
    Site.objects.create(
        team=team, slug="people", name="People", base_url="https://people.example/", created_by=people[0]
    )
    return people, [specs.save(team=team, by=people[0], data=document(number)) for number in range(TASKS)]


def known() -> tuple[list[Any], list[Any]]:
    return list(User.objects.order_by("pk")), list(TaskSpecVersion.objects.order_by("pk"))


def document(number: int) -> dict[str, Any]:
    return {
        "task_id": f"task_{number:02}",
        "title": f"Access of leavers, system {number}",
        "goal": "Take down name, title and the day the access ended.",
        "output_schema": {"name": "string", "title": "string", "ended": "date"},
        "control": f"AC-{number}",
    }


def stored() -> list[tuple[str, int]]:
    """(hash, bytes) of files that are really there."""
    store = blobs()
    made = [store.put([number.to_bytes(4, "big") * 25_000]) for number in range(REAL_FILES)]
    return [(blob.sha256, blob.size) for blob in made]


def hashes_there() -> list[tuple[str, int]]:
    return list(Artifact.objects.order_by("sha256").values_list("sha256", "size").distinct()[:REAL_FILES])


def make_runs(first: int, last: int, people: list[Any], versions: list[Any]) -> None:
    team, site = versions[0].spec.team, versions[0].spec.team.sites.first()
    rows = [
        Run(
            pk=number + 1, public_id=f"{number:020x}", team=team, site=site, version=versions[number % TASKS],
            title=f"Access of leavers {number}", folder=f"run_{number}", status="done", requested_by=people[0],
            control=f"AC-{number % TASKS}", period=f"2026-Q{number % 4 + 1}", created_at=day(number),
            started_at=day(number), finished_at=day(number), written_at=day(number),
            population={"source": "people.csv", "rows": SAMPLES_A_RUN},
        )
        for number in range(first, last)
    ]  # fmt: skip
    Run.objects.bulk_create(rows, batch_size=200)
    RunBarred.objects.bulk_create([RunBarred(run=row, user=people[0], why="ran") for row in rows], batch_size=200)


def fill(first: int, last: int, people: list[Any], hashes: list[tuple[str, int]]) -> None:
    """Keys follow from the number of the sample: of a sample n the job, attempt and exhibit are n too."""
    team = Team.objects.get()
    numbers = range(first * SAMPLES_A_RUN, last * SAMPLES_A_RUN)
    with transaction.atomic():
        copy(Job, (job(n, team.pk, people[0].pk) for n in numbers))
        copy(Sample, (sample(n) for n in numbers))
        copy(Attempt, (attempt(n) for n in numbers))
        copy(Artifact, (file for n in numbers for file in artifacts(n, hashes)))
        copy(Field, (field for n in numbers for field in fields(n)))
        copy(Exhibit, (exhibit(n, team.pk, people) for n in numbers))
    with connection.cursor() as cursor:
        models = [Run, Job, Sample, Attempt, Artifact, Field, Exhibit]
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)
        cursor.execute("VACUUM ANALYZE")


def copy(model: Any, rows: Iterable[Row]) -> None:
    """A row says what differs from the model's defaults, by column."""
    columns = model._meta.concrete_fields
    usual = {each.attname: each.get_db_prep_save(each.get_default(), connection) for each in columns}
    named = ", ".join(f'"{each.column}"' for each in columns)
    plain = {each.attname: each for each in columns}
    with connection.cursor() as cursor, cursor.copy(f'COPY "{model._meta.db_table}" ({named}) FROM STDIN') as target:
        for row in rows:
            given = {name: plain[name].get_db_prep_save(value, connection) for name, value in row.items()}
            target.write_row([given.get(name, value) for name, value in usual.items()])


def day(number: int) -> datetime:
    return BEGIN + timedelta(minutes=30 * number)


def job(n: int, team: int, by: int) -> Row:
    return {
        "id": n + 1, "public_id": f"{n:019x}j", "team_id": team, "kind": "sample", "queue": "agents", "status": "done",
        "title": f"Access of leavers {n // SAMPLES_A_RUN}: person-{n:06}", "requested_by_id": by,
        "created_at": day(n // SAMPLES_A_RUN), "interactive": False,
    }  # fmt: skip


def sample(n: int) -> Row:
    return {
        "id": n + 1, "run_id": n // SAMPLES_A_RUN + 1, "number": n % SAMPLES_A_RUN + 1, "sample_id": f"person-{n:06}",
        "folder": f"person-{n:06}", "url": f"https://people.example/{n}", "status": "done",
    }  # fmt: skip


def attempt(n: int) -> Row:
    at = day(n // SAMPLES_A_RUN)
    return {
        "id": n + 1, "sample_id": n + 1, "number": 1, "job_id": n + 1, "status": "done", "step": 6, "max_steps": 25,
        "extracted": {"name": f"Person {n}", "title": "Engineer", "ended": "2026-03-01"},
        "started_at": at, "finished_at": at, "written_at": at,
    }  # fmt: skip


def artifacts(n: int, hashes: list[tuple[str, int]]) -> Iterator[Row]:
    begin = n * FILES_A_SAMPLE
    for at, kind in enumerate(KINDS):
        sha256, size = hashes[(begin + at) % len(hashes)]
        is_picture = kind in ("screenshot", "thumbnail")
        yield {
            "id": begin + at + 1, "attempt_id": n + 1, "seq": 1, "kind": kind, "label": "person page",
            "name": f"01_person_page.{kind}", "sha256": sha256, "size": size, "capture": f"{n:x}",
            "media_type": "image/png" if is_picture else "text/plain", "width": 1280 * is_picture,
            "height": 2400 * is_picture, "source_url": f"https://people.example/{n}",
            "derived_from_id": begin + 1 if kind == "thumbnail" else None, "taken_at": day(n // SAMPLES_A_RUN),
        }  # fmt: skip


def fields(n: int) -> Iterator[Row]:
    for at, path in enumerate(("name", "title", "ended")):
        yield {
            "id": n * 3 + at + 1, "attempt_id": n + 1, "path": path, "value": f"{path} {n}", "grounding": "text",
            "artifact_id": n * FILES_A_SAMPLE + 1, "box": [40, 100 + 30 * at, 220, 24],
        }  # fmt: skip


def exhibit(n: int, team: int, people: list[Any]) -> Row:
    state = STATES[n * 37 % 100]
    return {
        "id": n + 1, "sample_id": n + 1, "attempt_id": n + 1, "team_id": team, "run_id": n // SAMPLES_A_RUN + 1,
        "state": state, "assignee_id": people[1 + n % 5].pk if n % 3 == 0 else None,
        "opened_at": day(n // SAMPLES_A_RUN) + timedelta(seconds=n % SAMPLES_A_RUN), "doubts": n % 7 == 0,
    }  # fmt: skip
