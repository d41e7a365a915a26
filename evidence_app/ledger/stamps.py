"""Time stamps of RFC 3161: an authority signs a hash together with its own time.

What is stamped is the whole signed note, in UTF-8, under SHA-256. The answer is kept as it came (TimeStampResp, DER).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import rfc3161_client
from cryptography import x509
from cryptography.x509 import Certificate, ObjectIdentifier

from evidence_app.ledger.der import with_sorted_certificates
from evidence_app.ledger.errors import LedgerError

SHA256 = ObjectIdentifier("2.16.840.1.101.3.4.2.1")
ASKED = "application/timestamp-query"
GRANTED = 0
UNREADABLE = (ValueError, x509.InvalidVersion, x509.DuplicateExtension, x509.UnsupportedGeneralNameType)


class BadTimestamp(LedgerError):
    pass


@dataclass(frozen=True, slots=True)
class Stamped:
    """`at` by the authority's clock. `is_trusted` False where no root was given that it could be checked against."""

    at: datetime
    is_trusted: bool


@dataclass(frozen=True, slots=True)
class Asking:
    """`data` goes to the authority; its answer has to repeat the nonce."""

    data: bytes
    nonce: int | None


def ask(note: str) -> Asking:
    builder = rfc3161_client.TimestampRequestBuilder().data(note.encode())
    request = builder.hash_algorithm(rfc3161_client.HashAlgorithm.SHA256).build()
    return Asking(request.as_bytes(), request.nonce)


def check(token: bytes, note: str, roots: Sequence[Certificate] = (), *, nonce: int | None = None) -> Stamped:
    """BadTimestamp where it is none, is of another text, answers another question, or is not signed by who it names."""
    try:
        return _check(_answer(token), note, roots, nonce)
    except UNREADABLE as error:  # parts of it are read only when they are asked for
        raise BadTimestamp("the answer is no time stamp") from error


def _check(
    answer: rfc3161_client.TimeStampResponse, note: str, roots: Sequence[Certificate], nonce: int | None
) -> Stamped:
    info = answer.tst_info
    imprint = info.message_imprint
    if imprint.hash_algorithm != SHA256 or imprint.message != hashlib.sha256(note.encode()).digest():
        raise BadTimestamp("the time stamp is of another text")
    if nonce is not None and info.nonce != nonce:
        raise BadTimestamp("the time stamp answers another question")
    if roots:
        _verify(answer, note, roots)
    return Stamped(info.gen_time, bool(roots))


def read_roots(pem: bytes) -> list[Certificate]:
    """ValueError where it holds no certificate."""
    return x509.load_pem_x509_certificates(pem)


def _answer(token: bytes) -> rfc3161_client.TimeStampResponse:
    answer = rfc3161_client.decode_timestamp_response(with_sorted_certificates(token))
    if answer.status != GRANTED:
        said = "; ".join(answer.status_string)
        raise BadTimestamp(f"the authority refused, status {answer.status}{': ' + said if said else ''}")
    return answer


def _verify(answer: rfc3161_client.TimeStampResponse, note: str, roots: Sequence[Certificate]) -> None:
    """Certificates between the authority's and the root come with the answer."""
    builder = rfc3161_client.VerifierBuilder()
    for root in dict.fromkeys(roots):
        builder = builder.add_root_certificate(root)
    try:
        builder.build().verify_message(answer, note.encode())
    except rfc3161_client.VerificationError as error:
        raise BadTimestamp(f"the time stamp is not signed as it should be: {error}") from error
