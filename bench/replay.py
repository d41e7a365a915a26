"""A flow of 21 steps as a recipe in a warm worker against the same steps hand-written in Playwright.

Six fields, a choice, a box, a form sent and its answer read, then three pages of a list with 20 rows each. The recipe
goes through the policy proxy with every check on; the hand-written flow has no proxy and checks nothing, takes a new
context each time, and reads the rows of a page in one evaluation. A third arm reads them one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from threading import Event
from time import perf_counter
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from bench.frame import NotReady, Options, Result, median
from bench.serving import context_for, served
from recipes_app.browser.chromium import Limits
from recipes_app.browser.describe import describe
from recipes_app.browser.launch import find_browser, launch_flags
from recipes_app.browser.session import BrowserSession, ContextOptions
from recipes_app.browser.thread import BrowserThread, Desk
from recipes_app.engine.document import Recipe, parse_recipe
from recipes_app.engine.runner import Outcome
from recipes_app.engine.runner import run as run_recipe

ROUNDS = 30
GOAL = 1.0
# Long enough to close a context and to make the next one.
IDLE_S = 0.25
LIST_PAGES = 3
ROWS = 20
FIELDS = {
    "Name": ("text", "Ada Lovelace"),
    "Email": ("email", "ada@example.org"),
    "Phone": ("tel", "+44 20 7946 0018"),
    "Guests": ("number", "4"),
    "Day": ("date", "2026-12-24"),
    "Message": ("textarea", "A table at the window, please."),
}
FORM = """<!doctype html><html lang="en"><title>Book a table</title><main><h1>Book a table</h1><form>%s
<p><label for="meal">Meal</label> <select id="meal" name="meal"><option>Lunch<option>Dinner</select></p>
<p><label><input type="checkbox" name="terms"> I accept the terms</label></p>
<button type="submit">Book</button></form><p id="answer" role="status"></p></main>
<script>
document.forms[0].addEventListener("submit", async (event) => {
  event.preventDefault();
  const fields = Object.fromEntries(new FormData(event.target));
  const answer = await (await fetch("/book", {method: "POST", body: JSON.stringify(fields)})).json();
  document.getElementById("answer").textContent = `Booked with ${answer.fields} fields`;
});
</script></html>"""
ANSWER = "Booked with 8 fields"
ROW = '<li class="entry"><a href="/entries/{0}">Entry {0}</a> <span class="price">{0}.50</span></li>'
# What somebody who cares for speed writes: one round trip for all rows.
READ_ROWS = """rows => rows.map(row => ({
  title: row.querySelector("a").innerText, price: row.querySelector(".price").innerText}))"""


def pages() -> dict[str, str]:
    lists = {f"/list?page={number}": list_page(number) for number in range(1, LIST_PAGES + 1)}
    return {"/form": FORM % "".join(map(form_row, FIELDS)), **lists}


def form_row(label: str) -> str:
    kind, name = FIELDS[label][0], label.lower()
    control = (
        f'<textarea id="{name}" name="{name}"></textarea>'
        if kind == "textarea"
        else f'<input type="{kind}" id="{name}" name="{name}">'
    )
    return f'<p><label for="{name}">{label}</label> {control}</p>'


def list_page(number: int) -> str:
    rows = "".join(ROW.format(entry) for entry in range((number - 1) * ROWS + 1, number * ROWS + 1))
    more = f'<a href="/list?page={number + 1}">Next page</a>' if number < LIST_PAGES else ""
    head = f'<!doctype html><html lang="en"><title>Page {number}</title><main><h1>Page {number}</h1>'
    return f'{head}<ul class="entries">{rows}</ul><nav>{more}</nav></main></html>'


def recipe_for(address: str, session: BrowserSession) -> Recipe:
    """Targets as a recording has them: several locators and a fingerprint each."""
    session.goto(f"{address}/form")
    steps = [goto(f"{address}/form"), *form_steps(session.page, partial(describe, session))]
    session.goto(f"{address}/list?page=1")
    steps += list_steps(address, describe(session, session.page.get_by_role("link", name="Next page")))
    parameters = {
        "type": "object",
        "properties": {label.lower(): {"type": "string"} for label in FIELDS},
        "required": [label.lower() for label in FIELDS],
        "additionalProperties": False,
    }
    given = {"name": "book_and_list", "description": "Book a table, then read the list.", "side_effect": "write"}
    return parse_recipe({**given, "parameters": parameters, "steps": steps})


def goto(url: str) -> dict[str, Any]:
    return {"op": "goto", "url": url}


def form_steps(page: Page, target: Callable[..., dict[str, Any]]) -> list[dict[str, Any]]:
    fills = [fill_step(label, target(page.get_by_label(label, exact=True))) for label in FIELDS]
    answer = {"kind": "page_text_contains", "value": ANSWER}
    return [
        *fills,
        {"op": "select", "target": target(page.get_by_label("Meal")), "value": "Dinner"},
        {"op": "check", "target": target(page.get_by_label("I accept the terms"))},
        {"op": "click", "target": target(page.get_by_role("button", name="Book"))},
        {"op": "wait_for", "condition": answer},
        {"op": "extract", "target": {"role": "status"}, "key": "answer"},
    ]


def fill_step(label: str, target: dict[str, Any]) -> dict[str, Any]:
    value = f"{{{{{label.lower()}}}}}"
    if FIELDS[label][0] == "date":
        return {"op": "set_date", "target": target, "value": value}
    return {"op": "type", "target": target, "text": value}


def list_steps(address: str, following: dict[str, Any]) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = []
    for number in range(1, LIST_PAGES + 1):
        turn = {"op": "click", "target": following, "expect": {"url": f"{address}/list?page={number}"}}
        fields = {"title": {"css": "a"}, "price": {"css": ".price"}}
        steps += [
            turn if number > 1 else goto(f"{address}/list?page=1"),
            {"op": "wait_for", "selector": "li.entry"},
            {"op": "extract_list", "items": {"css": "li.entry"}, "fields": fields, "key": f"page_{number}"},
        ]
    return steps


def by_hand(browser: Browser, address: str, read_rows: Callable[[Page], list[dict[str, str]]]) -> dict[str, Any]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    try:
        page = context.new_page()
        read: dict[str, Any] = {"answer": book_by_hand(page, address)}
        page.goto(f"{address}/list?page=1", wait_until="domcontentloaded")
        for number in range(1, LIST_PAGES + 1):
            if number > 1:
                page.get_by_role("link", name="Next page").click()
                page.wait_for_url(f"**/list?page={number}", wait_until="domcontentloaded")
            page.locator("li.entry").first.wait_for()
            read[f"page_{number}"] = read_rows(page)
        return read
    finally:
        context.close()


def book_by_hand(page: Page, address: str) -> str:
    page.goto(f"{address}/form", wait_until="domcontentloaded")
    for label, (_, value) in FIELDS.items():
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_label("Meal").select_option("Dinner")
    page.get_by_label("I accept the terms").check()
    page.get_by_role("button", name="Book").click()
    page.get_by_text(ANSWER).wait_for()
    return page.get_by_role("status").inner_text()


def rows_at_once(page: Page) -> list[dict[str, str]]:
    read: list[dict[str, str]] = page.locator("li.entry").evaluate_all(READ_ROWS)
    return read


def rows_one_by_one(page: Page) -> list[dict[str, str]]:
    return [
        {"title": row.locator("a").inner_text(), "price": row.locator(".price").inner_text()}
        for row in page.locator("li.entry").all()
    ]


@dataclass(frozen=True, slots=True)
class Place:
    """`browser` is the hand-written flow's own, `thread` has the worker's. `ran`: the steps of every replay."""

    address: str
    thread: BrowserThread
    context: ContextOptions
    browser: Browser
    ran: list[list[dict[str, Any]]] = field(default_factory=list)

    def idle(self) -> None:
        """Until the worker has its next context ready, as it has between calls; making it must not slow another arm."""
        Event().wait(IDLE_S)
        self.thread.call(lambda _desk: None)
        Event().wait(IDLE_S)

    def replay(self, recipe: Recipe) -> dict[str, Any]:
        arguments = {label.lower(): value for label, (_, value) in FIELDS.items()}

        def work(desk: Desk) -> Outcome:
            with desk.session(self.context) as session:
                return run_recipe(recipe, arguments, session, emit=desk.emit)

        outcome = self.thread.call(work)
        if not outcome.ok or outcome.warnings:
            raise NotReady(f"the recipe failed: {outcome.error or outcome.warnings}")
        self.ran.append(outcome.steps)
        return outcome.data


@contextmanager
def open_place(address: str = "") -> Iterator[Place]:
    """address: where the pages are served already."""
    # Recycling would fall into the middle of the rounds, and a worker does it while it has nothing to do.
    thread = BrowserThread(limits=Limits(jobs=100_000))
    try:
        pages_served = nullcontext(address) if address else served(pages())
        with pages_served as at, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find_browser(), args=launch_flags())
            context = context_for(at)
            thread.warm(context)
            yield Place(at, thread, context, browser)
            browser.close()
    finally:
        thread.stop()


def run(options: Options) -> Result:
    with open_place() as place:
        recipe = recorded(place)
        arms: dict[str, Callable[[], dict[str, Any]]] = {
            "recipe": partial(place.replay, recipe),
            "by hand": partial(by_hand, place.browser, place.address, rows_at_once),
            "by hand, row by row": partial(by_hand, place.browser, place.address, rows_one_by_one),
        }
        taken = rounds_of(arms, options, place.idle)
    return result_of(taken, place.ran[1:])


def recorded(place: Place) -> Recipe:
    def work(desk: Desk) -> Recipe:
        with desk.session(place.context) as session:
            return recipe_for(place.address, session)

    recipe: Recipe = place.thread.call(work)
    return recipe


def rounds_of(
    arms: Mapping[str, Callable[[], dict[str, Any]]], options: Options, idle: Callable[[], None]
) -> dict[str, list[float]]:
    """Seconds by arm; they take turns after one round that is not counted, and must read the same."""
    names = list(arms)
    taken: dict[str, list[float]] = {name: [] for name in names}
    for number in range(-1, options.rounds or ROUNDS):
        shift, read = number % len(names), []
        for name in names[shift:] + names[:shift]:
            idle()
            started = perf_counter()
            read.append(arms[name]())
            if number >= 0:
                taken[name].append(perf_counter() - started)
        if any(other != read[0] for other in read):
            raise NotReady("the arms did not read the same, so their times say nothing.")
        options.tell(f"round {number + 1}: {', '.join(f'{key} {values[-1:]}' for key, values in taken.items())}")
    return taken


def result_of(taken: Mapping[str, list[float]], ran: list[list[dict[str, Any]]]) -> Result:
    medians = {name: median(values) for name, values in taken.items()}
    ratio = medians["recipe"] / medians["by hand"]
    detail = {
        "steps": len(ran[0]),
        "rounds": len(taken["recipe"]),
        "median s": medians,
        "fastest s": {name: min(values) for name, values in taken.items()},
        "against row by row": medians["recipe"] / medians["by hand, row by row"],
        "step ms": {f"{step['path']} {step['op']}": ms for step, ms in zip(ran[0], step_medians(ran), strict=True)},
    }
    return Result("replay", ratio, "of by hand", f"<= {GOAL:.2f}", ratio <= GOAL, 1.0, detail)


def step_medians(ran: list[list[dict[str, Any]]]) -> list[float]:
    return [median([step["ms"] for step in steps]) for steps in zip(*ran, strict=True)]
