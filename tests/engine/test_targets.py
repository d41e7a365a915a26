"""Long targets: descriptions of different kinds must agree, or nothing is done."""

from typing import Any

import pytest

from tests.engine.conftest import Replay

BRIEF = {"timeout_ms": 700}
LOG = "<script>window.log = []; const say = (x) => { log.push(x); }</script>"
SAVE: list[dict[str, Any]] = [{"test_id": "save"}, {"role": "button", "name": "Save"}, {"css": "form > [data-testid]"}]


def click(locators: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {"op": "click", "target": {"locators": locators, **more}}


def button(name: str, word: str, **attributes: str) -> str:
    rest = " ".join(f'{key.replace("_", "-")}="{value}"' for key, value in attributes.items())
    return f"<button {rest} onclick=\"say('{word}')\">{name}</button>"


def test_two_kinds_of_description_are_enough(replay: Replay) -> None:
    renamed = LOG + f"<form onsubmit='return false'>{button('Store', 'ok', data_testid='save')}</form>"
    done = replay(renamed, click(SAVE), look="log")
    assert (done.outcome.ok, done.seen) == (True, ["ok"])


def test_a_description_that_finds_exactly_another_node_is_a_veto(replay: Replay) -> None:
    page = LOG + (
        f"<form onsubmit='return false'>{button('Store', 'old', data_testid='save')}</form>{button('Save', 'new')}"
    )
    done = replay(page, click(SAVE) | BRIEF, look="log")
    assert (done.kind, done.seen) == ("drifted", [])


def test_a_hidden_namesake_is_no_veto(replay: Replay) -> None:
    page = LOG + (
        f"<div style='display:none'>{button('Save', 'hidden')}</div>"
        f"<form onsubmit='return false'>{button('Save', 'ok', data_testid='save')}</form>"
    )
    assert replay(page, click(SAVE), look="log").seen == ["ok"]


def test_one_kind_of_description_needs_the_fingerprint(replay: Replay) -> None:
    page = LOG + f"<main><form onsubmit='return false'>{button('Save', 'ok')}</form></main>"
    refused = replay(page, click(SAVE) | BRIEF, look="log")
    assert (refused.kind, refused.seen) == ("drifted", [])
    alike = {"tag": "button", "role": "button", "name": "Save", "landmark": "main", "peers": 1}
    assert replay(page, click(SAVE, fingerprint=alike), look="log").seen == ["ok"]
    elsewhere = replay(page, click(SAVE, fingerprint=alike | {"landmark": "navigation"}) | BRIEF, look="log")
    assert (elsewhere.kind, elsewhere.seen) == ("drifted", [])


def test_a_decoy_of_the_same_name_makes_it_ambiguous_and_both_counts_are_told(replay: Replay) -> None:
    page = LOG + button("Submit order", "decoy") + button("Submit order", "real")
    target = click([{"role": "button", "name": "Submit order"}], fingerprint={"role": "button", "peers": 1})
    done = replay(page, target, look="log")
    assert (done.kind, done.seen) == ("ambiguous", [])
    assert "any of 2 elements, 1 when it was recorded" in done.error["error"]


def test_a_container_makes_a_common_name_one(replay: Replay) -> None:
    rows = "".join(
        f"<tr><td>{name}</td><td>0.50</td><td>{button('Delete', name)}</td></tr>" for name in ("A 1", "A 10")
    )
    within = {"role": "row", "text": "{{item}}"}
    step = click([{"role": "button", "name": "Delete"}], within=within)
    page = f"{LOG}<table>{rows}</table>"
    assert replay(page, step, look="log", args={"item": "A 1"}).seen == ["A 1"]
    assert replay(page, step, look="log", args={"item": "A 10"}).seen == ["A 10"]
    gone = replay(page, step, look="log", args={"item": "A"})
    assert (gone.kind, gone.seen) == ("ambiguous", [])
    assert replay(page, step | BRIEF, look="log", args={"item": "A 100"}).kind == "missing"


@pytest.mark.parametrize(
    ("shown", "wanted"),
    [
        ("Rechts&shy;schutz", "Rechtsschutz"),
        ("foo&nbsp;bar", "foo bar"),
        ("&#x202B;שלום&#x202C;", "שלום"),
        ("oﬃce", "office"),
        ("Ｆｕｌｌ", "Full"),
        ("cafe&#x301;", "café"),
        ("a\u200bb", "ab"),
        ("What? (1+1) [x] \\ / {2}", "What? (1+1) [x] \\ / {2}"),
        ("🎉 Party", "🎉 Party"),
        ("SAVE", "Save"),
    ],
)
def test_names_are_compared_as_people_read_them(replay: Replay, shown: str, wanted: str) -> None:
    page = f"{LOG}<button onclick='say(1)'>{shown}</button><button onclick='say(2)'>{shown} too</button>"
    step = {"op": "click", "target": {"role": "button", "name": wanted}}
    assert replay(page, step, look="log").seen == [1]


def test_words_of_a_container_may_be_shown_in_capitals(replay: Replay) -> None:
    rows = "".join(
        f"<li><b style='text-transform:uppercase'>{n}</b>{button('Delete', n)}</li>" for n in ("Ann", "Anna")
    )
    step = {"op": "click", "target": {"role": "button", "name": "Delete", "within": {"css": "li", "text": "ANN"}}}
    assert replay(f"{LOG}<ul>{rows}</ul>", step, look="log").seen == ["Ann"]


def test_a_frame_is_found_by_its_title_and_a_nested_one_by_its_chain(replay: Replay) -> None:
    pages = {
        "/": "<iframe title=Pay src=/pay></iframe><iframe title=Ad src=/ad></iframe>",
        "/pay": "<iframe name=card src=/card></iframe>",
        "/card": "<label>Card <input></label>",
        "/ad": "<label>Card <input></label>",
    }
    target = {"locators": [{"label": "Card"}], "frames": [{"title": "Pay"}, {"name": "card"}]}
    step = {"op": "type", "target": target, "text": "4242"}
    values = (
        "[frames[0].frames[0].document.querySelector('input').value, frames[1].document.querySelector('input').value]"
    )
    assert replay(pages, step, look=values).seen == ["4242", ""]


def test_open_shadow_roots_are_seen(replay: Replay) -> None:
    page = LOG + (
        "<div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML ="
        " `<button data-testid=go onclick=\"say('in')\">Go</button><p>Inside text</p>`</script>"
    )
    steps = [
        click([{"test_id": "go"}, {"role": "button", "name": "Go"}]),
        {"op": "verify", "kind": "page_text_contains", "value": "Inside text"},
    ]
    assert replay(page, *steps, look="log").seen == ["in"]


def test_a_page_cannot_spoil_the_vote(replay: Replay) -> None:
    page = LOG + (
        "<script>Array.prototype.map = () => []; WeakMap = null; globalThis.__agentifyQuorum = 1;</script>"
        f"<form onsubmit='return false'>{button('Save', 'ok', data_testid='save')}</form>"
    )
    assert replay(page, click(SAVE), look="log").seen == ["ok"]


def test_a_node_that_becomes_another_while_we_look_is_not_clicked(replay: Replay) -> None:
    page = LOG + (
        f"{button('Edit', 'edit', id='b')}<script>setTimeout(() => {{ b.textContent = 'Delete';"
        " b.setAttribute('onclick', \"say('delete')\"); }, 150)</script>"
    )
    steps = [
        {"op": "wait", "ms": 300},
        {"op": "click", "target": {"role": "button", "name": "Edit", "css": "button"}, "timeout_ms": 500},
    ]
    done = replay(page, *steps, look="log")
    assert (done.kind, done.seen) == ("missing", [])


def test_a_sticky_header_is_passed_and_a_cookie_banner_refused(replay: Replay) -> None:
    page = LOG + (
        "<header style='position:sticky;top:0;height:80px;background:#eee'>Shop</header><p style='height:1500px'></p>"
        + button("Buy", "bought")
        + "<p style='height:1500px'></p>"
        "<div role=dialog aria-label='Cookies' id=c style='position:fixed;inset:0;background:#fff'>We use cookies"
        " <button onclick=\"c.remove(); say('refused')\">Reject all</button><button>Accept all</button></div>"
    )
    step = {"op": "click", "target": {"role": "button", "name": "Buy"}}
    assert replay(page, step, look="log").seen == ["refused", "bought"]


def test_a_cover_over_the_frame_is_seen_from_inside_it(replay: Replay) -> None:
    pages = {
        "/": "<iframe src=/in></iframe><div id=veil style='position:fixed;inset:0;background:#fff8'>Wait</div>",
        "/in": LOG + button("Go", "went"),
    }
    done = replay(pages, {"op": "click", "target": {"role": "button", "name": "Go"}}, look="frames[0].log")
    assert (done.kind, done.seen) == ("covered", [])
    assert "veil" in done.error["error"]


def test_the_first_option_is_taken_where_no_name_is_given(replay: Replay) -> None:
    options = "<div role=option onclick='say(1)'>Rome</div><div role=option onclick='say(2)'>Riga</div>"
    page = f"{LOG}<div role=listbox>{options}</div>"
    assert replay(page, {"op": "click", "target": {"role": "option"}}, look="log", format=1).seen == [1]


def test_a_cut_name_and_a_part_of_a_name_count_in_old_files_only(replay: Replay) -> None:
    page = LOG + f"<a href=#1 onclick='say(1)'>{'x' * 150}</a><button onclick='say(2)'>Save draft now</button>"
    cut = {"op": "click", "target": {"role": "link", "name": "x" * 120}}
    part = {"op": "click", "target": {"role": "button", "name": "Save draft"}}
    old = replay(page, cut, part, look="log", format=1)
    assert old.seen == [1, 2]
    assert "only as a part of a longer name" in old.outcome.warnings[-1]
    assert replay(page, cut | BRIEF, look="log").kind == "missing"
    assert replay(page, part | BRIEF, look="log").kind == "missing"


def test_popups_are_followed_along_their_chain(replay: Replay) -> None:
    pages = {
        "/": "<a href=/first target=_blank>Open</a>",
        "/first": "<script>window.open('/second', 'w', 'width=300'); setTimeout(() => window.close(), 50)</script>",
        "/second": "<h1>Small window</h1>",
    }
    steps = [
        {"op": "click", "target": {"role": "link", "name": "Open"}, "expect": {"page_opened": True}},
        {"op": "extract", "target": {"role": "heading", "page": "opened_by:1"}, "key": "h"},
    ]
    assert replay(pages, *steps).outcome.data == {"h": "Small window"}


def test_a_step_says_which_of_the_recorded_descriptions_found_nothing(replay: Replay) -> None:
    target = {
        "locators": [{"css": "#go"}, {"role": "button", "name": "Go"}, {"css": "form button[type=submit]"}],
        "fingerprint": {"role": "button", "name": "Go"},
    }
    whole, renamed, reworded = (
        LOG + f"<form onsubmit='return false'><button type=submit id={id_}>{name}</button></form>"
        for id_, name in (("go", "Go"), ("x1", "Go"), ("go", "Start"))
    )
    found = [replay(page, {"op": "click", "target": target}) for page in (whole, renamed, reworded)]
    assert [done.outcome.steps[-1]["matched"] for done in found] == [
        "identity and place and wording",
        "place and wording; lost: #go",
        "identity and place; lost: role",
    ]


def test_a_short_description_that_fell_back_to_its_css_says_what_was_lost(replay: Replay) -> None:
    page = LOG + "<button id=go>Start</button>"
    done = replay(page, {"op": "click", "target": {"role": "button", "name": "Go", "css": "#go"}})
    assert done.outcome.steps[-1]["matched"] == "css; lost: role+name"


def test_what_moved_into_a_section_of_its_landmark_is_still_in_it(replay: Replay) -> None:
    target = {
        "locators": [{"css": "#go"}, {"role": "button", "name": "Go"}],
        "fingerprint": {"role": "button", "name": "Go", "landmark": "main"},
    }
    moved = LOG + f"<main><section aria-label=Content>{button('Go', 'ok')}</section></main>"
    step = {"op": "click", "target": target, "timeout_ms": 700}
    assert replay(moved, step, look="log").seen == ["ok"]
    elsewhere = LOG + f"<main></main><nav>{button('Go', 'no')}</nav>"
    refused = replay(elsewhere, step, look="log")
    assert (refused.kind, refused.seen) == ("drifted", [])


def test_t22_a_frame_may_have_a_banner_of_its_own(replay: Replay) -> None:
    banner = (
        "<div role=dialog aria-label='Cookies' id=c style='position:fixed;inset:0;background:#fff'>We use cookies"
        "<button onclick='c.remove()'>Reject all</button></div>"
    )
    pages = {
        "/": banner + "<iframe title=Shop src=/shop style='width:600px;height:300px'></iframe>",
        "/shop": LOG + banner + "<button onclick=\"say('bought')\">Buy</button>",
    }
    done = replay(pages, {"op": "click", "target": {"role": "button", "name": "Buy"}}, look="frames[0].log")
    assert (done.outcome.ok, done.seen) == (True, ["bought"])


def test_a_row_that_is_not_there_is_said_with_its_value_and_the_rows_that_are(replay: Replay) -> None:
    links = "".join(f"<a href='#{word}'>{word}</a>" for word in ("Home", "Orders", "Close"))
    rows = "".join(f"<tr><td>{name}</td><td><a href='#x'>Close</a></td></tr>" for name in ("T-1", "T-2"))
    target = {"role": "link", "name": "Close", "within": {"role": "row", "text": "{{ticket}}"}}
    step = {"op": "click", "target": target} | BRIEF
    parameters = {"type": "object", "properties": {"ticket": {"type": "string"}}}
    lost = replay(f"<nav>{links}</nav><table>{rows}</table>", step, args={"ticket": "T-9"}, parameters=parameters)
    assert lost.error["found"] == ["row “T-1 Close”", "row “T-2 Close”"]
    assert "T-9" in lost.error["error"]
    assert "{{" not in lost.error["error"]


def test_a_cookie_banner_that_is_slow_to_close_is_not_taken_for_what_covers_the_button(replay: Replay) -> None:
    page = LOG + (
        button("Go", "ok")
        + "<div role=dialog aria-label='Cookies' id=c style='position:fixed;inset:0;background:#fff'>"
        'We use cookies <button onclick="c.remove(); say(\'refused\')" onpointerdown="const from = Date.now();'
        ' while (Date.now() - from < 1500);">Reject all</button></div>'
    )
    step = {"op": "click", "target": {"role": "button", "name": "Go"}}
    assert replay(page, step, look="log").seen == ["refused", "ok"]
