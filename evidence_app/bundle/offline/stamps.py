"""Time stamps (RFC 3161, as CMS of RFC 5652): that an authority signed this state of the ledger, and at what time."""

from __future__ import annotations

import base64
import binascii
import hashlib
from datetime import datetime, timezone
from typing import Any, NamedTuple

from evidence_app.bundle.offline.checks import Pack
from evidence_app.bundle.offline.der import BOOLEAN, OCTETS, SEQUENCE, SET, BadDer, Value, first_value, values
from evidence_app.bundle.offline.heads import Head
from evidence_app.bundle.offline.publickeys import Unsupported, digest_of, is_signature
from evidence_app.bundle.offline.reading import HEADS, Unreadable, path_of
from evidence_app.bundle.offline.tree import BadPath, NotContinued, check_continued

SIGNED_DATA, TIME_INFO = "1.2.840.113549.1.7.2", "1.2.840.113549.1.9.16.1.4"
CONTENT_TYPE, MESSAGE_DIGEST = "1.2.840.113549.1.9.3", "1.2.840.113549.1.9.4"
CERT_V1, CERT_V2 = "1.2.840.113549.1.9.16.2.12", "1.2.840.113549.1.9.16.2.47"
KEY_USE, FOR_TIME, ISSUES = "2.5.29.37", "1.3.6.1.5.5.7.3.8", "2.5.29.19"
PLAIN_RSA = "1.2.840.113549.1.1.1"


class BadStamp(Exception):
    """A time stamp does not say what it has to; the message is for a person."""


class Stamp(NamedTuple):
    """`signer` is the SHA-256 of the authority's certificate, in hex."""

    at: datetime
    signer: str
    chain: list[Value]


def check_stamps(pack: Pack, authorities: list[str]) -> None:
    """`authorities`: SHA-256 of certificates of which one has to have signed each stamp; none: they are told only."""
    if pack.head is None:
        return
    count = 0
    for head, line in pack.heads:
        stamps = line.get("timestamps")
        for each in stamps if isinstance(stamps, list) else ():
            count += 1
            _check_one(pack, (head, line), each if isinstance(each, dict) else {}, authorities)
    if authorities and not count:
        pack.report.add("timestamp", HEADS, "the pack holds no time stamp")
    pack.report.facts["timestamps"] = count


def _check_one(pack: Pack, state: tuple[Head, dict[str, Any]], each: dict[str, Any], authorities: list[str]) -> None:
    head, line = state
    where = f"time stamp of {each.get('authority')} on {head.size} entries"
    try:
        if pack.head is not None:
            check_continued((head.size, pack.head.size), path_of(line), (head.root, pack.head.root))
        stamp = read_stamp(base64.b64decode(str(each.get("token")), validate=True), str(line["note"]).encode())
        _check_authority(stamp, authorities)
    except (BadPath, NotContinued) as error:
        pack.report.add("timestamp", where, f"it is of another ledger: {error}")
    except (BadDer, BadStamp, Unreadable, binascii.Error, ValueError) as error:
        pack.report.add("timestamp", where, str(error))
    except IndexError:
        pack.report.add("timestamp", where, "a part of it is missing")
    except Unsupported as error:
        pack.report.add("uncheckable", where, f"{error}; openssl ts -verify may know it")
    else:
        by = "as you asked" if authorities else f"compare the SHA-256 of its certificate: {stamp.signer}"
        pack.report.notes.append(f"{where}: {stamp.at:%Y-%m-%d %H:%M:%S} UTC ({by})")


def _check_authority(stamp: Stamp, authorities: list[str]) -> None:
    """One of the certificates, from the signer's up as far as they came along, is one that was named."""
    chain = {hashlib.sha256(cert.raw).hexdigest() for cert in stamp.chain}
    if authorities and not chain & set(authorities):
        raise BadStamp(f"it is signed by {stamp.signer}, which is not the authority that was named")


def read_stamp(token: bytes, data: bytes) -> Stamp:
    """Of an answer of an authority, or of the token in it."""
    outer = first_value(token)
    content = outer if outer.part(0).tag != SEQUENCE else outer.part(1)
    if content.part(0).oid != SIGNED_DATA:
        raise BadStamp("it is no time stamp")
    signed = content.part(1, 0)
    if signed.part(2, 0).oid != TIME_INFO:
        raise BadStamp("it is no time stamp")
    octets = signed.part(2, 1, 0)
    if octets.tag != OCTETS:
        raise BadDer("what it says cannot be read")
    info = first_value(octets.data)
    imprint = info.part(2)
    if imprint.part(1).data != hashlib.new(digest_of(imprint.part(0, 0).oid), data).digest():
        raise BadStamp("it is of another text")
    certificates = signed.tagged(0xA0)
    known = [each for each in values(certificates.data) if each.tag == SEQUENCE] if certificates else []
    at = _time(info.part(4).data)
    cert = _signed_by(signed.parts()[-1], octets.data, known)
    _check_certificate(cert, at)
    return Stamp(at, hashlib.sha256(cert.raw).hexdigest(), _chain(cert, known))


