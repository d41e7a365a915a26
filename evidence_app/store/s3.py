"""Files under their SHA-256 in an S3 bucket, or in whatever speaks S3's protocol; written once: If-None-Match.

Sources: Amazon S3 API reference, PutObject ("If-None-Match: *" answers 412 where the key exists, 409 where another
upload of it ends at the same moment; ChecksumSHA256 is compared by the server), GetObject (Range), DeleteObject.
"""

from __future__ import annotations

import base64
import importlib
import io
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, BinaryIO
from urllib.parse import parse_qs, urlsplit

from evidence_app.store.blobs import CHUNK, SHA256, Blob, Missing, StoreError, copy_hashed

MAX_PUT = 5 * 1024**3  # bytes S3 takes in one request
YOUNG = timedelta(minutes=10)  # within it a file is not laid down a second time to renew its date
TRIES = 5  # of one upload while others upload the same
OPTIONS = frozenset({"endpoint", "region"})
GONE = frozenset({"404", "NoSuchKey", "NotFound"})
EXISTS, AT_ONCE = "PreconditionFailed", "ConditionalRequestConflict"


@dataclass(frozen=True, slots=True)
class Bucket:
    """`prefix` is empty or ends in a slash; empty `endpoint` and `region` are those of the machine's own settings."""

    name: str
    prefix: str = ""
    endpoint: str = ""
    region: str = ""


def read_address(text: str) -> Bucket:
    """`s3://bucket/prefix?endpoint=https://…&region=…`; ValueError for anything else."""
    parts = urlsplit(text)
    given = parse_qs(parts.query, strict_parsing=bool(parts.query))
    if parts.scheme != "s3" or not parts.hostname or given.keys() - OPTIONS:
        raise ValueError("it reads s3://bucket/prefix, with ?endpoint=https://… and &region=… where they are needed")
    if parts.username or parts.password:
        raise ValueError("keys do not belong into it: boto3 reads them from AWS_ACCESS_KEY_ID and the like")
    prefix = parts.path.strip("/")
    more = {name: values[-1] for name, values in given.items()}
    return Bucket(parts.netloc, f"{prefix}/" if prefix else "", **more)


def connected(bucket: Bucket, *, timeout_s: float = 60.0, tries: int = 5) -> Any:
    """A client of boto3, which is loaded only here; its credentials are found where boto3 looks for them.

    StoreError where it cannot be set up: no region, a profile that is not there.
    """
    config = importlib.import_module("botocore.config").Config(
        connect_timeout=min(10.0, timeout_s), read_timeout=timeout_s, retries={"total_max_attempts": tries}
    )
    place = {"endpoint_url": bucket.endpoint or None, "region_name": bucket.region or None}
    try:
        session = importlib.import_module("boto3.session").Session()
        return session.client("s3", config=config, **place)
    except (*failures(), ValueError) as error:
        raise StoreError(f"the bucket {bucket.name} cannot be used: {error}") from error


