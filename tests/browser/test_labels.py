# ruff: noqa: E501 - markup is easier to read in long lines
"""Labels looked up once for a whole document are the ones that the browser itself gives."""

from typing import Any

from recipes_app.browser.session import BrowserSession

PAGE = """<label>Name <input id=a></label><label for=b>First</label><label for=b>second</label><input id=b>
<label>Both <select id=c><option>one</option></select></label><label for=d>Press</label><button id=d>x</button>
<label for=nowhere>Nobody</label><input id=e aria-label=Own><label for=h>Hidden</label><input id=h type=hidden>
<label><span>Outer</span><input id=f type=checkbox><textarea id=g></textarea></label><meter id=m></meter><label for=m>Level</label>
<div id=host></div><script>host.attachShadow({ mode: "open" }).innerHTML = "<label for=a>Inner</label><input id=a>"</script>"""
WORDS = ("Name", "First second", "Both", "Press", "Own", "Outer", "Inner", "Level", "Late", "x")
ROLES: tuple[Any, ...] = ("textbox", "combobox", "button", "checkbox", "meter")


def found(session: BrowserSession) -> list[list[str]]:
    page = session.page
    ways = [page.get_by_label(words, exact=True) for words in WORDS]
    ways += [page.get_by_role(role, name=words, exact=True) for role in ROLES for words in WORDS]
    return [way.evaluate_all("nodes => nodes.map((n) => n.outerHTML)") for way in ways]


def test_names_by_labels_are_the_same_and_follow_the_page(browse: Any) -> None:
    def look(session: BrowserSession) -> tuple[Any, ...]:
        change = "b.labels[0].remove(); a.insertAdjacentHTML('afterend', '<label for=a>Late</label>')"
        session.page.set_content(PAGE)
        slow = found(session)
        session.page.evaluate(change)
        slow_later = found(session)
        session.page.set_content(PAGE)
        session.page.locator("agentify-labels=once").count()
        quick = found(session)
        session.page.evaluate(change)
        own = session.page.evaluate(
            "Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'labels').get.toString()"
        )
        return slow, slow_later, quick, found(session), own

    slow, slow_later, quick, quick_later, own = browse(look, url="http://127.0.0.1:9/")
    assert quick == slow
    assert quick_later == slow_later
    assert slow != slow_later
    assert sum(map(len, slow)) > 12
    assert "native code" in own
