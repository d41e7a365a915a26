"""What is kept of a capture: bytes before rows, the hash of exactly those bytes, tiles with the picture of all."""

import hashlib
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from evidence_app.agent.capturing import Capture, CapturedFile
from evidence_app.agent.events import Captured
from evidence_app.jobs import agents
from evidence_app.models import Artifact, Attempt, Run
from evidence_app.services import artifacts, attempts, runs
from evidence_app.services.artifacts import Changed
from recipes_app.jobs import running
from recipes_app.models.job import JobStatus
from recipes_app.services import runs as jobs
from recipes_app.services.runs import Claim
from tests.browser.site import LittleSite
from tests.evidence.collecting import Moves
from tests.pilot.flying import move

Ask = Callable[..., Run]
Scripts = Callable[..., Moves]


def collect_all(run: Run) -> None:
    while job := runs.jobs_of(run).filter(status=JobStatus.QUEUED).order_by("pk").first():
        agents.collect_sample(job.pk)


def test_a_tall_page_has_its_tiles_and_one_picture_of_all_that_fields_point_into(
    place: running.Place, request_people: Ask, scripted: Scripts, people_site: LittleSite
) -> None:
    rows = "".join(f"<div style='height:100px;background:rgb({n},9,9)'></div>" for n in range(165))
    people_site.pages["/ann"] = f"<title>Ann</title><body>{rows}<h1>Ann</h1><p>Engineer</p>"
    run = request_people("ann")
    scripted(move("screenshot", label="person page"), move("done", extracted={"name": "Ann", "title": "Engineer"}))
    collect_all(run)
    attempt = Attempt.objects.get()
    whole = attempt.artifacts.get(kind="stitched")
    tiles = list(attempt.artifacts.filter(kind="tile").order_by("pk"))
    assert (attempt.status, whole.name) == ("done", "01_person_page.png")
    assert [each["name"] for each in whole.transform["sources"]] == [tile.name for tile in tiles]
    assert whole.derived_from == tiles[0]
    assert all(tile.transform["verified"] for tile in tiles)
    field = attempt.fields.get(path="title")
    assert (field.artifact, field.grounding) == (whole, "text")
    assert field.box
    assert 16_500 < field.box[1] < whole.height
    assert attempt.artifacts.filter(kind="thumbnail", derived_from=whole).exists()
    statement = attempt.artifacts.get(kind="statement").statement or {}
    assert statement["quality"]["tiles_verified"] == len(tiles)
    assert statement["requested_url"] == f"{people_site.url}/ann"
    assert {each["role"] for each in statement["artifacts"]} >= {"tile", "stitched", "viewport", "text", "layout"}


@pytest.fixture
def begun(place: running.Place, request_people: Ask) -> tuple[Claim, Attempt]:
    """A claimed job and its attempt, without a browser."""
    run = request_people("ann")
    job = runs.jobs_of(run).get()
    claim = jobs.claim(job.pk, "worker")
    assert claim is not None
    return claim, attempts.begin(claim=claim)


def kept_file(begun: tuple[Claim, Attempt], file: CapturedFile) -> Artifact:
    claim, attempt = begun
    event = Captured(1, Capture("a label", "https://example.test/", (file,)))
    return artifacts.keep(claim=claim, attempt=attempt, event=event)[0]


def test_a_file_that_was_changed_between_its_arrival_and_the_store_is_no_evidence(
    begun: tuple[Claim, Attempt], tmp_path: Path
) -> None:
    path = tmp_path / "report.csv"
    path.write_bytes(b"a,b\n1,2\n")
    arrived = hashlib.sha256(path.read_bytes()).hexdigest()
    path.write_bytes(b"a,b\n1,2\n,")
    with pytest.raises(Changed):
        kept_file(begun, CapturedFile("download", "text/csv", path=str(path), name="report.csv", sha256=arrived))
    assert not Artifact.objects.exists()


def test_the_row_has_the_hash_of_exactly_the_bytes_that_lie_in_the_store(
    begun: tuple[Claim, Attempt], tmp_path: Path
) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"\x00\x01" * 3_000_000)
    row = kept_file(begun, CapturedFile("download", "application/octet-stream", path=str(path), name="x.bin"))
    path.write_bytes(b"something else")
    with artifacts.blobs().open(row.sha256) as file:
        data = file.read()
    assert (len(data), hashlib.sha256(data).hexdigest()) == (row.size, row.sha256)
    assert row.size == 6_000_000


@pytest.mark.parametrize(
    "given",
    ["Rückmeldung 報告.pdf", "e\u0301.pdf", "a" * 300 + ".pdf", "CON.pdf", 'a"b\r\nX: y.pdf', "../../etc/passwd", ""],
)
def test_a_download_is_kept_under_a_name_that_every_system_takes(begun: tuple[Claim, Attempt], given: str) -> None:
    row = kept_file(begun, CapturedFile("download", "application/pdf", data=b"%PDF-", name=given))
    assert row.name.startswith("01_")
    assert 4 < len(row.name) <= 140
    assert not set(row.name) & set('/\\:*?"<>|\r\n\t')
    row.full_clean()


def test_what_is_no_picture_is_kept_without_a_thumbnail(begun: tuple[Claim, Attempt]) -> None:
    row = kept_file(begun, CapturedFile("screenshot", "image/png", data=b"broken"))
    assert not Artifact.objects.filter(derived_from=row).exists()


def test_a_thumbnail_names_the_picture_it_was_made_of(begun: tuple[Claim, Attempt]) -> None:
    made = io.BytesIO()
    Image.new("RGB", (1280, 3000), "white").save(made, "PNG")
    row = kept_file(begun, CapturedFile("screenshot", "image/png", data=made.getvalue(), width=1280, height=3000))
    small = Artifact.objects.get(kind="thumbnail")
    assert (small.derived_from, small.transform["name"]) == (row, "thumbnail")


def test_a_statement_is_canonical_json(begun: tuple[Claim, Attempt]) -> None:
    kept_file(begun, CapturedFile("text", "text/plain", data=b"words"))
    with artifacts.blobs().open(Artifact.objects.get(kind="statement").sha256) as file:
        data = file.read()
    said = json.loads(data)
    assert data == json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    assert said["artifacts"][0]["sha256"] == hashlib.sha256(b"words").hexdigest()
