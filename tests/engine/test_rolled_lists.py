# ruff: noqa: E501 - pages are easier to read in long lines
"""choose in lists that hold only the entries in view: the rest comes while one scrolls."""

from typing import Any

import pytest

from tests.engine.conftest import Replay

# COUNT entries of 20 px, of which only those in view are there; LATE ms pass before they are drawn.
ROLLING = """<label id=l>Town</label><button id=c role=combobox aria-labelledby=l aria-controls=list aria-expanded=false>none</button>
<div id=list role=listbox hidden style="height:120px;overflow-y:auto;position:relative"><div id=tall style="position:relative"></div></div><script>
let towns = Array.from({ length: COUNT }, (_, n) => `Town ${n}`).concat(EXTRA);
const draw = () => { tall.style.height = towns.length * 20 + 'px'; const from = Math.floor(list.scrollTop / 20);
  tall.innerHTML = towns.slice(from, from + 7).map((t, i) => `<div role=option style="position:absolute;height:20px;top:${(from + i) * 20}px">${t}</div>`).join('') };
list.onscroll = () => setTimeout(draw, LATE);
c.onclick = () => { list.hidden = false; c.setAttribute('aria-expanded', 'true'); draw() };
list.onclick = (e) => { if (!e.target.matches('[role=option]')) return; c.textContent = e.target.textContent; list.hidden = true; c.setAttribute('aria-expanded', 'false') };
c.onkeydown = (e) => { if (e.key === 'Escape') { list.hidden = true; c.setAttribute('aria-expanded', 'false') } };
</script>"""


def rolling(count: int = 200, extra: str = "[]", late: int = 30) -> str:
    return ROLLING.replace("COUNT", str(count)).replace("EXTRA", extra).replace("LATE", str(late))


def town(value: str) -> dict[str, Any]:
    return {"op": "choose", "target": {"role": "combobox", "name": "Town"}, "value": value}


@pytest.mark.parametrize("value", ["Town 3", "Town 61", "Town 199"])
def test_a_choice_that_comes_only_by_scrolling_is_taken(replay: Replay, value: str) -> None:
    done = replay(rolling(), town(value), look="c.textContent")
    assert done.outcome.ok, done.outcome.error
    assert done.seen == value


def test_the_exact_name_further_down_is_taken_before_another_case_further_up(replay: Replay) -> None:
    done = replay(
        rolling(
            30,
            "['PORTO', ...towns_between(), 'Porto']".replace(
                "...towns_between()", "'a','b','c','d','e','f','g','h','i','j'"
            ),
        ),
        town("Porto"),
        look="c.textContent",
    )
    assert done.seen == "Porto"


def test_a_list_that_fetches_more_at_its_end_is_followed(replay: Replay) -> None:
    page = rolling(20).replace(
        "list.onscroll =",
        "list.addEventListener('scroll', () => { if (towns.length < 60 && list.scrollTop + 130 > towns.length * 20) setTimeout(() => { for (let i = 0; i < 20; i += 1) towns.push(`Town ${towns.length}`); draw() }, 200) });\nlist.onscroll =",
    )
    done = replay(page, town("Town 55"), look="c.textContent")
    assert done.outcome.ok, done.outcome.error
    assert done.seen == "Town 55"


def test_what_is_nowhere_in_the_list_is_refused_with_all_that_was_seen(replay: Replay) -> None:
    done = replay(rolling(60), town("Atlantis"), look="[c.textContent, list.hidden]")
    error = done.outcome.error or {}
    assert error["kind"] == "option_not_offered"
    assert "“Town 0”" in error["error"]
    assert "and 30 more" in error["error"]
    assert done.seen == ["none", True]
