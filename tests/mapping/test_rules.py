"""What the rules propose for hand-written pages: a case each, none of a real site."""

from collections.abc import Callable
from typing import Any

import pytest

from recipes_app.engine.document import Recipe, Target, dump_step
from recipes_app.engine.parameters import check_arguments
from recipes_app.mapping.facts import Survey
from recipes_app.mapping.propose.draft import Draft, draft_from
from recipes_app.mapping.propose.rules import propose
from recipes_app.services import logins
from tests.browser.site import LittleSite

Proposals = Callable[..., dict[str, Draft]]


@pytest.fixture
def proposals(little: LittleSite, survey_of: Callable[..., Survey]) -> Proposals:
    """`proposals({"/": html, …})` -> name -> draft."""

    def run(pages: dict[str, str] | str, **options: Any) -> dict[str, Draft]:
        little.pages |= {"/": pages} if isinstance(pages, str) else pages
        drafts = propose(survey_of(little.url + "/", **options))
        assert len({draft.name for draft in drafts}) == len(drafts)
        return {draft.name: draft for draft in drafts}

    return run


def returned(draft: Draft) -> dict[str, Any]:
    assert draft.returns is not None
    return dict(draft.returns["properties"])


def test_fields_become_typed_parameters_with_valid_examples(proposals: Proposals) -> None:
    found = proposals("""<main><h1>Orders</h1><form method="post" action="/o"><h2>Place an order</h2>
        <label>Your email * <input type="email" name="mail" required></label>
        <label>Quantity <input type="number" name="qty" min="2" max="5"></label>
        <label>Weight <input type="number" name="kg" step="0.5" min="0.5"></label>
        <label>Volume <input type="range" name="vol" min="0" max="10"></label>
        <label>Colour <select name="c"><option value="">Choose…</option><option value="1">Red</option>
            <option value="2">Blue</option><option value="3" disabled>Gold</option></select></label>
        <fieldset><legend>Size</legend><label><input type="radio" name="s" value="s">Small</label>
            <label><input type="radio" name="s" value="l" checked>Large</label></fieldset>
        <label><input type="checkbox" name="gift"> Gift wrap</label>
        <label>Deliver on <input type="date" name="d" min="2026-02-01" max="2026-02-05"></label>
        <label>At <input type="datetime-local" name="at"></label>
        <label>Homepage <input type="url" name="u"></label>
        <label>Article number <input name="no" pattern="[A-Z]{2}-\\d{4}" required></label>
        <label>Picture <input type="file" name="f" accept="image/png"></label>
        <label>Notes <textarea name="n" maxlength="10"></textarea></label>
        <input type="hidden" name="token" value="x"><input name="sealed" readonly value="1">
        <button>Order now</button></form></main>""")
    (draft,) = found.values()
    props = draft.parameters["properties"]
    kinds = {name: (content["type"], content.get("format")) for name, content in props.items()}
    assert draft.side_effect == "write"
    assert draft.submits == 2
    assert kinds == {
        "email": ("string", "email"),
        "quantity": ("integer", None),
        "weight": ("number", None),
        "volume": ("integer", None),
        "colour": ("string", None),
        "size": ("string", None),
        "gift_wrap": ("boolean", None),
        "deliver_on": ("string", "date"),
        "at": ("string", None),
        "homepage": ("string", "uri"),
        "article_number": ("string", None),
        "picture": ("string", "x-file"),
        "notes": ("string", None),
    }
    assert props["colour"]["enum"] == ["Red", "Blue"]
    assert props["size"] == props["size"] | {"enum": ["Small", "Large"], "default": "Large"}
    assert draft.parameters["required"] == ["email", "article_number"]
    recipe = Recipe(name=draft.name, parameters=draft.parameters, steps=draft.steps)
    for values in (draft.examples, draft.others):
        assert check_arguments(recipe, values)
    assert draft.examples["picture"].startswith("data:image/png;")
    assert draft.examples["deliver_on"] != draft.others["deliver_on"]
    assert [dump_step(step)["op"] for step in draft.steps][-1] == "click"


