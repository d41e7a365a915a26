"""Results in more than one section: what stands under a heading of its own beside the list that was found.

A page of results may show matching names above the texts that match. A tool that reads one of them would say that
there is nothing where the other one has it; so both are read, and the second may stay away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files

from recipes_app.browser.api import Page
from recipes_app.engine.document import ExtractField, Step, Target
from recipes_app.mapping.propose.columns import rows_schema
from recipes_app.mapping.propose.names import noun_from
from recipes_app.mapping.propose.targets import css_target
from recipes_app.mapping.results import Reading
from recipes_app.mapping.traces import Trace

READING = frozenset({"extract_list", "extract_table"})
COLUMNS = (("name", "string"), ("url", "url"))


@cache
def _script() -> str:
    source = files("recipes_app.mapping") / "js"
    walk, own = ((source / part).read_text(encoding="utf-8") for part in ("walk.js", "sections.js"))
    return f"(opts) => {{\n{walk}\n{own}\n}}"


def other_sections(page: Page, main: Reading, new: Iterable[Trace]) -> Iterator[Reading]:
    """How the sections are read that came with the one `main` reads."""
    target = main.step.fields.get("items") or main.step.fields.get("target")
    if main.is_page or main.step.op not in READING or not isinstance(target, Target) or target.frames:
        return
    came = {trace.text for trace in new if trace.kind == "heading"}
    taken = {main.key}
    for section in page.evaluate(_script(), {"chosen": target.css or ""}):
        key = noun_from(section["heading"])
        if key and key not in taken and section["heading"] in came:
            taken.add(key)
            yield _reading(section["css"], key)


def _reading(css: str, key: str) -> Reading:
    fields = {"name": ExtractField(css="a"), "url": ExtractField(css="a", attr="href", type="url")}
    step = Step("extract_list", {"items": css_target(css, ()), "fields": fields, "key": key}, optional=True)
    return Reading(step, key, rows_schema(COLUMNS))
