"""Words and their places: what a person sees, where the picture shows it, and nothing else."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image

from recipes_app.browser.capture import Want, take_capture
from recipes_app.browser.layout import Placed, page_layout
from recipes_app.browser.session import BrowserSession
from tests.browser.site import LittleSite


def words(session: BrowserSession) -> list[Placed]:
    return list(page_layout(session.page)[0])


def texts(session: BrowserSession) -> list[str]:
    return [each.text for each in words(session)]


SEEN = {
    "plain": "<p>word</p>",
    "in an open shadow root": "<div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML='<p>word</p>'</script>",
    "given to a slot": (
        "<div id=h><b>word</b></div><script>h.attachShadow({mode:'open'}).innerHTML='<i>a </i><slot></slot>'</script>"
    ),
    "the fallback of a slot": (
        "<div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML='<slot>word</slot>'</script>"
    ),
    "with display: contents": "<div style='display:contents'><p style='display:contents'>word</p></div>",
    "in an open details": "<details open><summary>s</summary>word</details>",
    "a summary": "<details><summary>word</summary>more</details>",
    "visible in what is hidden": "<div style='visibility:hidden'><b style='visibility:visible'>word</b></div>",
    "what a select shows": "<select><option>other<option selected>word</select>",
    "in an input": "<input value=word>",
    "in a text area": "<textarea>word</textarea>",
    "in a picture's place": "<img alt=word width=20 height=20>",
    "drawn in SVG": "<svg width=100 height=40><text x=5 y=20>word</text></svg>",
    "absolute, in what cuts off only what flows": (
        "<div style='overflow:hidden;height:20px'><b style='position:absolute;top:200px'>word</b></div>"
    ),
}
UNSEEN = {
    "hidden": "<p hidden>word</p>",
    "invisible": "<p style='visibility:hidden'>word</p>",
    "transparent": "<div style='opacity:0'><p>word</p></div>",
    "in a closed details": "<details><summary>s</summary>word<p>word</p></details>",
    "not in any slot": "<div id=h><b>word</b></div><script>h.attachShadow({mode:'open'}).innerHTML='<i>a</i>'</script>",
    "a password": "<input type=password value=word>",
    "a password that is shown": "<input type=text autocomplete=current-password value=word>",
    "for screen readers": "<p style='position:absolute;width:1px;height:1px;overflow:hidden'>word</p>",
    "cut off": "<div style='height:20px;overflow:hidden'>a<p style='margin-top:90px'>word</p></div>",
    "an option not chosen": "<select><option selected>other<option>word</select>",
    "a script": "<script>/* word */</script><style>/* word */</style><noscript>word</noscript>",
    "a hidden field": "<input type=hidden value=word>",
}


@pytest.mark.parametrize("page", SEEN.values(), ids=SEEN.keys())
def test_words_that_are_seen_are_there_once(page: str, on_page: Callable[..., Any]) -> None:
    found = on_page(f"<!doctype html>{page}", texts)
    assert [text for text in found if text.strip() == "word"] == ["word"]


@pytest.mark.parametrize("page", UNSEEN.values(), ids=UNSEEN.keys())
def test_words_that_are_not_seen_are_not_there(page: str, on_page: Callable[..., Any]) -> None:
    assert not [text for text in on_page(f"<!doctype html>{page}", texts) if "word" in text]


def test_a_text_over_several_lines_has_a_piece_for_each(on_page: Callable[..., Any]) -> None:
    found = on_page("<!doctype html><p style='width:90px;font:16px monospace'>one two three four five", words)
    assert " ".join(each.text for each in found) == "one two three four five"
    assert len({each.y for each in found}) == len(found) > 1


def test_words_from_right_to_left_have_a_box_around_all_of_them(on_page: Callable[..., Any]) -> None:
    page = "<!doctype html><p dir=rtl style='width:300px;margin:0;font:20px sans-serif'>" + "שלום עולם " * 8
    found = on_page(page, words)
    assert len(found) > 1
    assert all(each.width > 100 and each.x >= 0 and each.x + each.width <= 310 for each in found[:-1])


def test_words_further_down_in_a_part_that_scrolls_have_the_place_of_that_part(on_page: Callable[..., Any]) -> None:
    page = """<!doctype html><style>body{margin:0}</style>
      <div style='margin:50px;width:200px;height:100px;overflow:auto'><div style='height:900px'>top</div>bottom</div>"""
    found = {each.text: each for each in on_page(page, words)}
    bottom = found["bottom"]
    assert (bottom.x, bottom.y) == (50, 50)
    assert bottom.height == 100
    assert found["top"].height < 40


def test_a_link_has_its_address(on_page: Callable[..., Any]) -> None:
    found = on_page("<!doctype html><a href='https://example.test/x'>there</a>", words)
    assert ("https://example.test/x", "link") in [(each.text, each.kind) for each in found]


# --- boxes and pixels

INK = (255, 0, 0)


def boxed(session: BrowserSession) -> tuple[Image.Image, Placed, float]:
    """The picture of the whole page, the place of the one word in red, and how many pixels a CSS pixel is."""
    taken = take_capture(session, Want())
    (shot,) = [each for each in taken.files if each.kind == "screenshot"]
    (word,) = [each for each in taken.words if each.text == "████"]
    return Image.open(io.BytesIO(shot.data)).convert("RGB"), word, taken.scale


def inked(picture: Image.Image) -> tuple[int, int, int, int]:
    """The box of all red pixels."""
    red, green, _ = picture.split()
    only = red.point([255 if v > 200 else 0 for v in range(256)])
    clear = green.point([255 if v < 60 else 0 for v in range(256)])
    found = Image.composite(only, Image.new("L", picture.size, 0), clear).getbbox()
    assert found is not None, "the word is not in the picture"
    return found


STYLE = "<!doctype html><style>body{margin:0} b{color:#f00;font:20px monospace;letter-spacing:0}</style>"
WORD = "<b>████</b>"
PLACES = {
    "in the page": f"<p style='margin:700px 0 3000px 300px'>{WORD}</p>",
    "far down": f"<div style='height:5000px'></div><p style='margin-left:40px'>{WORD}</p>",
    "moved and enlarged": "<div style='height:900px'></div>"
    f"<p style='transform-origin:0 0;transform:translate(200px,50px) scale(2)'>{WORD}",
    "in a scrolled part": (
        f"<div id=s style='margin:100px;width:400px;height:200px;overflow:auto'><div style='height:600px'></div>{WORD}"
        "<div style='height:900px'></div></div><script>s.scrollTop = 500</script>"
    ),
    "from right to left": f"<p dir=rtl>{WORD}</p>",
    "in a frame": (
        "<iframe src=/inner style='margin:90px;border:7px solid;padding:11px;width:500px;height:300px'></iframe>"
    ),
    "in a frame of a frame": "<div style='height:1500px'></div><iframe src=/outer width=700 height=500></iframe>",
    "in a frame that is enlarged": (
        "<style>iframe{width:300px;height:200px;border:0;transform:scale(1.5);transform-origin:0 0}</style>"
        "<iframe src=/inner></iframe>"
    ),
}


@pytest.mark.parametrize("scale", [1, 2])
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES.keys())
def test_the_box_of_a_word_is_where_the_picture_shows_it(
    place: str, scale: int, on_page: Callable[..., Any], site: LittleSite
) -> None:
    site.pages["/inner"] = f"{STYLE}<p style='margin:120px 0 0 60px'>{WORD}</p><div style='height:900px'></div>"
    site.pages["/outer"] = f"{STYLE}<div style='height:60px'></div><iframe src=/inner width=400 height=300></iframe>"
    picture, word, pixels = on_page(STYLE + place, boxed, scale=scale)
    left, top, right, bottom = inked(picture)
    assert pixels == scale
    box = [word.x * scale, word.y * scale, (word.x + word.width) * scale, (word.y + word.height) * scale]
    # The word's ink fills its box from side to side; above and below it a line has some room.
    assert abs(left - box[0]) <= 2 * scale
    assert abs(right - box[2]) <= 2 * scale
    assert box[1] - 3 * scale <= top < bottom <= box[3] + 3 * scale
    assert bottom - top > (box[3] - box[1]) / 2


def test_words_are_placed_as_the_picture_shows_them_wherever_the_page_was_scrolled(on_page: Callable[..., Any]) -> None:
    page = f"{STYLE}<div style='position:sticky;top:0'>{WORD}</div><div style='height:4000px'></div>"

    def work(session: BrowserSession) -> tuple[Image.Image, Placed, float]:
        session.page.evaluate("scrollTo(0, 1500)")
        return boxed(session)

    picture, word, _ = on_page(page, work)
    assert word.y < 30
    assert inked(picture)[1] < 40


# --- size


@pytest.mark.slow
@pytest.mark.parametrize("count", [3000, 20_000])
def test_a_large_page_is_walked_whole(count: int, on_page: Callable[..., Any]) -> None:
    rows = "".join(f"<tr><td>{n}</td><td><a href='/i/{n}'>Item {n}</a></td></tr>" for n in range(count // 4))

    found, complete = on_page(f"<!doctype html><table>{rows}</table>", lambda session: page_layout(session.page))
    assert len(found) == 3 * (count // 4)
    assert complete


def test_what_is_too_much_is_cut_and_said(on_page: Callable[..., Any]) -> None:
    page = "<!doctype html>" + "<p>some words to be cut</p>" * 200
    found, complete = on_page(page, lambda session: page_layout(session.page, limit=500))
    assert not complete
    assert 20 <= len(found) <= 30