def test_a_search_form_reads_and_is_tried_with_words_that_are_there(proposals: Proposals) -> None:
    items = "".join(
        f'<li class="item"><h3><a href="/i/{n}">{name}</a></h3><span class="price">EUR {n}.50</span></li>'
        for n, name in enumerate(("Oak table", "Oak bench", "Pine table", "Steel stool"), 1)
    )
    found = proposals(f"""<main><h1>Furniture</h1><form action="/"><label>Search <input name="q"></label>
        <select name="sort" aria-label="Sort"><option>Name</option><option>Price</option></select>
        <button>Go</button></form><ul>{items}</ul></main>""")
    search = found["search_furniture"]
    assert (search.kind, search.side_effect) == ("search", "read")
    assert search.examples == {"query": "table"}
    assert "query" in search.others
    listing = found["list_furnitures"] if "list_furnitures" in found else found["list_furniture"]
    assert listing.returns is not None
    (schema,) = listing.returns["properties"].values()
    assert list(schema["items"]["properties"]) == ["name", "url", "price"]
    assert schema["items"]["properties"]["price"]["type"] == ["object", "null"]


@pytest.mark.parametrize(
    ("button", "side_effect"),
    [
        ("Delete account", "destructive"),
        ("Konto löschen", "destructive"),
        ("Send", "write"),
        ("Cancel order", "destructive"),
        ("Request password reset", "write"),
    ],
)
def test_the_words_of_the_button_decide_what_it_does(proposals: Proposals, button: str, side_effect: str) -> None:
    (draft,) = proposals(
        f"""<main><h1>Account</h1><form method="post"><label>Reason <input name="r"></label>
        <button>{button}</button></form></main>"""
    ).values()
    assert draft.side_effect == side_effect


def test_a_form_of_a_script_that_names_no_method_is_not_taken_for_a_search(proposals: Proposals) -> None:
    (draft,) = proposals("""<main><h1>Invite</h1><form onsubmit="send(event)"><label>Email
        <input type="email" name="e"></label><button>Invite</button></form></main>""").values()
    assert draft.side_effect == "write"


def test_one_sign_in_is_proposed_and_no_sign_up(proposals: Proposals) -> None:
    found = proposals(
        {
            "/": '<a href="/login">Log in</a><a href="/join">Sign up</a>',
            "/login": """<main><h1>Sign in</h1><form method="post"><label>User <input name="u"></label>
                <label>Password <input type="password" name="p"></label>
                <label><input type="checkbox" name="rm">Keep me logged in on this computer</label>
                <button>Sign in</button></form></main>""",
            "/join": """<main><h1>Create an account</h1><form method="post"><label>User <input name="u"></label>
                <label>Password <input type="password" name="p" autocomplete="new-password"></label>
                <button>Sign up</button></form></main>""",
        }
    )
    assert [name for name, draft in found.items() if draft.kind == "login"] == ["log_in"]
    assert found["log_in"].examples == {}
    assert found["log_in"].submits == 0
    assert list(logins.ticks(found["log_in"].parameters).values()) == [True]
    assert found["create_account"].kind == "action"


def test_zip_codes_and_keywords_are_no_secrets(proposals: Proposals) -> None:
    (draft,) = proposals("""<main><h1>Address</h1><form method="post"><label>Zip code <input name="zip_code"></label>
        <label>Keyword <input name="keyword"></label><label>Shipping to <input name="shipping"></label>
        <label>Pin <input name="pin"></label><button>Save</button></form></main>""").values()
    formats = {name: content.get("format") for name, content in draft.parameters["properties"].items()}
    assert formats == {"zip_code": None, "keyword": None, "shipping_to": None, "pin": "password"}


def test_a_button_in_every_row_is_one_tool_that_names_the_row(proposals: Proposals) -> None:
    rows = "".join(
        f"""<tr><td>{n}</td><td><a href="/t/{n}">{title}</a></td><td>open</td>
        <td><form method="post" action="/t/{n}/delete"><button>Delete</button></form></td></tr>"""
        for n, title in ((1, "Broken lamp"), (10, "Late parcel"), (11, "Wrong invoice"))
    )
    found = proposals(f"""<main><h1>Tickets</h1><table><thead><tr><th>No</th><th>Subject</th><th>Status</th>
        <th>Actions</th></tr></thead><tbody>{rows}</tbody></table></main>""")
    delete = found["delete_ticket"]
    assert delete.side_effect == "destructive"
    assert delete.submits == 1
    target = delete.steps[-1].fields["target"]
    assert isinstance(target, Target)
    assert target.within is not None
    assert target.within.text == "{{ticket}}"
    assert delete.examples == {"ticket": "Wrong invoice"}
    assert list(returned(found["list_tickets"])["tickets"]["items"]["properties"]) == [
        "no",
        "subject",
        "status",
    ]


