"""One recipe on one variant of the site: what should happen, what was done, what came back."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from bench.drift.fixtures import Sample, quiet
from bench.drift.mending import MENDABLE, mend
from bench.drift.mutations import MUTATIONS, Mutation
from bench.drift.oracle import KEYS, StepFacts, facts_of
from examples.practice import redesign
from examples.practice.server import PracticeSite
from recipes_app.browser.api import Error
from recipes_app.browser.policy import Policy
from recipes_app.browser.session import BrowserSession, ContextOptions
from recipes_app.browser.thread import Desk
from recipes_app.engine.document import ExtractField, Step, Target
from recipes_app.engine.runner import Outcome, RunOptions, run

WITNESS = Path(__file__).with_name("witness.js").read_text(encoding="utf-8").replace("KEYS", KEYS)
COUNT = "(all) => all.map((css) => document.querySelectorAll(css).length)"
# What a visitor has by chance: cookies' names and the log of requests.
BY_CHANCE = ("requests", "sessions", "carts")


@dataclass(frozen=True, slots=True)
class Trial:
    """`acted`: what the page saw being done, as keys; `state`: what the site holds afterwards, as text;
    `reads`: how many nodes each selector of the reading steps finds on the last page; `mended`: what healing proposed.
    """

    sample: Sample
    mutation: Mutation
    facts: tuple[StepFacts, ...]
    outcome: Outcome
    acted: Mapping[str, int]
    state: str
    reads: tuple[int, ...]
    seconds: float
    mended: str = ""

    @property
    def kind(self) -> str:
        return str((self.outcome.error or {}).get("kind", ""))

    @property
    def failed_step(self) -> str:
        return str((self.outcome.error or {}).get("failed_step", ""))

    @property
    def answer(self) -> str:
        """What came back and where it ended, in whatever order it was listed."""
        return json.dumps([in_order(self.outcome.data), address(self.outcome.url)], sort_keys=True)


def in_order(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: in_order(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return sorted((in_order(entry) for entry in value), key=lambda entry: json.dumps(entry, sort_keys=True))
    return value


def address(url: str) -> list[Any]:
    parts = urlsplit(url)
    return [parts.path, sorted(parse_qsl(parts.query, keep_blank_values=True))]


def options_for(site: PracticeSite) -> ContextOptions:
    return ContextOptions(policy=Policy.for_site(site.url, [], [urlsplit(site.url).netloc]))


@contextmanager
def more_designs() -> Iterator[None]:
    """While it lasts the practice site knows the suite's mutations as designs."""
    known = dict(redesign.DESIGNS)
    redesign.DESIGNS.update({mutation.name: mutation.change for mutation in MUTATIONS})
    try:
        yield
    finally:
        redesign.DESIGNS.clear()
        redesign.DESIGNS.update(known)


def design_of(mutation: Mutation) -> str:
    return mutation.name.removeprefix("redesign-")


def try_out(desk: Desk, site: PracticeSite, sample: Sample, mutation: Mutation) -> Trial:
    """On the browser thread, inside `more_designs`."""
    site.reset()
    with desk.session(options_for(site)) as session:
        dress(session, site, mutation)
        facts = facts_of(session, sample.recipe, sample.arguments, sample.keys)
    site.reset()
    acted: Counter[str] = Counter()
    with desk.session(options_for(site)) as session:
        dress(session, site, mutation)
        session.context.expose_binding("agentifyWitness", lambda _source, key: acted.update([str(key)]))
        session.context.add_init_script(script=WITNESS)
        started = perf_counter()
        outcome = run(sample.recipe, sample.arguments, session, emit=quiet, options=RunOptions(base_url=site.url))
        seconds = perf_counter() - started
        reads = counts_on(session, sample)
    trial = Trial(sample, mutation, facts, replace(outcome, picture=None), acted, state_of(site), reads, seconds)
    return replace(trial, mended=try_to_mend(desk, site, trial)) if can_be_mended(trial) else trial


def can_be_mended(trial: Trial) -> bool:
    return trial.kind in MENDABLE and trial.failed_step in trial.sample.keys


def try_to_mend(desk: Desk, site: PracticeSite, trial: Trial) -> str:
    initial = initial_state(site)
    with desk.session(options_for(site)) as session:
        dress(session, site, trial.mutation)
        said = mend(session, trial.sample, trial.failed_step, site.url)
    return said if state_of(site) == initial else "wrong: looking for it changed the site"


def dress(session: BrowserSession, site: PracticeSite, mutation: Mutation) -> None:
    design = design_of(mutation)
    if design in redesign.DESIGNS:
        session.context.add_cookies([{"name": "redesign", "value": design, "url": site.url}])
    if mutation.latency_ms:
        slow = {"offline": False, "latency": mutation.latency_ms, "downloadThroughput": -1, "uploadThroughput": -1}
        session.context.new_cdp_session(session.page).send("Network.emulateNetworkConditions", slow)


def state_of(site: PracticeSite) -> str:
    state = {name: value for name, value in site.state.as_json().items() if name not in BY_CHANCE}
    carts = sorted(json.dumps(cart, sort_keys=True) for cart in site.state.carts.values() if cart)
    return json.dumps([state, carts], sort_keys=True)


def initial_state(site: PracticeSite) -> str:
    site.reset()
    return state_of(site)


def counts_on(session: BrowserSession, sample: Sample) -> tuple[int, ...]:
    selectors = [css for step in sample.recipe.steps for css in selectors_of(step)]
    try:
        found: list[int] = session.page.evaluate(COUNT, selectors)
    except Error as error:
        session.raise_if_lost(error)
        return ()
    return tuple(found)


def selectors_of(step: Step) -> Iterator[str]:
    """What the lists and tables of a recorded recipe are read by."""
    items = step.fields.get("items") or step.fields.get("target")
    if not step.op.startswith("extract") or not isinstance(items, Target) or not items.css:
        return
    yield items.css
    fields: Any = step.fields.get("fields") or {}
    for field in fields.values():
        if isinstance(field, ExtractField) and field.css:
            yield f"{items.css} {field.css}"
