"""The recipes of the suite: recorded once on the practice site by the rules, kept as files."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.drift.oracle import keys_of
from examples.practice.server import PracticeSite
from recipes_app.browser.session import ContextOptions
from recipes_app.browser.thread import Desk
from recipes_app.engine.document import Recipe, dump_recipe, parse_recipe
from recipes_app.engine.events import Event
from recipes_app.mapping.crawl import CrawlOptions, crawl
from recipes_app.mapping.propose.draft import Draft
from recipes_app.mapping.propose.rules import propose
from recipes_app.mapping.record import Recorded, record

FOLDER = Path(__file__).parent / "recipes"
PLACE = "http://practice.invalid"
PAGES = 25


@dataclass(frozen=True, slots=True)
class Sample:
    """A recorded recipe. `keys`: by step path, what its element was to the site when it was recorded."""

    recipe: Recipe
    arguments: Mapping[str, Any]
    keys: Mapping[str, str]

    @property
    def name(self) -> str:
        return self.recipe.name


def samples(url: str, only: tuple[str, ...] = ()) -> tuple[Sample, ...]:
    """All of them, or those named, for the site at this address."""
    files = sorted(FOLDER.glob("*.json"))
    return tuple(load(path, url) for path in files if not only or path.stem in only)


def load(path: Path, url: str) -> Sample:
    data = json.loads(path.read_text(encoding="utf-8").replace(PLACE, url))
    return Sample(parse_recipe(data["recipe"]), data["arguments"], data["keys"])


def save(sample: Sample, url: str) -> Path:
    data = {"recipe": dump_recipe(sample.recipe), "arguments": dict(sample.arguments), "keys": dict(sample.keys)}
    text = json.dumps(data, indent=1, ensure_ascii=False).replace(url, PLACE)
    path = FOLDER / f"{sample.name}.json"
    path.write_text(f"{text}\n", encoding="utf-8")
    return path


def record_all(desk: Desk, site: PracticeSite, options: ContextOptions, tell: Callable[[str], None]) -> list[Sample]:
    """On the browser thread: survey the site, propose by rules, record every proposal that is no sign-in."""
    with desk.session(options) as session:
        drafts = propose(crawl(session, site.url, CrawlOptions(max_pages=PAGES, politeness_s=0), quiet))
    made: list[Sample] = []
    for draft in drafts:
        if draft.kind == "login":
            continue
        tell(f"recording {draft.name}")
        made.append(record_one(desk, site, options, draft))
    return made


def record_one(desk: Desk, site: PracticeSite, options: ContextOptions, draft: Draft) -> Sample:
    site.reset()
    with desk.session(options) as session:
        recorded: Recorded = record(draft, draft.examples, session, quiet)
    site.reset()
    with desk.session(options) as session:
        return Sample(recorded.recipe, recorded.arguments, keys_of(session, recorded.recipe, recorded.arguments))


def quiet(_event: Event) -> None:
    return