def _signed_by(signers: Value, content: bytes, known: list[Value]) -> Value:
    """The certificate whose key signed, which the signature itself names by its hash."""
    signer = signers.part(0)
    attributes = signer.tagged(0xA0)
    if attributes is None or len(signers.parts()) != 1:
        raise BadStamp("it is not signed as a time stamp is")
    digest = digest_of(signer.part(2, 0).oid)
    named = {each.part(0).oid: each.part(1, 0) for each in attributes.parts()}
    if CONTENT_TYPE not in named or named[CONTENT_TYPE].oid != TIME_INFO:
        raise BadStamp("what was signed is no time stamp")
    if MESSAGE_DIGEST not in named or named[MESSAGE_DIGEST].data != hashlib.new(digest, content).digest():
        raise BadStamp("what it says is not what was signed")
    cert = _named_certificate(named, known)
    parts = signer.parts()
    at = parts.index(attributes)
    algorithm, signature = parts[at + 1].part(0).oid, parts[at + 2].data
    digest = digest if algorithm == PLAIN_RSA else digest_of(algorithm)
    if not is_signature(_tbs(cert)[-1 + _key_at(cert)], digest, bytes([SET]) + attributes.raw[1:], signature):
        raise BadStamp("its signature is wrong")
    return cert


def _named_certificate(named: dict[str, Value], known: list[Value]) -> Value:
    if CERT_V2 in named:
        first = named[CERT_V2].part(0, 0)
        has_algorithm = first.part(0).tag == SEQUENCE
        digest = digest_of(first.part(0, 0).oid) if has_algorithm else "sha256"
        wanted = first.part(1 if has_algorithm else 0).data
    elif CERT_V1 in named:
        digest, wanted = "sha1", named[CERT_V1].part(0, 0, 0).data
    else:
        raise BadStamp("it does not name the certificate it was signed with")
    for cert in known:
        if hashlib.new(digest, cert.raw).digest() == wanted:
            return cert
    raise Unsupported("the certificate it was signed with is not in it")


def _tbs(cert: Value) -> list[Value]:
    """Version, serial number, algorithm, issuer, validity, subject, key …; the version is written or not."""
    return cert.part(0).parts()


def _key_at(cert: Value) -> int:
    """How many parts there are up to and with the key."""
    return 7 if _tbs(cert)[0].tag == 0xA0 else 6


def _check_certificate(cert: Value, at: datetime) -> None:
    begin, end = (_time(each.data) for each in _tbs(cert)[_key_at(cert) - 3].parts())
    if not begin <= at <= end:
        raise BadStamp("its certificate was not valid at that time")
    uses = _extension(cert, KEY_USE)
    if uses is None or FOR_TIME not in [use.oid for use in uses.parts()]:
        raise BadStamp("its certificate is not one for time stamps")


def _chain(cert: Value, known: list[Value]) -> list[Value]:
    """The certificate, the one that signed it, and so on, as far as they came along."""
    chain = [cert]
    while (above := _issuer_of(chain[-1], known)) is not None and above not in chain:
        chain.append(above)
    return chain


def _issuer_of(cert: Value, known: list[Value]) -> Value | None:
    issuer = _tbs(cert)[_key_at(cert) - 4]
    digest = digest_of(cert.part(1, 0).oid)
    for each in filter(_may_issue, known):
        is_named = _tbs(each)[_key_at(each) - 2].raw == issuer.raw
        key = _tbs(each)[_key_at(each) - 1]
        if is_named and is_signature(key, digest, cert.part(0).raw, cert.part(2).data[1:]):
            return each
    return None


def _may_issue(cert: Value) -> bool:
    """Not everybody who was given a certificate may give some."""
    basic = _extension(cert, ISSUES)
    return basic is not None and basic.parts()[:1] == [Value(BOOLEAN, b"\xff", b"\x01\x01\xff")]


def _extension(cert: Value, oid: str) -> Value | None:
    extensions = cert.part(0).tagged(0xA3)
    for each in extensions.part(0).parts() if extensions else ():
        if each.part(0).oid == oid:
            return first_value(each.parts()[-1].data)
    return None


def _time(data: bytes) -> datetime:
    """UTCTime or GeneralizedTime; ends in Z."""
    text = data.decode("ascii").partition(".")[0].rstrip("Z")
    form = "%y%m%d%H%M%S" if len(text) == 12 else "%Y%m%d%H%M%S"
    return datetime.strptime(text, form).replace(tzinfo=timezone.utc)
