"""What is written: the same bytes each time, nothing that changed on its way, and pages that a stranger can read."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from evidence_app.bundle import write
from evidence_app.bundle.content import PackError
from evidence_app.bundle.offline.archive import BIG, Archive, Member, central_header, local_header, tail
from evidence_app.bundle.printing import LEAST, Marked, Printed, reader
from evidence_app.bundle.report import FONT, pdf, shown
from evidence_app.bundle.story import told
from tests.bundle.making import REVIEWER, Room, capture, content_of, found, pack_of, picture, room_in, seal_of


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    packs = [pack_of(room_in(tmp_path / name), tmp_path / f"{name}.zip") for name in ("one", "other")]
    assert packs[0].read_bytes() == packs[1].read_bytes()


def test_an_ordinary_program_reads_it(shared: tuple[Room, Path]) -> None:
    _, pack = shared
    with zipfile.ZipFile(pack) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert names == sorted(names)
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_bytes_that_changed_in_the_store_are_never_packed(tmp_path: Path) -> None:
    room = room_in(tmp_path)
    prepared = write.prepare(content_of(room), room.blobs)
    seal = seal_of(room, room.append("pack.built", {"manifest": prepared.digest}))
    first = prepared.stored[0]
    path = room.blobs.path_of(first.sha256)
    data = path.read_bytes()
    path.chmod(0o644)
    for changed, why in ((data[:-1] + b"?", "is not what was captured"), (data + b"?", "were captured")):
        path.write_bytes(changed)
        with pytest.raises(PackError, match=why):
            write.write(prepared, seal, room.blobs, io.BytesIO())
    path.unlink()
    with pytest.raises(PackError, match="cannot be packed: the bytes of"):
        write.write(prepared, seal, room.blobs, io.BytesIO())


def test_the_index_shows_what_was_decided_and_runs_nothing(shared: tuple[Room, Path]) -> None:
    _, pack = shared
    with zipfile.ZipFile(pack) as archive:
        index = archive.read("index.html").decode()
        how_to = archive.read("HOW-TO-VERIFY.txt").decode()
        assert archive.read("report.pdf").startswith(b"%PDF-")
    assert "<script" not in index
    assert "default-src 'none'" in index
    assert "A-2 &lt;b&gt;" in index
    assert "Ödön &amp; &lt;Co&gt; 報告" in index
    assert "Meets the control: All four (rita on attempt 1, 2026-12-01 04:00:00 UTC)" in index
    assert "rita approved attempt 1, 2026-12-01 04:00:00 UTC" in index
    assert index.count("<img ") == 2
    assert "<dt>What was asked for</dt><dd>Look up who approved the access.</dd>" in index
    assert "<dt>To be judged</dt><dd>Did the manager approve it?</dd>" in index
    answered = (
        "HTTP 200; TLS 1.3, certificate for hr.example by R11, valid to 2027-01-31; answered by 192.0.2.7 port 443"
    )
    assert f"{answered}; taken 2026-12-01 04:00:00.123 UTC, clock +0.4 s against the site&#x27;s" in index
    for code in range(12):
        assert f"\n {code:>2}  " in how_to


def test_what_was_taken_back_or_never_said_stands_in_the_index(tmp_path: Path) -> None:
    room = room_in(tmp_path)
    room.of_run(
        "review.undone",
        {"sample": "A-1", "attempt": 1, "review": 3, "decision": "approve", "by": REVIEWER, "words": "Too quick."},
    )
    capture(room, "A-3", "olive")
    with zipfile.ZipFile(pack_of(room, tmp_path / "pack.zip")) as archive:
        index = archive.read("index.html").decode()
    assert "rita took back what was approved on attempt 1, 2026-12-01 04:00:00 UTC: Too quick." in index
    assert "<strong>Conclusion:</strong> none given" in index


def test_letters_that_the_report_cannot_show_are_not_left_out(shared: tuple[Room, Path]) -> None:
    assert shown("Ödön\n報") == "Ödön \\u5831"


def test_a_long_picture_is_printed_from_its_top(tmp_path: Path) -> None:
    room = room_in(tmp_path)
    room.keep(picture("red", (300, 9000)), "02_long.png", "image/png", "screenshot", "A-1")
    long = list(room.stored)[-1]
    facts = {"sample": "A-1", "attempt": 1, "label": "long", "artifacts": [{"name": "02_long.png", "sha256": long}]}
    facts["artifacts"] = [{"name": "02_long.png", "sha256": long, "kind": "screenshot"}]
    room.of_run("capture.kept", facts)
    assert found(pack_of(room, tmp_path / "pack.zip"), room).code == 0


def test_a_picture_goes_on_on_the_next_page_and_is_not_begun_at_the_foot_of_one() -> None:
    whole = Printed(reader(picture("red", (100, 400))), (400.0, 1600.0), [Marked("name", (1, 90, 20, 10))], 4.0, FONT)
    first, rest = whole.split(500, 700)
    assert [(each.top, each.height) for each in (first, rest)] == [(0.0, 700.0), (700.0, 900.0)]
    assert [(each.top, each.height) for each in rest.split(500, 850)] == [(700.0, 850.0), (1550.0, 50.0)]
    assert whole.split(500, LEAST - 1) == []


def test_a_value_is_boxed_where_it_stands_on_the_printed_picture(tmp_path: Path) -> None:
    room = room_in(tmp_path)
    story, files = told(content_of(room)), room.blobs
    boxed = pdf(story, files, {}, "")
    bare = [replace(each, values=tuple(replace(value, box=None) for value in each.values)) for each in story.samples]
    assert len(boxed) > len(pdf(replace(story, samples=tuple(bare)), files, {}, ""))


def test_names_of_any_kind_stay_in_the_manifest_and_out_of_the_archive(tmp_path: Path) -> None:
    room = room_in(tmp_path)
    names = ["Rückmeldung 報告.pdf", "e\u0301.pdf", "x" * 300, "CON", 'a"b\r\nX: y', "../../up", "<script>"]
    for number, name in enumerate(names):
        kept = room.keep(f"file {number}".encode(), name, "application/pdf", "download", "A-1")
        room.of_run("capture.kept", {"sample": "A-1", "attempt": 1, "label": "file", "artifacts": [kept]})
    pack = pack_of(room, tmp_path / "pack.zip")
    assert found(pack, room).code == 0
    with zipfile.ZipFile(pack) as archive:
        assert all(name.isascii() and ".." not in name for name in archive.namelist())
        assert "<script>" not in archive.read("index.html").decode()
        listed = {each.get("name") for each in json.loads(archive.read("manifest.json"))["files"]}
    assert set(names) - {"e\u0301.pdf"} | {"\u00e9.pdf"} <= listed


def test_members_and_archives_beyond_two_gigabytes_are_written_as_zipfile_writes_them() -> None:
    big = Member("objects/a", BIG + 1, 7, BIG + 5)
    info = zipfile.ZipInfo("objects/a", (1980, 1, 1, 0, 0, 0))
    info.file_size = info.compress_size = big.size
    info.CRC, info.header_offset, info.external_attr = big.crc, big.offset, big.mode
    assert local_header(big) == info.FileHeader(zip64=True)
    line = central_header(big)
    made = tail(1, len(line), BIG + 9)
    file = _Sparse(line + made, BIG + 9)
    with pytest.raises(Exception, match="lies something that is no file"):
        Archive(file)
    read = zipfile.ZipFile(file)
    assert (read.infolist()[0].file_size, read.infolist()[0].header_offset) == (big.size, big.offset)


class _Sparse(io.BytesIO):
    """A file whose first `skipped` bytes are nowhere: only what stands behind them can be read."""

    def __init__(self, data: bytes, skipped: int) -> None:
        super().__init__(data)
        self.skipped = skipped

    def seek(self, to: int, whence: int = 0) -> int:
        at = super().seek(to if whence else max(0, to - self.skipped), whence)
        return at + self.skipped

    def tell(self) -> int:
        return super().tell() + self.skipped
