"""Beside the picture of a page: its text, the page as saved, and the statement of where it came from."""

import shutil
import ssl
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from recipes_app.browser.capture import Taken, Want, take_capture
from recipes_app.browser.launch import LaunchOptions
from recipes_app.browser.session import BrowserSession, ContextOptions
from recipes_app.browser.thread import BrowserThread, Desk
from tests.browser.site import Handler, LittleSite, Server
from tests.browser.test_capture import capture, one


def test_text_has_what_frames_and_shadow_roots_show(on_page: Callable[..., Taken], site: LittleSite) -> None:
    site.pages["/inner"] = "<p>in the frame</p>"
    page = """<p>in the page</p><p hidden>not to be seen</p><div id=s></div><iframe src=/inner></iframe>
      <script>s.attachShadow({mode: 'open'}).innerHTML = '<p>in the shadow</p>'</script>"""
    text = one(on_page(page, capture()), "text").data.decode()
    assert all(words in text for words in ("in the page", "in the shadow", "in the frame"))
    assert "not to be seen" not in text


BROWSERS = [path for name in ("chromium-headless-shell", "chromium") if (path := shutil.which(name))]


@pytest.fixture(params=BROWSERS, ids=[Path(path).name for path in BROWSERS])
def either(request: pytest.FixtureRequest) -> Iterator[BrowserThread]:
    thread = BrowserThread(LaunchOptions(executable=request.param)).start()
    yield thread
    thread.stop()


@pytest.mark.slow
def test_a_page_is_saved_as_mhtml_and_pdf_by_both_builds(either: BrowserThread, site: LittleSite) -> None:
    site.pages["/"] = "<title>Saved</title><p>words to keep</p>"

    def work(desk: Desk) -> Taken:
        with desk.session(ContextOptions(policy=site.policy)) as session:
            session.goto(site.url + "/")
            return take_capture(session, Want(pdf=True, mhtml=True))

    taken = either.call(work, deadline_s=60)
    assert b"words to keep" in one(taken, "mhtml").data
    assert b"multipart/related" in one(taken, "mhtml").data
    assert one(taken, "pdf").data.startswith(b"%PDF-")
    assert taken.flaws == ()


@pytest.mark.slow
def test_the_statement_names_answers_peer_and_clock(either: BrowserThread, site: LittleSite) -> None:
    site.pages["/"] = (302, {"Location": "/middle"}, b"")
    site.pages["/middle"] = (301, {"Location": "/end"}, b"")
    site.pages["/end"] = (203, {"Content-Type": "text/html"}, b"<title>End</title><iframe src='/in'></iframe>")

    def work(desk: Desk) -> Taken:
        with desk.session(ContextOptions(policy=site.policy, locale="de-CH", time_zone="Asia/Tokyo")) as session:
            session.goto(site.url + "/", status_any=True)
            return take_capture(session, Want())

    facts = either.call(work, deadline_s=60).facts
    assert facts["requested_url"] == site.url + "/"
    assert facts["final_url"] == site.url + "/end"
    assert facts["redirects"] == [
        {"url": site.url + "/", "status": 302}, {"url": site.url + "/middle", "status": 301},
    ]  # fmt: skip
    assert facts["http_status"] == 203
    assert facts["tls"] is None
    assert facts["peer_address"] == f"127.0.0.1 port {site.port}"
    assert facts["clock"] == {"offset_s": 0, "source": "the Date header of 127.0.0.1, exact to 1 s"} or (
        facts["clock"]["offset_s"] in (-1, 1)
    )
    assert (facts["locale"], facts["time_zone"], facts["viewport"]) == ("de-CH", "Asia/Tokyo", "1280x800")
    assert facts["browser"].startswith("Chromium ")
    assert facts["taken_at"].endswith("Z")


def certificate(folder: Path) -> Path:
    """A key and a certificate for 127.0.0.1, signed by itself, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "practice.test")])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    builder = (
        builder.serial_number(7).not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=9))
    )
    made = builder.sign(key, hashes.SHA256())
    plain = serialization.NoEncryption()
    file = folder / "server.pem"
    file.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
        + made.public_bytes(serialization.Encoding.PEM)
    )
    return file


def test_the_statement_names_the_certificate_of_an_encrypted_page(browser: BrowserThread, tmp_path: Path) -> None:
    server = Server(("127.0.0.1", 0), Handler)
    site = server.site = LittleSite(port=server.server_address[1], pages={"/": "<h1>Sealed</h1>"})
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate(tmp_path))
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()

    def work(desk: Desk) -> Taken:
        with desk.session(ContextOptions(policy=site.policy, ignore_https_errors=True)) as session:
            session.goto(f"https://{site.host}/")
            return take_capture(session, Want())

    try:
        facts = browser.call(work, deadline_s=60).facts
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    tls = facts["tls"]
    assert (tls["issuer"], tls["subject"], tls["protocol"]) == ("practice.test", "practice.test", "TLS 1.3")
    assert tls["valid_from"] < facts["taken_at"] < tls["valid_to"]
    assert facts["peer_address"] == f"127.0.0.1 port {site.port}"


def test_what_has_no_source_is_unknown(on_page: Callable[..., Taken]) -> None:
    def work(session: BrowserSession) -> Taken:
        session.goto("about:blank")
        return take_capture(session, Want())

    facts = on_page("<p>before</p>", work).facts
    assert facts["peer_address"] == facts["http_status"] == facts["clock"]["offset_s"] == "unknown"
