"""What healing proposes where a trial was refused: the right element, another one, or nothing."""

from __future__ import annotations

from bench.drift.fixtures import Sample, quiet
from bench.drift.oracle import EACH
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.finding.outcome import Look
from recipes_app.engine.healing import percent
from recipes_app.engine.runner import RunOptions
from recipes_app.engine.substitution import substitute
from recipes_app.engine.target import resolve
from recipes_app.mapping.heal import HIDDEN_OPS, heal, step_at

MENDABLE = frozenset({"missing", "ambiguous", "drifted"})
FIND_MS = 3000


def mend(session: BrowserSession, sample: Sample, path: str, base_url: str) -> str:
    """`right`, `wrong: …` or `nothing: …`, for the step at this path."""
    options = RunOptions(base_url=base_url)
    found = heal(sample.recipe, path, sample.arguments, session, quiet, options=options)
    if found.target is None:
        return f"nothing: {found.message}"
    look = Look(visible=step_at(sample.recipe, path).op not in HIDDEN_OPS)
    node = resolve(session, substitute(found.target, sample.arguments), FIND_MS, look=look).locator
    key = node.evaluate_all(EACH)[0]
    told = f"{found.found} ({percent(found.score or 0)}), then {found.second or 'nothing'}"
    return "right" if key == sample.keys[path] else f"wrong: {told}"
