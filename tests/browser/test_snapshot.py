from collections import deque
from collections.abc import Callable
from typing import Any, cast

import pytest

from examples.practice.server import PracticeSite
from recipes_app.browser.session import BrowserSession
from recipes_app.browser.snapshot import Element, Snapshot, frame_at, locate, take_snapshot
from tests.browser.site import LittleSite

OnPage = Callable[..., Any]
ROLES = ["button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "switch"]
ROLES += ["slider", "spinbutton", "tab", "menuitem", "listbox"]


def look(session: BrowserSession) -> Snapshot:
    return take_snapshot(session.page)


def named(snapshot: Snapshot) -> list[tuple[str, str]]:
    return [(element.role, element.name) for element in snapshot.elements]


def is_found_by_role(session: BrowserSession, element: Element) -> bool:
    frame = frame_at(session.page, element.frame)
    by_role = frame.get_by_role(cast(Any, element.role), name=element.name or None, exact=True)
    return by_role.and_(locate(session.page, element)).count() == 1


def addresses(snapshot: Snapshot, root: str) -> list[str]:
    return [e.href.partition("#")[0] for e in snapshot.elements if e.href.startswith(root) and "logout" not in e.href]


@pytest.mark.slow
def test_the_practice_sites_elements_are_those_that_get_by_role_finds(
    practice: PracticeSite, browse: Callable[..., Any]
) -> None:
    found: list[tuple[str, Element, bool]] = []

    def work(session: BrowserSession) -> None:
        todo, seen = deque([practice.url]), {practice.url}
        while todo and len(seen) < 40:
            session.goto(todo.popleft(), status_any=True)
            snapshot = take_snapshot(session.page)
            known = [element for element in snapshot.elements if element.by_role]
            found.extend((session.page.url, element, is_found_by_role(session, element)) for element in known)
            fresh = [address for address in addresses(snapshot, practice.url) if address not in seen]
            seen.update(fresh)
            todo.extend(fresh)
            # A page that is still being built may have more of them a moment later.
            for role in ROLES if not session.page.url.endswith("/late") else []:
                ours = [e for e in known if e.role == role and not e.frame]
                assert len(ours) == session.page.get_by_role(cast(Any, role)).count(), (session.page.url, role)

    browse(work, url=practice.url)
    missed = [(url, element.role, element.name) for url, element, ok in found if not ok]
    assert len(found) > 200
    assert len(missed) <= len(found) * 0.01, missed


NAMES = """
<input aria-label="Label" aria-labelledby="a b" id=self><span id=a>First</span> <span id=b hidden>Second</span>
<label for=c>For  label</label><input id=c title=Title><label>Around <input id=d> after</label>
<input placeholder=Placeholder><input placeholder=Both title="Title wins"><textarea title=Area></textarea>
<button><img alt="Picture"></button><a href="#"><svg><title>Drawn</title></svg></a><button title="Tip"></button>
<button aria-label="Close"><span aria-hidden=true>×</span></button><button>Save <span hidden>hidden</span>all</button>
<button>A<div>B</div>C<br>D<b>E</b></button><input type=submit><input type=submit value="Send"><input type=reset>
<input type=image alt="Go"><input type=file><button class=before>after</button><a href="#"><h3>Heading</h3> inside</a>
<select aria-label=Size><option>Small<option selected>Big</select><label>Pick <select><option>One</select> of</label>
<div role=checkbox aria-checked=true tabindex=0>Div box</div>
<div role=switch>Switch</div><div role="none button">X</div>
<button role=presentation>Insists</button><table role=presentation><tr><td><a href="#">In layout</a></table>
<fieldset disabled><legend>Legend</legend><button>Disabled by fieldset</button></fieldset>
<details><summary>More</summary><button>Inside closed</button></details><input type=range aria-label=Volume value=3>
<input type=number aria-label=Count><input type=search aria-label=Find><input list=l aria-label=Listed>
<datalist id=l></datalist>

<select size=3 aria-label=Tall><option>x</select>
<button>Non&nbsp;breaking&shy;soft</button><map name=m><area href="#" alt=Area2></map>
<button aria-labelledby=missing>Missing label</button><div role=button>Div <slot>button</slot></div>
<span style="display:contents"><button>In contents</button></span><div style="visibility:hidden"><button>Unseen</button>
<button style="visibility:visible">Seen again</button></div><button style="opacity:0">Clear</button>
<style>.before::before { content: "Before " } .before::after { content: " " attr(class) }</style>
"""


def test_names_follow_the_rules_where_they_are_hard(on_page: OnPage) -> None:
    def work(session: BrowserSession) -> tuple[Snapshot, list[Element]]:
        snapshot = look(session)
        return snapshot, [e for e in snapshot.elements if e.by_role and not is_found_by_role(session, e)]

    snapshot, missed = on_page(NAMES, work)
    assert missed == []
    names = [element.name for element in snapshot.elements]
    for name in [
        "First Second",
        "For label",
        "Around after",
        "Drawn",
        "A B C DE",
        "Choose File",
        "Before after before",
    ]:
        assert name in names
    assert not {"Unseen", "Inside closed"} & set(names)


def test_every_field_of_an_element_is_told(on_page: OnPage, site: LittleSite) -> None:
    html = """<body style="margin:0"><main style="padding:10px"><form>
    <input id=who name=person data-testid=w type=email required placeholder=Mail value="a@b.c" style="display:block">
    </form><a href="/next" aria-expanded=false>Next</a><input type=checkbox aria-label=Box checked>
    <input type=password aria-label=Secret value=hunter2>
    <select aria-label=Size><option>S<option selected>L</select></main>"""
    who, link, box, secret, size = on_page(html, look).elements
    assert (who.role, who.name, who.tag, who.type, who.value, who.landmark) == (
        "textbox",
        "Mail",
        "input",
        "email",
        "a@b.c",
        "main",
    )
    assert who.states == ("required",)
    assert who.attributes == {"id": "who", "name": "person", "test_id": "w", "placeholder": "Mail"}
    assert (who.css, who.box[:2], who.index) == ("input#who", (10, 10), 0)
    assert (link.href, link.states) == (site.url + "/next", ("collapsed",))
    assert (box.states, box.value) == (("checked",), None)
    assert secret.value is not None
    assert "hunter2" not in secret.value
    assert (size.value, size.attributes["options"]) == ("L", ["S", "L"])


def test_what_is_below_the_fold_is_seen_at_its_place_on_the_page(on_page: OnPage) -> None:
    def work(session: BrowserSession) -> list[float]:
        first = look(session).elements[0].box[1]
        session.page.mouse.wheel(0, 2000)
        session.page.wait_for_function("scrollY > 0")
        return [first, look(session).elements[0].box[1]]

    first, again = on_page('<body style="margin:0"><div style="height:5000px"></div><button>Far</button>', work)
    assert first == again >= 5000


def test_disabled_elements_are_marked_and_not_left_out(on_page: OnPage) -> None:
    html = """<button disabled>A</button><div aria-disabled=true><button>B</button></div>
    <fieldset disabled><input></fieldset><button>C</button>"""
    states = [element.states for element in on_page(html, look).elements]
    assert states == [("disabled",), ("disabled",), ("disabled",), ()]


def test_editable_things_summaries_and_clickable_spans_are_seen(on_page: OnPage) -> None:
    html = """<div contenteditable>Rich <b>text</b></div><div contenteditable="plaintext-only">Plain</div>
    <div contenteditable=false>No</div><details open><summary>More</summary>Text</details>
    <style>.hand { cursor: pointer }</style>
    <span class=hand onclick="1">By attribute</span><span class=hand id=l>By listener</span>
    <span class=hand tabindex=0>By focus</span><span class=hand>Only looks</span><span onclick="1">Only listens</span>
    <script>l.addEventListener("click", () => 0)</script>"""
    snapshot = on_page(html, look)
    assert named(snapshot) == [
        ("textbox", "Rich text"),
        ("textbox", "Plain"),
        ("button", "More"),
        ("generic", "By attribute"),
        ("generic", "By listener"),
        ("generic", "By focus"),
    ]
    assert not any(element.by_role for element in snapshot.elements)


def test_shadow_roots_and_frames_are_walked_and_the_text_is_whole(site: LittleSite, on_page: OnPage) -> None:
    site.pages["/frame"] = '<button>In frame</button><iframe srcdoc="<button>Deeper</button> deep text"></iframe>'
    html = """<p>Top text</p><div id=h></div><iframe src="/frame" style="display:block;margin-top:500px"></iframe>
    <iframe src="/frame" style="display:none"></iframe>
    <script>h.attachShadow({mode: "open"}).innerHTML = "<p>Shadow text</p><button>In shadow</button>"</script>"""

    def work(session: BrowserSession) -> tuple[Snapshot, list[str]]:
        session.page.wait_for_load_state("load")
        snapshot = look(session)
        return snapshot, [locate(session.page, element).inner_text() for element in snapshot.elements]

    snapshot, texts = on_page(html, work)
    assert [(e.name, e.frame) for e in snapshot.elements] == [("In shadow", ()), ("In frame", (0,)), ("Deeper", (0, 0))]
    assert texts == ["In shadow", "In frame", "Deeper"]
    assert snapshot.elements[1].box[1] > 500
    for text in ["Top text", "Shadow text", "deep text"]:
        assert text in snapshot.text


def test_file_inputs_that_are_hidden_behind_a_label_are_seen(on_page: OnPage) -> None:
    element = on_page('<label>Photo <input type=file style="display:none"></label>', look).elements[0]
    assert (element.type, element.states, element.by_role) == ("file", ("hidden",), False)


def test_an_element_that_left_the_page_is_not_another_one(on_page: OnPage) -> None:
    def work(session: BrowserSession) -> tuple[int, int]:
        snapshot = look(session)
        before = locate(session.page, snapshot.elements[0]).count()
        session.page.evaluate("document.querySelector('button').replaceWith(document.createElement('button'))")
        return before, locate(session.page, snapshot.elements[0]).count()

    assert on_page("<button>One</button>", work) == (1, 0)


def test_a_limit_tells_how_many_elements_it_left_out_frames_included(site: LittleSite, on_page: OnPage) -> None:
    site.pages["/frame"] = "<button>1</button><button>2</button>"

    def work(session: BrowserSession) -> Snapshot:
        session.page.wait_for_load_state("load")
        return take_snapshot(session.page, limit=3)

    snapshot = on_page("<button>x</button>" * 5 + '<iframe src="/frame"></iframe>', work)
    assert (len(snapshot.elements), snapshot.total, snapshot.more) == (3, 7, 4)


def test_a_page_of_fifty_thousand_elements_is_read_whole(on_page: OnPage) -> None:
    row = (
        "<tr><td>{0}</td><td><a href='/o'>Order {0}</a></td><td><button>Edit</button><button>Delete</button></td></tr>"
    )
    html = "<table>" + "".join(row.format(number) for number in range(7200)) + "</table>"
    snapshot = on_page(html, look)
    assert (len(snapshot.elements), snapshot.more) == (21_600, 0)
    assert snapshot.elements[-3].name == "Order 7199"
