"""Pictures of whole pages: what they show, what is said of them, and that they end whatever the page does."""

import io
from collections.abc import Callable
from time import monotonic
from typing import Any

import pytest
from PIL import Image

from recipes_app.browser.capture import Page, Taken, Want, take_capture
from recipes_app.browser.session import BrowserSession, ContextOptions
from recipes_app.browser.thread import BrowserThread, Desk
from tests.browser.site import LittleSite

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


@pytest.mark.parametrize(("side", "told"), [(9, "remarks"), (120, "flaws")])
def test_a_large_picture_that_does_not_come_is_a_flaw_a_small_one_noted_a_broken_one_counted(
    on_page: Callable[..., Taken], side: int, told: str
) -> None:
    size = f"width={side} height={side}"
    page = f"<img src=/hang.png {size}><img data-src=/never {size}><img src=/none.png {size}>"

    def work(session: BrowserSession) -> Taken:
        session.page.evaluate("html => { document.body.innerHTML = html }", page)
        return take_capture(session, Want())

    taken = on_page("<p>later</p>", work)
    assert taken.quality["images"] == {"total": 3, "loaded": 0, "broken": 1}
    kind = "small " if told == "remarks" else ""
    assert getattr(taken, told) == (f"2 of 3 {kind}pictures in the page had not loaded",)
    assert taken.quality["complete"] is (told == "remarks")


def test_fonts_that_never_come_are_not_waited_for_longer_than_two_seconds(on_page: Callable[..., Taken]) -> None:
    page = "<style>@font-face{font-family:x;src:url(/hang.woff2)} p{font-family:x}</style><p>words</p>"
    taken = on_page(page, capture())
    assert taken.quality["fonts_ready"] is False
    assert (taken.remarks, taken.flaws) == (("its fonts were not there after 2 s",), ())
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
    assert any("grows as it is scrolled" in remark for remark in taken.remarks)
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


LIST = """<!doctype html><style>html,body{{margin:0;height:100%;overflow:hidden}} #app{{height:100vh;display:flex;
  flex-direction:column}} main{{flex:1;overflow:auto;min-height:0}} p{{margin:0;height:50px}}</style>
  <div id=app><header style="height:50px">Head</header><main id=m>{rows}</main></div>"""


def test_what_scrolls_inside_of_the_page_is_opened_for_the_picture_and_closed_after_it(
    on_page: Callable[..., Any],
) -> None:
    page = LIST.format(rows="".join(f"<p>row {at}</p>" for at in range(100)))

    def work(session: BrowserSession) -> tuple[Taken, list[Any]]:
        session.page.evaluate("m.scrollTop = 300")
        taken = take_capture(session, Want())
        left = session.page.evaluate("[m.scrollTop, m.clientHeight, m.getAttribute('style'), innerHeight]")
        return taken, left

    taken, left = on_page(page, work)
    assert taken.quality["inner_scroll"] == [{"height": 5000, "shown": 750, "opened": True}]
    assert taken.flaws == ()
    assert taken.remarks == ("a part that scrolls by itself was opened for the picture: 5000 px instead of 750",)
    assert one(taken, "screenshot").height == 5050
    assert one(taken, "viewport").height == 800
    row = next(word for word in taken.words if word.text == "row 99")
    assert 4990 <= row.y <= 5050
    assert left == [300, 750, None, 800]


ROWS_IN_VIEW = """<div id=s style="position:relative;height:{height}px"></div><script>
  const draw = () => {{ const from = Math.floor(m.scrollTop / 50); s.replaceChildren();
    for (let at = from; at < Math.min({height} / 50, from + 17); at++) s.append(Object.assign(
      document.createElement('p'), {{ textContent: `row ${{at}}`, style: `position:absolute;top:${{at * 50}}px` }}));
  }};
  draw(); m.onscroll = draw;</script>"""


def test_a_list_that_draws_only_the_rows_in_view_is_taken_in_tiles_while_it_is_scrolled(
    on_page: Callable[..., Any],
) -> None:
    def work(session: BrowserSession) -> tuple[Taken, float]:
        session.page.evaluate("m.scrollTop = 120")
        return take_capture(session, Want()), session.page.evaluate("m.scrollTop")

    taken, top = on_page(LIST.format(rows=ROWS_IN_VIEW.format(height=2000)), work)
    assert taken.quality["inner_scroll"] == [
        {"height": 2000, "shown": 750, "opened": False, "tiles": 3, "tiles_verified": 3}
    ]
    assert taken.flaws == ()
    assert one(taken, "screenshot").height == 800
    tiles = of_kind(taken, "tile")
    assert sum(tile.more["used"][1] - tile.more["used"][0] for tile in tiles) == 2000
    row = next(word for word in taken.words if word.text == "row 39")
    assert (row.y, row.height) == (50, 750)
    assert top == 120


def test_a_list_whose_rows_move_meanwhile_is_said_to_be_cut(on_page: Callable[..., Taken]) -> None:
    moving = ROWS_IN_VIEW.format(height=2000).replace("`row ${at}`", "`row ${Math.random()}${'█'.repeat(9)}`")
    taken = on_page(LIST.format(rows=moving), capture())
    assert taken.flaws == ("a part of the page scrolls by itself: 750 of its 2000 px are shown",)
    assert not taken.quality["complete"]
