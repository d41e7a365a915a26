"""The store: bytes under their own hash, written once, never half."""

import hashlib
import io
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_app.store.blobs import CHUNK, Damaged, FileBlobs, Missing, StoreError, check


def test_what_was_put_comes_back_under_its_hash(tmp_path: Path) -> None:
    blobs, data = FileBlobs(tmp_path), os.urandom(3 * CHUNK + 7)
    blob = blobs.put(io.BytesIO(data))
    assert blob.sha256 == hashlib.sha256(data).hexdigest()
    assert blob.size == len(data)
    with blobs.open(blob.sha256) as file:
        assert file.read() == data
    check(blobs, blob.sha256)


def test_the_same_bytes_are_kept_once_and_never_written_over(tmp_path: Path) -> None:
    blobs = FileBlobs(tmp_path)
    first = blobs.put([b"a", b"b"])
    inode = blobs.path_of(first.sha256).stat().st_ino
    second = blobs.put(io.BytesIO(b"ab"))
    assert (second.sha256, second.is_new) == (first.sha256, False)
    assert blobs.path_of(first.sha256).stat().st_ino == inode
    assert blobs.path_of(first.sha256).stat().st_mode & 0o222 == 0


def test_a_source_that_breaks_off_leaves_nothing(tmp_path: Path) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"half"
        raise OSError(5, "the page went away")

    with pytest.raises(StoreError):
        FileBlobs(tmp_path).put(pieces())
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_other_bytes_under_a_hash_are_noticed(tmp_path: Path) -> None:
    blobs = FileBlobs(tmp_path)
    place = blobs.path_of(blobs.put([b"evidence"]).sha256)
    place.chmod(0o644)
    place.write_bytes(b"evidenc3")
    with pytest.raises(Damaged, match="hash to"):
        check(blobs, place.name)


@pytest.mark.parametrize("name", ["0" * 64, "../../etc/passwd", "", "A" * 64])
def test_what_is_not_there_is_said_to_be_missing(tmp_path: Path, name: str) -> None:
    with pytest.raises(Missing):
        FileBlobs(tmp_path).open(name)


def test_a_folder_that_cannot_be_written_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="nothing can be written"):
        FileBlobs(tmp_path / "file").put([b"x"])


@given(st.lists(st.binary(max_size=200), max_size=8))
def test_any_pieces_hash_to_their_whole(tmp_path_factory: pytest.TempPathFactory, pieces: list[bytes]) -> None:
    blob = FileBlobs(tmp_path_factory.getbasetemp() / "blobs").put(pieces)
    assert blob.sha256 == hashlib.sha256(b"".join(pieces)).hexdigest()