class S3Blobs:
    """`client` is that of boto3 for S3. A file is gathered on this machine's disk first: its name is its hash."""

    def __init__(self, client: Any, bucket: Bucket) -> None:
        self.client = client
        self.bucket = bucket
        self._refused, self._failed = failures()

    def put(self, source: BinaryIO | Iterable[bytes]) -> Blob:
        """StoreError if the bucket takes it not; nothing is left behind then."""
        with tempfile.TemporaryFile() as file:
            try:
                sha256, size = copy_hashed(source, file)
            except OSError as error:
                raise StoreError(f"a file could not be gathered: {error.strerror}") from error
            if size > MAX_PUT:
                raise StoreError(f"a file of {size:,} bytes is more than a bucket takes at once")
            return Blob(sha256, size, is_new=self._placed(sha256, file))

    def _placed(self, sha256: str, file: BinaryIO) -> bool:
        """False where it lies there already, or is laid there by somebody else meanwhile."""
        digest = base64.b64encode(bytes.fromhex(sha256)).decode()
        for _ in range(TRIES):
            file.seek(0)
            with self.said():
                try:
                    self.client.put_object(**self._named(sha256), Body=file, IfNoneMatch="*", ChecksumSHA256=digest)
                except self._refused as error:
                    code = code_of(error)
                    if code not in (EXISTS, AT_ONCE):
                        raise
                    if code == EXISTS and self._touched(sha256):
                        return False
                else:
                    return True
        raise StoreError("others kept uploading the same file; try again")

    def _touched(self, sha256: str) -> bool:
        """What was about to be removed is wanted again, and says so by its time. False where it was faster."""
        named = self._named(sha256)
        try:
            with self.said():
                if datetime.now(UTC) - self._head(sha256)["LastModified"] < YOUNG:
                    return True
                self.client.copy_object(**named, CopySource=named, MetadataDirective="REPLACE")
        except Missing:
            return False
        return True

    def open(self, sha256: str) -> BinaryIO:
        with self.said():
            size = int(self._head(sha256)["ContentLength"])
        return io.BufferedReader(_Ranged(self, sha256, size), CHUNK)

    def has(self, sha256: str) -> bool:
        try:
            with self.said():
                self._head(sha256)
        except Missing:
            return False
        return True

    def remove(self, sha256: str) -> None:
        """Every version of it: a bucket that keeps versions would otherwise keep the bytes."""
        self._remove(sha256, list(self._versions(sha256)))

    def remove_old(self, sha256: str, older_than_s: float) -> bool:
        """False where it was put here again meanwhile, or is not here."""
        before = datetime.now(UTC) - timedelta(seconds=older_than_s)
        found = list(self._versions(sha256))
        if not found or any(each["LastModified"] > before for each in found):
            return False
        self._remove(sha256, found)
        return True

    def read_from(self, sha256: str, start: int) -> Any:
        """The stream of its bytes from there on."""
        with self.said():
            return self.client.get_object(**self._named(sha256), Range=f"bytes={start}-")["Body"]

    def _versions(self, sha256: str) -> Iterator[Mapping[str, Any]]:
        named = self._named(sha256)
        with self.said():
            pages = self.client.get_paginator("list_object_versions")
            for page in pages.paginate(Bucket=named["Bucket"], Prefix=named["Key"]):
                yield from (*page.get("Versions", ()), *page.get("DeleteMarkers", ()))

    def _remove(self, sha256: str, versions: Iterable[Mapping[str, Any]]) -> None:
        for each in versions:
            with self.said():
                self.client.delete_object(**self._named(sha256), VersionId=each["VersionId"])

    def _head(self, sha256: str) -> Any:
        return self.client.head_object(**self._named(sha256))

    def _named(self, sha256: str) -> dict[str, str]:
        if not SHA256.fullmatch(sha256):
            raise Missing("that is no SHA-256")
        return {"Bucket": self.bucket.name, "Key": f"{self.bucket.prefix}{sha256[:2]}/{sha256[2:4]}/{sha256}"}

    @contextmanager
    def said(self) -> Iterator[None]:
        """What the client raises, in words."""
        try:
            yield
        except self._refused as error:
            if code_of(error) in GONE:
                raise Missing(f"the bytes are not in the bucket {self.bucket.name}") from error
            raise StoreError(f"the bucket {self.bucket.name} refused: {error}") from error
        except self._failed as error:
            raise StoreError(f"the bucket {self.bucket.name} cannot be reached: {error}") from error


class _Ranged(io.RawIOBase):
    """A file in the bucket: one stream while it is read on, another one after a jump."""

    def __init__(self, blobs: S3Blobs, sha256: str, size: int) -> None:
        self._blobs, self._sha256, self._size = blobs, sha256, size
        self._at = 0
        self._stream: Any = None

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        at = max(0, start + offset)
        if at != self._at:
            self._drop()
            self._at = at
        return at

    def readinto(self, buffer: Any, /) -> int:
        if self._at >= self._size:
            return 0
        stream = self._stream or self._blobs.read_from(self._sha256, self._at)
        self._stream = stream
        with self._blobs.said():
            piece = stream.read(len(buffer))
        if not piece:
            raise StoreError(f"the bucket gave {self._at:,} of {self._size:,} bytes")
        buffer[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)

    def close(self) -> None:
        self._drop()
        super().close()

    def _drop(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None


def code_of(error: Exception) -> str:
    response: Mapping[str, Any] = getattr(error, "response", {})
    return str(response.get("Error", {}).get("Code", ""))


def failures() -> tuple[type[Exception], type[Exception]]:
    """What a client raises: because the bucket refused, or could not be reached."""
    errors = importlib.import_module("botocore.exceptions")
    return (errors.ClientError, errors.BotoCoreError)
