"""A little shop for proposals by model, and a model's one answer about it."""

import json
from typing import Any

from recipes_app.llm.base import Answer
from recipes_app.llm.budget import Budget
from recipes_app.llm.model import Model
from recipes_app.llm.scripted import Scripted
from recipes_app.mapping.facts import Survey
from recipes_app.mapping.propose.draft import Draft
from recipes_app.mapping.propose.model import Proposed, propose_by_model
from recipes_app.mapping.propose.model_view import View, view_of
from recipes_app.mapping.propose.rules import propose
from tests.reviews import review

NAMES = ("Oak table", "Oak bench", "Pine table", "Steel stool")
ITEMS = "".join(
    f'<li class="item"><h3><a href="/i/{n}">{name}</a></h3><span class="price">EUR {n}.50</span></li>'
    for n, name in enumerate(NAMES, 1)
)
MESSAGE = """<form method="post" action="/write"><label>Your message <textarea name="m" required></textarea></label>
    <button>Send message</button></form>"""
PAGES = {
    "/": f"""<title>Furniture</title><main><h1>Furniture</h1><form action="/"><label>Search <input name="q"></label>
        <button>Find</button></form><ul>{ITEMS}</ul>
        <p><a href="/write">Write to us</a> <a href="/account">Your account</a>
        <a href="/sale/today">Sale of the day</a>
        <a href="http://elsewhere.test/x">Partner</a></p></main>""",
    "/write": f"<title>Write</title><main><h1>Write to us</h1>{MESSAGE}</main>",
    "/account": """<title>Account</title><main><h1>Account</h1><form method="post" action="/gone">
        <label>Reason <input name="r"></label><button>Delete account</button></form></main>""",
    "/login": """<title>Sign in</title><main><h1>Sign in</h1><form method="post"><label>User <input name="u"></label>
        <label>Password <input type="password" name="p"></label><button>Sign in</button></form></main>""",
}


def asked(survey: Survey, *parts: dict[str, Any]) -> tuple[dict[str, Draft], Proposed]:
    """The drafts by name, and all that came of one answer."""
    answer = review(*parts)
    model = Scripted([Answer(data=answer, text=json.dumps(answer))])
    proposed = propose_by_model(survey, propose(survey), Model(model, budget=Budget()), budget_tokens=None)
    assert len(model.requests) == 1
    assert len({draft.name for draft in proposed.drafts}) == len(proposed.drafts)
    return {draft.name: draft for draft in proposed.drafts}, proposed


def page(survey: Survey, path: str) -> int:
    return next(n for n, each in view(survey).pages.items() if each.final_url.endswith(path))


def part(survey: Survey, path: str, text: str) -> str:
    """The name of the link with that text."""
    of_page = page(survey, path)
    found = [name for (n, name), it in view(survey).parts.items() if n == of_page and getattr(it, "text", "") == text]
    return found[0]


def view(survey: Survey) -> View:
    return view_of(survey, propose(survey), tokens=9000)
