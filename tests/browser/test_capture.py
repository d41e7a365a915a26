"""Pictures of whole pages: what they show, what is said of them, and that they end whatever the page does."""

import io
import shutil
import ssl
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from PIL import Image

from recipes_app.browser.capture import Page, Taken, Want, take_capture
from recipes_app.browser.launch import LaunchOptions
from recipes_app.browser.session import BrowserSession, ContextOptions
from recipes_app.browser.thread import BrowserThread, Desk
from tests.browser.site import Handler, LittleSite, Server

BAND = 100


def bands(count: int, extra: str = "", style: str = "") -> str:
    """Each of its own colour, so that a picture says which part of the page a row shows."""
    rows = "".join(f"<div style='height:{BAND}px;background:{colour(n)}'></div>" for n in range(count))
    return f"<!doctype html><style>body{{margin:0}}{style}</style>{extra}{rows}"


def colour(number: int) -> str:
    return f"rgb({number % 256},{number // 256},200)"


def picture(file: Page) -> Image.Image:
    return Image.open(io.BytesIO(file.data)).convert("RGB")


def of_kind(taken: Taken, kind: str) -> list[Page]:
    return [file for file in taken.files if file.kind == kind]


def one(taken: Taken, kind: str) -> Page:
    (file,) = of_kind(taken, kind)
    return file


def capture(want: Want | None = None, **more: Any) -> Callable[[BrowserSession], Taken]:
    return lambda session: take_capture(session, want or Want(), **more)


# --- the whole page


def test_a_page_is_pictured_whole_with_every_band_in_its_place(on_page: Callable[..., Taken]) -> None:
    taken = on_page(bands(90), capture())
    shown = picture(one(taken, "screenshot"))
    assert shown.size == (1280, 9000)
    assert [shown.getpixel((640, n * BAND + 50)) for n in range(90)] == [(n, 0, 200) for n in range(90)]
    assert taken.quality["height_covered"] == taken.quality["dom_height"] == 9000
    assert taken.quality["complete"]
    assert taken.flaws == ()


def test_a_sticky_header_is_in_the_picture_of_the_whole_page_once(on_page: Callable[..., Taken]) -> None:
    header = "<div style='position:sticky;top:0;height:50px;background:#f00'></div>"
    shown = picture(one(on_page(bands(80, header), capture()), "screenshot"))
    assert red_rows(shown) == list(range(50))


def red_rows(shown: Image.Image) -> list[int]:
    return [row for row in range(shown.height) if shown.getpixel((640, row)) == (255, 0, 0)]


def test_the_viewport_is_pictured_where_the_page_was_scrolled_to_and_left_there(on_page: Callable[..., Any]) -> None:
    def work(session: BrowserSession) -> tuple[Taken, int]:
        session.page.evaluate("scrollTo(0, 2000)")
        return take_capture(session, Want()), session.page.evaluate("scrollY")

    taken, at = on_page(bands(50), work)
    viewport = picture(one(taken, "viewport"))
    assert viewport.size == (1280, 800)
    assert viewport.getpixel((640, 50)) == (20, 0, 200)
    assert at == 2000


def test_at_two_pixels_for_one_the_picture_is_twice_as_large(on_page: Callable[..., Taken]) -> None:
    taken = on_page(bands(20), capture(), scale=2)
    shown = picture(one(taken, "screenshot"))
    assert shown.size == (2560, 4000)
    assert shown.getpixel((2000, 3950)) == (19, 0, 200)
    assert taken.scale == 2


# --- tall pages


@pytest.mark.parametrize("scale", [1, 2])
def test_a_tall_page_is_taken_in_tiles_that_were_verified(on_page: Callable[..., Taken], scale: int) -> None:
    count = 170 // scale
    taken = on_page(bands(count), capture(), scale=scale)
    tiles = of_kind(taken, "tile")
    assert not of_kind(taken, "screenshot")
    assert taken.quality["tiles"] == taken.quality["tiles_verified"] == len(tiles) > 10 / scale
    assert taken.quality["complete"]
    assert rows_of(tiles, scale) == [(n, 0, 200) for n in range(count)]