def test_chrome_is_no_tool(proposals: Proposals) -> None:
    links = "".join(f'<li><a href="/{word}">{word}</a></li>' for word in ("one", "two", "three", "four"))
    found = proposals(f"""<header><nav><ul>{links}</ul></nav>
        <form action="/i18n"><select name="language"><option>English</option><option>Deutsch</option></select>
        <button>Change</button></form></header>
        <main><h1>Things</h1><form><select name="sort"><option>Name</option><option>Age</option></select>
        <button>Apply</button></form><ul>{links}</ul>
        <table role="presentation"><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table></main>
        <footer><ul class="social">{links}</ul><form method="post" action="/logout"><button>Log out</button></form>
        </footer>""")
    assert found == {}


def test_the_same_form_on_several_pages_is_one_tool(proposals: Proposals) -> None:
    header = """<header><form role="search" action="/find"><input name="q" aria-label="Search">
        <button>Go</button></form></header>"""
    found = proposals({"/": header + '<a href="/a">A</a><a href="/b">B</a>', "/a": header, "/b": header})
    assert list(found) == ["search_site"]


def test_questions_with_answers_are_a_list(proposals: Proposals) -> None:
    items = "".join(f"<details><summary>What is {n}?</summary><p>It is answer {n}.</p></details>" for n in "abc")
    (draft,) = proposals(f"<main><h1>FAQ</h1><section>{items}</section></main>").values()
    (schema,) = returned(draft).values()
    assert list(schema["items"]["properties"]) == ["question", "answer"]


def test_pages_made_alike_become_one_tool_with_a_parameter(proposals: Proposals) -> None:
    def page(name: str) -> str:
        return f"""<main><h1>{name}</h1><p class="price">EUR 5.00</p><table><tr><th>Size</th><td>{name}</td></tr>
            <tr><th>Weight</th><td>3 kg</td></tr></table></main>"""

    names = ("ash", "birch", "cedar", "elm")
    cards = "".join(f'<li><h3><a href="/trees/{name}">{name.title()}</a></h3><p>A tree</p></li>' for name in names)
    found = proposals({"/": f"<main><h1>Trees</h1><ul>{cards}</ul></main>", **{f"/trees/{n}": page(n) for n in names}})
    show = found["show_tree"]
    assert show.start_url.endswith("/trees/{{tree}}")
    assert show.examples == {"tree": "ash"}
    assert show.others == {"tree": "birch"}
    assert list(returned(show)) == ["tree", "details"]


def test_forms_in_frames_and_shadow_roots_and_below_the_fold_are_seen(proposals: Proposals) -> None:
    found = proposals(
        {
            "/": """<h1>Club</h1><iframe src="/inner" title="Newsletter"></iframe><div id="host"></div>
                <script>host.attachShadow({mode: "open"}).innerHTML =
                '<form method="post"><label>Nickname <input name="n"></label><button>Join club</button></form>'</script>
                <div style="height:4000px"></div><form method="post" action="/b"><label>Wish <input name="w"></label>
                <button>Post wish</button></form>""",
            "/inner": """<form method="post"><label>Email <input type="email" name="e"></label>
                <button>Subscribe</button></form>""",
        }
    )
    assert set(found) == {"subscribe_club", "join_club", "post_wish"}
    target = found["subscribe_club"].steps[1].fields["target"]
    assert isinstance(target, Target)
    assert target.frames[0].title == "Newsletter"
    assert found["post_wish"].box.y > 4000


def test_a_draft_survives_its_plain_form(proposals: Proposals) -> None:
    (draft,) = proposals(
        '<main><h1>Box</h1><form method="post"><label>Note <input name="n"></label><button>Send</button></form>'
    ).values()
    assert draft_from(draft.as_dict()) == draft
