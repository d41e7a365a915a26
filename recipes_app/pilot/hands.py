"""Does single steps through the engine's own table, all in one run that goes on: what one opened, a later one finds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from recipes_app.browser.api import Error
from recipes_app.browser.dialogs import SeenDialog
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.act import Scene as Run
from recipes_app.engine.breaking import Broken
from recipes_app.engine.errors import StepFailure
from recipes_app.engine.events import Event
from recipes_app.engine.parameters import secret_values
from recipes_app.engine.runner import Runner, RunOptions
from recipes_app.engine.sending import telling
from recipes_app.engine.shapes import Expect, Recipe, Step

LOAD_MS = 10_000
POPUP_MS = 3000


@dataclass(frozen=True, slots=True)
class Done:
    """What became of one step. `step` is how it has to be written to do the same again: see `follow`.

    `sent` are requests that could have changed something, `error` one line, `kind` one of the engine's ERROR_KINDS.
    """

    step: Step
    path: str
    ok: bool
    url_before: str
    url: str
    kind: str = ""
    error: str = ""
    notes: tuple[str, ...] = ()
    dialogs: tuple[SeenDialog, ...] = ()
    sent: tuple[str, ...] = ()
    opened: bool = False
    files: tuple[str, ...] = ()
    value: Any = None


@dataclass(slots=True)
class Hands:
    """`steps` are those that worked, in order; a failed one leaves no trace. BrowserLost and Aborted pass."""

    run: Run
    runner: Runner
    steps: list[Step] = field(default_factory=list)

    def do(self, step: Step, *, opens: bool = False) -> Done:
        """`opens`: a further page is on its way once the step is done."""
        session = self.run.session
        path = f"steps[{len(self.steps)}]"
        pages, files = len(session.opened), len(session.downloads)
        dialogs, sent, noted = len(session.dialogs.log), len(session.sending.requests), len(self.run.warnings)
        before, failure = session.page.url, self._try(step, path)
        if opens and failure is None:
            session.wait_for_page(pages, timeout_ms=POPUP_MS)
        if failure is not None and failure.kind == "blocked_by_policy":
            self._leave_refusal(before)
        opened = self._follow(path, pages) if failure is None and step.expect is None else len(session.opened) > pages
        done = Done(
            step=replace(step, expect=Expect(page_opened=True)) if opened and failure is None else step,
            path=path,
            ok=failure is None,
            url_before=before,
            url=session.page.url,
            kind=failure.kind if failure else "",
            error=self.run.clean(failure.message) if failure else "",
            notes=tuple(note.partition(": ")[2] for note in self.run.warnings[noted:]),
            dialogs=tuple(session.dialogs.log[dialogs:]),
            sent=tuple(session.sending.requests[sent:]),
            opened=opened,
            files=tuple(each.suggested_filename for each in session.downloads[files:]),
            value=self.run.data.get(str(step.fields.get("key"))) if "key" in step.fields else None,
        )
        if done.ok:
            self.steps.append(done.step)
        return done

    def _try(self, step: Step, path: str) -> StepFailure | None:
        try:
            with telling(self.run):
                self.runner.run_step(step, path, self.run)
        except Broken as broken:
            return broken.failure
        except StepFailure as failure:
            return failure
        return None

    def _leave_refusal(self, before: str) -> None:
        """Of an address that may not be reached nothing is left but a page of ours that says so."""
        page = self.run.session.page
        if page.url == before:
            return
        try:
            page.go_back(timeout=LOAD_MS, wait_until="domcontentloaded")
        except Error as error:
            # The refusal itself was told; where the flight now is, the next look shows.
            self.run.session.raise_if_lost(error)

    def _follow(self, path: str, known: int) -> bool:
        """A page that the step opened is the one to go on in; the recipe then says so."""
        session = self.run.session
        page = next((page for page in reversed(session.opened[known:]) if not page.is_closed()), None)
        if page is None:
            return False
        self.run.note_opened(path, list(session.opened[known:]))
        session.switch_to(page)
        try:
            page.wait_for_load_state("domcontentloaded", timeout=LOAD_MS)
        except Error as error:
            # A page that closes itself at once falls back to its opener.
            session.raise_if_lost(error)
        return not page.is_closed()


def hands_for(
    recipe: Recipe,
    arguments: Mapping[str, Any],
    session: BrowserSession,
    emit: Callable[[Event], None],
    options: RunOptions | None = None,
) -> Hands:
    """`recipe` says the parameters, and by its side effect whether a step may write; its own steps are not run."""
    options = options or RunOptions(picture_on_failure=False)
    runner = Runner(options)
    run = Run(
        recipe=recipe,
        arguments=arguments,
        session=session,
        emit=emit,
        run_steps=runner.run_steps,
        base_url=options.base_url,
        secrets=secret_values(recipe.parameters, arguments),
        pages_seen=len(session.opened),
        tools=options.tools,
        callers=(recipe.name,),
        max_download=options.max_download,
    )
    return Hands(run, runner)