def rows_of(tiles: list[Page], scale: int = 1) -> list[object]:
    """The colour in the middle of each band, of the rows that the tiles say belong into one picture."""
    return column_of(tiles, 600)[BAND * scale // 2 :: BAND * scale]


def column_of(tiles: list[Page], x: int) -> list[object]:
    colours: list[object] = []
    for tile in tiles:
        begin, end = tile.more["used"]
        column = picture(tile).crop((x, begin, x + 1, end)).tobytes()
        colours += [tuple(column[at : at + 3]) for at in range(0, len(column), 3)]
    return colours


def test_bars_that_stay_in_the_window_are_in_the_rows_of_one_tile_only(on_page: Callable[..., Taken]) -> None:
    bars = (
        "<div style='position:sticky;top:0;height:50px;background:#f00'></div>"
        "<div style='position:fixed;bottom:0;height:40px;width:100%;background:#0f0'></div>"
    )
    taken = on_page(bands(165, bars), capture())
    every = column_of(of_kind(taken, "tile"), 9)
    assert every.count((255, 0, 0)) == 50
    assert every.count((0, 255, 0)) == 40
    assert len(every) == taken.quality["dom_height"]
    assert taken.quality["sticky_repeats"] is False
    assert taken.quality["complete"], taken.flaws


def test_a_header_that_sticks_only_further_down_covers_nothing(on_page: Callable[..., Taken]) -> None:
    rows = "".join(f"<div style='height:{BAND}px;background:{colour(n)}'></div>" for n in range(170))
    page = f"""<!doctype html><style>body{{margin:0}}.up{{position:fixed;top:0;width:100%}}</style>
      <div id=h style='height:90px;background:#f00'></div><div id=s></div>{rows}
      <script>addEventListener('scroll', () => {{
        h.classList.toggle('up', scrollY > 200);
        s.style.height = scrollY > 200 ? '90px' : 0;
      }})</script>"""
    taken = on_page(page, capture())
    assert taken.quality["complete"], taken.flaws
    shown = column_of(of_kind(taken, "tile"), 9)
    assert shown[90 + 50 :: BAND] == [(n, 0, 200) for n in range(170)]


def test_what_floats_beside_the_page_is_said_to_repeat(on_page: Callable[..., Taken]) -> None:
    chat = "<div style='position:fixed;right:20px;top:300px;width:60px;height:60px;background:#000'></div>"
    taken = on_page(bands(165, chat), capture())
    assert taken.quality["sticky_repeats"] is True
    assert taken.quality["note"] == "tiled, repeats possible"
    assert taken.quality["tiles_verified"] == taken.quality["tiles"]


def test_tiles_of_a_page_that_moves_meanwhile_are_not_taken_for_verified(on_page: Callable[..., Taken]) -> None:
    moving = (
        "<script>addEventListener('scroll', () => { document.body.style.paddingLeft = (scrollY % 97) + 'px' })</script>"
    )
    stripes = "background-image:repeating-linear-gradient(90deg,#000 0 7px,#fff 7px 14px)!important"
    taken = on_page(bands(165, moving, f"div{{{stripes}}}"), capture())
    assert taken.quality["tiles_verified"] < taken.quality["tiles"]
    assert not taken.quality["complete"]
    assert any("do not join" in flaw for flaw in taken.flaws)


# --- what has to be there first


def image_site(site: LittleSite, *names: str) -> None:
    made = io.BytesIO()
    Image.new("RGB", (60, 60), (0, 128, 0)).save(made, "PNG")
    for name in names:
        site.pages[name] = (200, {"Content-Type": "image/png"}, made.getvalue())


def test_pictures_that_load_when_they_come_into_view_are_there_and_counted(
    on_page: Callable[..., Taken], site: LittleSite
) -> None:
    image_site(site, "/a.png", "/b.png")
    page = bands(80) + (
        "<img id=a src=/a.png loading=lazy width=60 height=60 style='display:block'>"
        "<img id=b data-src=/b.png width=60 height=60 style='display:block'>"
        "<script>new IntersectionObserver(([e]) => { if (e.isIntersecting) b.src = b.dataset.src }).observe(b)</script>"
    )
    taken = on_page(page, capture())
    shown = picture(one(taken, "screenshot"))
    assert taken.quality["images"] == {"total": 2, "loaded": 2, "broken": 0}
    assert shown.getpixel((30, 8030)) == shown.getpixel((30, 8090)) == (0, 128, 0)
    assert taken.flaws == ()


def test_a_picture_that_does_not_come_is_a_flaw_and_a_broken_one_only_counted(on_page: Callable[..., Taken]) -> None:
    page = (
        "<img src=/hang.png width=9 height=9><img data-src=/never width=9 height=9><img src=/none.png width=9 height=9>"
    )

    def work(session: BrowserSession) -> Taken:
        session.page.evaluate("html => { document.body.innerHTML = html }", page)
        return take_capture(session, Want())

    taken = on_page("<p>later</p>", work)
    assert taken.quality["images"] == {"total": 3, "loaded": 0, "broken": 1}
    assert "2 of 3 pictures in the page had not loaded" in taken.flaws


def test_fonts_that_never_come_are_not_waited_for_longer_than_two_seconds(on_page: Callable[..., Taken]) -> None:
    page = "<style>@font-face{font-family:x;src:url(/hang.woff2)} p{font-family:x}</style><p>words</p>"
    taken = on_page(page, capture())
    assert taken.quality["fonts_ready"] is False
    assert "its fonts were not there after 2 s" in taken.flaws
    assert of_kind(taken, "screenshot")


CONSENT = """<div role=dialog style='position:fixed;inset:auto 0 0 0;height:300px;background:#f00'>We use cookies.
  <button onclick='this.parentNode.remove()'>Reject all</button></div>"""


def test_a_banner_is_dismissed_before_the_picture_and_told(on_page: Callable[..., Taken]) -> None:
    taken = on_page(bands(5, CONSENT + "<p>" + "words " * 90), capture())
    assert taken.quality["overlays"] == [{"dismissed": "Reject all"}]
    assert red_rows(picture(one(taken, "screenshot"))) == []


def test_a_banner_is_kept_where_overlays_are_to_be_kept(on_page: Callable[..., Taken]) -> None:
    taken = on_page(bands(5, CONSENT + "<p>" + "words " * 90), capture(Want(dismiss_overlays=False)))
    assert red_rows(picture(one(taken, "screenshot")))
    assert taken.quality["overlays"][0]["text"].startswith("We use cookies")
    assert taken.quality["overlays"][0]["covers"] in (37, 38)


def test_animations_stand_still_in_the_picture_and_go_on_afterwards(on_page: Callable[..., Any]) -> None:
    page = """<!doctype html><style>body{margin:0} @keyframes k{to{transform:translateX(600px)}}
      div{width:50px;height:50px;background:#f00} #e{animation:k 1s infinite alternate}
      #f{animation:k 90s forwards}</style>
      <div id=e></div><div id=f></div>"""

    def work(session: BrowserSession) -> tuple[Taken, str]:
        taken = take_capture(session, Want())
        return taken, session.page.evaluate("e.getAnimations()[0].playState")

    taken, state = on_page(page, work)
    shown = picture(one(taken, "screenshot"))
    assert shown.getpixel((25, 25)) == (255, 0, 0)  # the endless one at its beginning
    assert shown.getpixel((625, 75)) == (255, 0, 0)  # the other one at its end
    assert state == "running"


# --- pages that do not end, or do not answer


def test_a_page_that_grows_without_end_is_bounded_and_said(on_page: Callable[..., Taken]) -> None:
    page = """<div id=a></div><script>
      const more = () => {
        for (let i = 0; i < 20; i++) a.append(Object.assign(document.createElement('p'), { style: 'height:100px' }));
      };
      more();
      addEventListener('scroll', () => { if (scrollY + innerHeight > a.offsetHeight - 200) more() });</script>"""
    taken = on_page(page, capture())
    assert taken.quality["endless"] is True
    assert not taken.quality["complete"]
    assert any("grows as it is scrolled" in flaw for flaw in taken.flaws)
    assert of_kind(taken, "screenshot")


def test_a_page_that_is_far_too_wide_is_cut_and_the_browser_lives(on_page: Callable[..., Any]) -> None:
    def work(session: BrowserSession) -> tuple[Taken, str]:
        return take_capture(session, Want()), session.page.title()

    page = "<title>Wide</title><div style='width:1600000px;height:2000px;background:linear-gradient(red,blue)'>w</div>"
    taken, title = on_page(page, work)
    assert title == "Wide"
    assert one(taken, "screenshot").width == 6000
    assert any("1600008 px that the page is wide" in flaw for flaw in taken.flaws)
    assert not taken.quality["complete"]


@pytest.mark.slow
def test_a_page_that_is_far_too_high_is_bounded_and_the_browser_lives(browser: BrowserThread, site: LittleSite) -> None:
    site.pages["/"] = "<title>High</title><div style='height:400000px;background:linear-gradient(red,blue)'>h</div>"

    def work(desk: Desk) -> tuple[Taken, str]:
        with desk.session(ContextOptions(policy=site.policy)) as session:
            session.goto(site.url + "/")
            return take_capture(session, Want()), session.page.title()

    taken, title = browser.call(work, deadline_s=60)
    assert title == "High"
    assert 10_000 < taken.quality["height_covered"] < 400_000
    assert taken.quality["dom_height"] >= 400_000
    assert any("of the page's 400016 px" in flaw for flaw in taken.flaws)
    assert not taken.quality["complete"]


@pytest.mark.slow
def test_a_page_that_spins_is_a_flaw_within_the_time_of_a_capture(browser: BrowserThread, site: LittleSite) -> None:
    site.pages["/"] = "<h1>Busy</h1>"

    def work(desk: Desk) -> tuple[Taken, float]:
        with desk.session(ContextOptions(policy=site.policy)) as session:
            session.goto(site.url + "/")
            session.page.evaluate("() => { setTimeout(() => { while (true) {} }, 0) }")
            began = monotonic()
            return take_capture(session, Want(pdf=True, mhtml=True)), monotonic() - began

    taken, seconds = browser.call(work, deadline_s=60)
    assert "the page stopped answering" in taken.flaws
    assert not taken.quality["complete"]
    assert seconds < 45


def test_a_capture_without_time_left_says_so(on_page: Callable[..., Taken]) -> None:
    taken = on_page(bands(3), capture(limit_s=0))
    assert "there was no time left for all of it" in taken.flaws
    assert not taken.quality["complete"]


def test_a_page_goes_on_after_a_capture_that_ran_out_of_time(on_page: Callable[..., Any]) -> None:
    page = "<style>@keyframes k{to{opacity:.5}} p{animation:k 1s infinite}</style><p id=p>words</p>"

    def work(session: BrowserSession) -> tuple[Taken, str]:
        return take_capture(session, Want(), limit_s=1), session.page.evaluate("p.getAnimations()[0].playState")

    _, state = on_page(page, work)
    assert state == "running"


def test_what_scrolls_inside_of_the_page_is_said_to_be_cut(on_page: Callable[..., Taken]) -> None:
    inner = "<main style='height:100vh;overflow:auto'><div style='height:5000px'>long</div></main>"
    page = f"<!doctype html><style>body{{margin:0}}</style>{inner}"
    taken = on_page(page, capture())
    assert taken.quality["inner_scroll"] == {"height": 5000, "shown": 800}
    assert any("800 of its 5000 px" in flaw for flaw in taken.flaws)


# --- beside the picture


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
