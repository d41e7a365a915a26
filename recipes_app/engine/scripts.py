"""The JavaScript that ops run in pages; each file of js/ is one function `(element, given) => …`."""

from functools import cache
from pathlib import Path

from recipes_app.browser import scripts as browser_scripts


@cache
def script(name: str) -> str:
    """One of our own, or one that the browser room reads elements with."""
    own = Path(__file__).with_name("js") / name
    if not own.exists():
        return browser_scripts.reader(name)
    return browser_scripts.with_parts(own.read_text(encoding="utf-8"))


@cache
def with_aria(name: str) -> str:
    """A script that uses `aria`: roles and names as they are found by."""
    return f"(element, given) => {{ {browser_scripts.script('aria.js')}\nreturn ({script(name)})(element, given); }}"


def once_styled(code: str) -> str:
    """A function `(element, given) => …` that reads, run when the page's style sheets are there."""
    return f"async (element, given) => {{ await ({script('styled.js')})(); return ({code})(element, given); }}"
