"""A time stamping authority on this machine: openssl, with a certificate made here; and a place that takes POSTs."""

from __future__ import annotations

import datetime
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

OPENSSL = shutil.which("openssl")
SETUP = """[tsa]
default_tsa = t
[t]
serial = {folder}/serial
signer_cert = {folder}/tsa.pem
signer_key = {folder}/tsa.key
certs = {folder}/root.pem
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
"""
Answer = Callable[[bytes], tuple[int, bytes]]


@contextmanager
def served(answer: Answer) -> Iterator[str]:
    """The address at which each POST's body is given to `answer`, which gives a status and a body."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            status, body = answer(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Authority:
    """`stamp` answers a request as the authority does; `roots` is the file with its root."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self.folder, self.roots = folder, folder / "root.pem"
        root_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
        root = certificate("Root", root_key, "Root", root_key, is_root=True)
        (folder / "root.pem").write_bytes(root.public_bytes(Encoding.PEM))
        own = certificate("TSA", key, "Root", root_key, is_root=False)
        (folder / "tsa.pem").write_bytes(own.public_bytes(Encoding.PEM))
        (folder / "tsa.key").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        (folder / "tsa.cnf").write_text(SETUP.format(folder=folder))

    def stamp(self, request: bytes) -> tuple[int, bytes]:
        asked, answered = self.folder / "asked.tsq", self.folder / "answered.tsr"
        asked.write_bytes(request)
        assert OPENSSL
        names = ["-config", str(self.folder / "tsa.cnf"), "-queryfile", str(asked), "-out", str(answered)]
        subprocess.run([OPENSSL, "ts", "-reply", *names], check=True, capture_output=True)
        return 200, answered.read_bytes()


def certificate(
    name: str, key: ec.EllipticCurvePrivateKey, issuer: str, issuer_key: ec.EllipticCurvePrivateKey, *, is_root: bool
) -> x509.Certificate:
    now = datetime.datetime.now(datetime.UTC)
    named = [x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, each)]) for each in (name, issuer)]
    made = (
        x509.CertificateBuilder()
        .subject_name(named[0])
        .issuer_name(named[1])
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=is_root, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), critical=False)
    )
    if not is_root:
        made = made.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING]), critical=True)
    return made.sign(issuer_key, hashes.SHA256())
