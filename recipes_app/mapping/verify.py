"""See whether a recorded tool works by itself: in a fresh session, with the recorded values and with others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal
from urllib.parse import urlsplit

from recipes_app.browser.api import Error, Response
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.acting import SENDS_NOTHING, acts
from recipes_app.engine.arguments import problems_of
from recipes_app.engine.document import VOCABULARY, Recipe, Step, dump_recipe
from recipes_app.engine.events import About, Event, Progress
from recipes_app.engine.ops.emptiness import NOTHING as SAYS_NOTHING
from recipes_app.engine.parameters import other_arguments
from recipes_app.engine.runner import Outcome, RunOptions, run
from recipes_app.engine.substitution import as_words, placeholders
from recipes_app.mapping.bind import values_of
from recipes_app.mapping.haste import pause_after
from recipes_app.mapping.propose.words import NOTHING_FOUND, says
from recipes_app.mapping.traces import Traces, errors, look
from recipes_app.mapping.unique import made_new

Mode = Literal["full", "dry_run"]
OpenSession = Callable[[], AbstractContextManager[BrowserSession]]
PHASE = "verify"
BAD_STATUS = 400
UNSEEN = Traces("", (), ())


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    ok: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """`checks` in words, in the order they were made; `submitted` is how often it really submitted."""

    passed: bool
    checks: tuple[Check, ...]
    outcome: Outcome | None
    submitted: int = 0

    def as_dict(self) -> dict[str, Any]:
        return {"passed": self.passed, "checks": [asdict(check) for check in self.checks], "submitted": self.submitted}


@dataclass(frozen=True, slots=True)
class Replay:
    """One replay, what the page said before the step that submits and afterwards, and pages that were errors."""

    arguments: Mapping[str, Any]
    outcome: Outcome
    page: Traces
    before: Traces = UNSEEN
    refused: tuple[str, ...] = ()

    @property
    def complaints(self) -> list[str]:
        """Beside fields whenever they came; notices of an error only if they are new."""
        new = errors(self.before, self.page) if self.before is not UNSEEN else []
        return list(dict.fromkeys([*self.page.complaints, *new]))


@dataclass(eq=False)
class Watching:
    """What a replay shows while it runs. No slots: Playwright leaves an attribute on the owner of a listener."""

    session: BrowserSession
    emit: Callable[[Event], None]
    path: str | None
    before: Traces = UNSEEN
    refused: list[str] = field(default_factory=list)

    def hear(self, event: Event) -> None:
        if isinstance(event, About) and event.path == self.path:
            self.before = look(self.session.page)
        self.emit(event)

    def note(self, response: Response) -> None:
        if response.status >= BAD_STATUS and response.request.is_navigation_request() and is_of_a_page(response):
            self.refused.append(f"{urlsplit(response.url).path} answered HTTP {response.status}")

    @contextmanager
    def on(self) -> Iterator[None]:
        context = self.session.context
        context.on("response", self.note)
        try:
            yield
        finally:
            context.remove_listener("response", self.note)


@dataclass(slots=True)
class Verification:
    recipe: Recipe
    open_session: OpenSession
    emit: Callable[[Event], None]
    submit_path: str | None = None
    careful: bool = False
    options: RunOptions = field(default_factory=RunOptions)
    checks: list[Check] = field(default_factory=list)
    replays: list[Replay] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)

    def dry_run(self, arguments: Mapping[str, Any]) -> None:
        options = replace(self.options, stop_before_submit=True, submit_path=self.submit_path)
        self._replay("replays up to the step that would submit", arguments, options)

    def write(self, arguments: Mapping[str, Any]) -> None:
        """Once more where the site took it for haste: what it refused for that it has not accepted."""
        replay = self._replay("replays with other values", arguments, self.options)
        pause_ms = pause_after(replay.complaints)
        if pause_ms:
            self._wait(pause_ms)
            self.checks.clear()
            self.uses_its_parameters()
            replay = self._replay("replays with other values", arguments, self.options)
        self._judge(replay)

    def _wait(self, ms: int) -> None:
        self.emit(Progress(PHASE, len(self.replays), None, "the site asks to wait"))
        with self.open_session() as session:
            session.page.wait_for_timeout(ms)

    def read(self, arguments: Mapping[str, Any], others: Mapping[str, Any]) -> None:
        first = self._replay("replays with the recorded values", arguments, self.options)
        self._judge(first)
        self._is_complete(first)
        if self.sent or not first.outcome.ok or not others or dict(others) == dict(arguments):
            self._sends_nothing()
            return
        second = self._replay("replays with other values", others, self.options)
        self._sends_nothing()
        if second.outcome.ok:
            self._judge(second, may_miss=True)
            self._follows(first, second)

    def uses_its_parameters(self) -> None:
        """A parameter that no step has a place for changes nothing; a script may use any."""
        steps = self.recipe.steps
        unused = sorted(set(self.recipe.parameters.get("properties") or {}) - named_in(steps))
        if unused and not runs_scripts(steps):
            self.checks.append(Check("every parameter is used", False, f"no step uses {', '.join(unused)}"))
        elif self.recipe.parameters.get("properties"):
            self.checks.append(Check("every parameter is used", ok=True))

    def _sends_nothing(self) -> None:
        """Once something was sent it is replayed no more, so that a tool that lies has done it once."""
        if self.sent or all(replay.outcome.ok for replay in self.replays):
            self.checks.append(Check(SENDS_NOTHING, not self.sent, "; ".join(self.sent[:3])))

    def _replay(self, name: str, arguments: Mapping[str, Any], options: RunOptions) -> Replay:
        self.emit(Progress(PHASE, len(self.replays), None, name))
        with self.open_session() as session:
            watching = Watching(session, self.emit, self.submit_path)
            with watching.on():
                outcome = run(self._as_taken(), arguments, session, emit=watching.hear, options=options)
                page = look(session.page)
            self.sent += session.sending.requests
        detail = "" if outcome.ok else str((outcome.error or {}).get("error", "it failed"))
        self.checks.append(Check(name, outcome.ok, detail))
        replay = Replay(arguments, outcome, page, watching.before, tuple(watching.refused))
        self.replays.append(replay)
        self._answers(replay)
        return replay

    def _answers(self, replay: Replay) -> None:
        """An error page is no result, however much there is to read on it; a step that accepts any says so."""
        if replay.outcome.ok and not accepts_any_status(self.recipe):
            self.checks.append(
                Check("no page answers with an error", not replay.refused, "; ".join(replay.refused[:3]))
            )

    def _as_taken(self) -> Recipe:
        doubted = self.careful and self.recipe.side_effect == "read" and acts(dump_recipe(self.recipe)["steps"])
        return replace(self.recipe, side_effect="write") if doubted else self.recipe

    def _judge(self, replay: Replay, *, may_miss: bool = False) -> None:
        """Other values may find nothing where the recorded ones did, if the page says so in words."""
        if not replay.outcome.ok:
            return
        self._says_no_error(replay)
        if may_miss and says_nothing_is_there(replay.page):
            self.checks.append(Check("something comes back", ok=True, detail="nothing was found, and the page says so"))
        else:
            self._is_not_empty(replay)
        self._is_as_described(replay)

    def _says_no_error(self, replay: Replay) -> None:
        found = replay.complaints
        self.checks.append(Check("the page shows no error", not found, "; ".join(found[:3])))

    def _is_not_empty(self, replay: Replay) -> None:
        """What reads must bring something back; a key whose schema says minItems 0 may come back empty."""
        data = replay.outcome.data
        if self.recipe.side_effect != "read" and not data:
            return
        empty = [key for key, value in data.items() if _is_empty(value) and not self._may_be_empty(key)]
        ok = bool(data) and len(empty) < len(data)
        lists = [key for key in empty if isinstance(data[key], list)]
        detail = f"nothing came back as {', '.join(empty)}" if empty else "" if data else "nothing came back"
        self.checks.append(Check("something comes back", ok and not lists, detail))

    def _is_complete(self, replay: Replay) -> None:
        """A step that may be left out read something when it was recorded: where none does, nothing is right."""
        promised = (self.recipe.returns or {}).get("properties", {})
        missing = [key for key in promised if key not in replay.outcome.data]
        if replay.outcome.ok and missing:
            self.checks.append(Check("all that is described comes back", False, f"there was no {', '.join(missing)}"))

    def _may_be_empty(self, key: str) -> bool:
        properties = (self.recipe.returns or {}).get("properties", {})
        return bool(properties.get(key, {}).get("minItems") == 0)

    def _is_as_described(self, replay: Replay) -> None:
        if not self.recipe.returns:
            return
        problems = problems_of(self.recipe.returns, replay.outcome.data, "the result")
        detail = problems[0][:200] if problems else ""
        self.checks.append(Check("what comes back is as described", not problems, detail))

    def _follows(self, first: Replay, second: Replay) -> None:
        """Other values must show: in what comes back, in the address, or repeated on the page."""
        if first.outcome.data != second.outcome.data or first.outcome.url != second.outcome.url:
            self.checks.append(Check("it follows its parameters", ok=True))
            return
        changed = {name: value for name, value in second.arguments.items() if first.arguments.get(name) != value}
        shown = " ".join(piece.text for piece in second.page.pieces).casefold()
        echoed = any(as_words(value).casefold() in shown for value in values_of(changed))
        detail = "" if echoed else f"other values of {', '.join(sorted(changed))} bring back the same"
        self.checks.append(Check("it follows its parameters", echoed, detail))


def says_nothing_is_there(page: Traces) -> bool:
    texts = [piece.text for piece in page.pieces]
    return says(NOTHING_FOUND, *texts) or any(SAYS_NOTHING.search(text) for text in texts)


def _is_empty(value: Any) -> bool:
    if isinstance(value, list):
        return not any(any(part not in (None, "") for part in _parts(item)) for item in value)
    return value in (None, "", {})


def _parts(item: Any) -> list[Any]:
    return list(item.values()) if isinstance(item, dict) else [item]


def is_of_a_page(response: Response) -> bool:
    """Not of a frame inside one. A page that is just being opened has no frame yet."""
    try:
        return response.frame.parent_frame is None
    except Error:
        return True


def named_in(steps: tuple[Step, ...]) -> set[str]:
    """The parameters that have a place in them, inner steps included."""
    return {name.partition(".")[0] for name in placeholders(steps)}


def runs_scripts(steps: Any) -> bool:
    return "js_extract" in str(dump_recipe(Recipe("any", steps=steps))["steps"])


def accepts_any_status(recipe: Recipe) -> bool:
    return "'status': 'any'" in str(dump_recipe(recipe)["steps"])


def last_act(recipe: Recipe) -> str | None:
    """The step that submits, where nobody said which: the last one that does anything, what follows only reads."""
    acting = [index for index, step in enumerate(recipe.steps) if VOCABULARY[step.op].writes]
    return f"steps[{acting[-1]}]" if acting else None


def verify(  # noqa: PLR0913 - everything by name
    recipe: Recipe,
    *,
    arguments: Mapping[str, Any],
    others: Mapping[str, Any],
    open_session: OpenSession,
    emit: Callable[[Event], None],
    mode: Mode = "full",
    submit_path: str | None = None,
    careful: bool = False,
    options: RunOptions | None = None,
) -> Verdict:
    """Replays by the rule of the tool's side effect; never raises for a failing tool.

    A dry run stops before submitting. Else a tool that writes submits once, with `others`; one that reads is
    replayed with `arguments` and with `others`, and may send nothing that could change the site. Without `others`,
    other valid values are made up from the schema. `careful`: that it only reads is not believed until it is seen.
    """
    made = Verification(
        recipe, open_session, emit, submit_path or last_act(recipe), careful, options=options or RunOptions()
    )
    second = dict(others) or made_new(recipe.parameters, other_arguments(recipe.parameters, dict(arguments)))
    made.uses_its_parameters()
    if mode == "dry_run":
        made.dry_run(second)
    elif recipe.side_effect == "read":
        made.read(arguments, second)
    else:
        made.write(second)
    passed = all(check.ok for check in made.checks)
    last = made.replays[-1].outcome if made.replays else None
    submitted = 1 if mode == "full" and recipe.side_effect != "read" else 0
    return Verdict(passed, tuple(made.checks), last, submitted)
