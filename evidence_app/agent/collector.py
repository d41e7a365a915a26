"""Collects the evidence of one sample: observe, reflect, decide, act, check, until it is complete or cannot be.

The loop itself is the pilot's; its parts are put together here, restored from a checkpoint where there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from evidence_app.agent import lessons as teaching
from evidence_app.agent.actions import OF_PILOT, reflection, tools_for
from evidence_app.agent.brief import Brief
from evidence_app.agent.capturing import Captures, Lays
from evidence_app.agent.completeness import check_done
from evidence_app.agent.consolidating import consolidated
from evidence_app.agent.events import Saved
from evidence_app.agent.history import History, history_from, steps_in_words
from evidence_app.agent.interrupted import Pending
from evidence_app.agent.layout import Layout
from evidence_app.agent.lessons import Lesson
from evidence_app.agent.observe import Observer, words_of
from evidence_app.agent.outcome import End, Outcome, judge_end
from evidence_app.agent.paging import PagingBonus
from evidence_app.agent.politeness import Pause, no_pause
from evidence_app.agent.progress import Progress, collected, progress_from
from evidence_app.agent.recovery import Patience, RunState
from evidence_app.agent.resuming import Resuming, state_as_dict, state_from
from evidence_app.agent.settings import AgentSettings
from evidence_app.agent.toolset import EvidenceTools
from evidence_app.agent.vision import Vision
from evidence_app.agent.watching import Watch
from evidence_app.spec.samples import SampleInput
from evidence_app.spec.shapes import TaskSpec
from recipes_app.browser.errors import BlockedByPolicy, NavigationFailed
from recipes_app.browser.page import dismiss_consent
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.events import Event, Note
from recipes_app.engine.runner import RunOptions
from recipes_app.engine.shapes import Recipe
from recipes_app.llm.base import Asks, ToolDef, Usage
from recipes_app.llm.errors import ModelError
from recipes_app.pilot.events import Asked
from recipes_app.pilot.hands import hands_for
from recipes_app.pilot.loop import Pilot, since
from recipes_app.pilot.seams import Flight, Limits, Observes, Scene, Turn
from recipes_app.pilot.toolset import BrowserTools

OPEN_MS = 30_000
# A task without a limit of its own still ends.
USUAL_SECONDS = 3600
SIGNED_IN = "The site had signed you out. You are signed in again now, and the page was opened anew at {url}."
RESUMED = (
    "You were interrupted after step {step} and go on now. The page was opened anew at {url}: "
    "what had been typed there and not sent is gone."
)
UNKNOWN = (
    "Whether your last call was carried out is not known ({words}). Find out from what the site shows, such as its own "
    "list or a confirmation, before you do it again."
)


@dataclass(frozen=True, slots=True)
class Means:
    """What a collection works with. `tools` are the site's published recipes, by name."""

    session: BrowserSession
    model: Asks
    emit: Callable[[Event], None]
    capture: Captures
    lay: Lays
    observe: Observes | None = None  # the observer of the task, unless given
    settings: AgentSettings = field(default_factory=AgentSettings)
    tools: Mapping[str, Recipe] = field(default_factory=dict)
    pause: Pause = no_pause  # called with the address before a site is asked for a page
    # Signs in where the page asks for it, once; whether it had to. What it raises ends the collection.
    gate: Callable[[BrowserSession], bool] | None = None


@dataclass(frozen=True, slots=True)
class Before:
    """What came before: the checkpoint of this very attempt, what was under way then, and what the run has learned."""

    checkpoint: Mapping[str, Any] = field(default_factory=dict)
    pending: Pending | None = None
    lessons: tuple[Lesson, ...] = ()
    layouts: tuple[Layout, ...] = ()  # of the captures there are


def collect(spec: TaskSpec, sample: SampleInput, means: Means, before: Before | None = None) -> Outcome:
    """Never raises for what a page or a model does; Aborted and BrowserLost pass, and so does ModelError where not even
    a first answer could be had."""
    return _Collection(spec, sample, means, before or Before()).run()


@dataclass(slots=True)
class _Collection:
    spec: TaskSpec
    sample: SampleInput
    means: Means
    before: Before
    progress: Progress = field(init=False)
    state: RunState = field(init=False)
    history: History = field(init=False)
    tools: EvidenceTools = field(init=False)
    watch: Watch = field(init=False)
    brief: Brief = field(init=False)
    vision: Vision = field(init=False)
    observer: Observes = field(init=False)
    told: Usage = field(init=False)
    scene: Scene | None = None
    inside: str = ""  # the last address that did not ask to sign in

    def __post_init__(self) -> None:
        kept, settings = self.before.checkpoint, self.means.settings
        self.told = self.means.model.spent
        self.progress = progress_from(kept.get("progress", {}))
        for layout in self.before.layouts:
            self.progress.saw(layout)
        self.state = state_from(kept.get("state", {}))
        self.history = history_from(kept.get("history", {}), int(settings.prompt_characters * 0.3))
        self.vision = Vision(self.means.model, self.spec.goal, settings)
        sample = " ".join(map(str, [self.sample.sample_id, *self.sample.extra.values()]))
        self.observer = self.means.observe or Observer(words_of(self.spec, sample))
        self.tools = self._make_tools()
        patience = Patience(self.spec.max_consecutive_network_errors)
        self.watch = Watch(self.tools, patience, PagingBonus(settings.paging_cap), scene_of=lambda: self.scene)
        if "watch" in kept:
            self.watch.restore(dict(kept["watch"]))
        hints = teaching.hints(self.before.lessons, domain=teaching.domain_of(self._start_url()), goal=self.spec.goal)
        row = {"sample_id": self.sample.sample_id, "url": self.sample.url, **self.sample.extra}
        self.brief = Brief(self.spec, row, settings, self.progress, self.state, self.history, hints)

    def run(self) -> Outcome:
        session = self.means.session
        turn = self._turn()
        self.watch.faults.watch(session)
        self._open(turn)
        pilot = self._pilot(turn)
        self.watch.pilot = pilot
        spent = self.means.model.spent
        try:
            flight = pilot.fly(turn)
        except ModelError as error:
            flight = Flight("stuck", f"the model could not be asked: {error}", tuple(turn.taken))
            if not turn.taken and not self.before.checkpoint:
                raise
        return self._outcome(flight, spent)

    # --- putting it together

    def _make_tools(self) -> EvidenceTools:
        own = Recipe(name=self.spec.task_id.replace("-", "_"), side_effect="write")
        heard: list[EvidenceTools] = []

        def emit(event: Event) -> None:
            heard[0].heard(event)

        hands = hands_for(own, {}, self.means.session, emit, self._options())
        browser = BrowserTools(hands, offers=tuple(OF_PILOT.values()), by_place=True)
        tools = EvidenceTools(
            spec=self.spec,
            hands=browser,
            tools=tools_for(self.spec, [_as_tool(recipe) for recipe in self.means.tools.values()]),
            emit=self.means.emit,
            capture=self.means.capture,
            lay=self.means.lay,
            look=self.vision.asked,
            pause=self.means.pause,
            progress=self.progress,
            state=self.state,
            seq=int(self.before.checkpoint.get("seq", 0)),
        )
        heard.append(tools)
        return tools

    def _options(self) -> RunOptions:
        return RunOptions(picture_on_failure=False, tools=dict(self.means.tools))

    def _pilot(self, turn: Turn) -> Pilot:
        settings = self.means.settings
        return Pilot(
            goal=self.spec.goal,
            session=self.means.session,
            model=Resuming(self.means.model, self.before.pending, lambda: self.scene),
            toolset=self.tools,
            emit=self._heard,
            limits=turn.limits,
            observe=self._observe,
            brief=self.brief,
            memory=self.history,
            vigil=self.watch,
            reflect=reflection(settings.reflection),
            keep=self._keep,
            phase="collect",
        )

    def _turn(self) -> Turn:
        kept = self.before.checkpoint
        seconds = self.spec.max_time_seconds or USUAL_SECONDS
        turns = int(kept.get("turns", self.spec.max_steps))
        limits = Limits(turns=turns, seconds=seconds, failures=turns, calls=self.means.settings.actions)
        turn = Turn(self.spec.goal, limits, number=int(kept.get("step", 0)), elapsed_s=float(kept.get("elapsed_s", 0)))
        if kept:
            turn.notices.append(RESUMED.format(step=turn.number, url=kept.get("url") or self._start_url()))
        if self.before.pending and self.before.pending.unknown:
            turn.notices.append(UNKNOWN.format(words=self.before.pending.words))
        return turn

    def _start_url(self) -> str:
        return self.sample.url or self.spec.start_url

    def _open(self, turn: Turn) -> None:
        """The stored address, else the sample's; an address that does not open is told to the agent, not fatal."""
        for url in dict.fromkeys([str(self.before.checkpoint.get("url") or ""), self._start_url()]):
            if not url.startswith(("http://", "https://")):
                continue
            self.means.pause(url)
            try:
                self.means.session.goto(url, OPEN_MS)
            except (NavigationFailed, BlockedByPolicy) as error:
                turn.notices.append(f"{url} could not be opened: {error}")
                self.state.failed_urls.append(url)
                continue
            if self.spec.capture.overlays == "dismiss":
                dismiss_consent(self.means.session.page)
            return

    # --- during the flight

    def _pass_gate(self, session: BrowserSession, turn: Turn) -> None:
        """Signed in again, it goes on where it was; what had been typed there and not sent is gone."""
        url = session.page.url
        if self.means.gate is None or not self.means.gate(session):
            self.inside = url
            return
        turn.notices.append(SIGNED_IN.format(url=self.inside or self._start_url()))
        with suppress(NavigationFailed):
            session.goto(self.inside or self._start_url(), OPEN_MS)

    def _observe(self, session: BrowserSession, turn: Turn) -> Scene:
        self._pass_gate(session, turn)
        scene = self.observer(session, turn)
        self.brief.seen = self.vision.for_step(session, scene, turn)
        self.scene = scene
        return scene

    def _heard(self, event: Event) -> None:
        if isinstance(event, Asked):
            self.tools.thought = _thought(event.fields)
            # Of this very step: its question, and what was asked for it beside (a summary, a look at a picture).
            step, self.told = since(self.told, self.means.model.spent), self.means.model.spent
            self.tools.tokens = (step.input_tokens, step.output_tokens)
        self.means.emit(event)

    def _keep(self, turn: Turn) -> None:
        every = self.means.settings.summary_every
        if every and turn.number % every == 0:
            self.history.sum_up(self.means.model, self.spec.goal, every)
        url = self.means.session.page.url
        thought = "; ".join(str(value) for value in self.tools.thought.values() if value)
        self.means.emit(Saved(self._checkpoint(turn, url), turn.number, turn.limits.turns, thought[:500], url))

    def _checkpoint(self, turn: Turn, url: str) -> dict[str, Any]:
        return {
            "step": turn.number,
            "seq": self.tools.seq,
            "turns": turn.limits.turns,
            "elapsed_s": round(turn.elapsed_s, 1),
            "url": url,
            "progress": self.progress.as_dict(),
            "state": state_as_dict(self.state),
            "history": self.history.as_dict(),
            "watch": self.watch.as_dict(),
        }

    # --- the end

    def _outcome(self, flight: Flight, spent: Usage) -> Outcome:
        # A flight also fails where the model's answers are no use: that is no verdict of the agent's.
        gave_none = flight.ended == "failed" and not self.tools.gave_up
        ended = "stuck" if gave_none else flight.ended
        end = End(ended, flight.summary, self.tools.verdict)
        if ended in ("stuck", "limit") and self.progress.extracted and self.means.settings.finalize:
            self._consolidate()
            end = replace(end, verdict=None)
        status, reasons, fields = judge_end(self.spec, self.progress, end)
        verdict = end.verdict or check_done(
            self.spec, collected(self.progress, self.progress.extracted, self.progress.judgment)
        )
        now = self.means.model.spent
        return Outcome(
            status=status,
            reasons=reasons,
            extracted=verdict.extracted,
            judgment=self.progress.judgment,
            fields=fields,
            notes="\n".join(self.progress.notes),
            errors=tuple(self.progress.errors),
            steps=self.tools.seq,
            usage=since(spent, now),
            lessons=tuple(self._lessons(status, flight)),
        )

    def _consolidate(self) -> None:
        """One last question over what was saved: nothing is asked of the page any more, nothing can be added."""
        try:
            final = consolidated(self.means.model, self.spec, self.progress)
        except ModelError as error:
            self.means.emit(Note(f"What was collected could not be brought together: {error}"))
            return
        if final.judgment is not None:
            self.progress.judgment = dict(final.judgment)
        self.progress.notes += [final.note] if final.note else []

    def _lessons(self, status: str, flight: Flight) -> Iterable[Lesson]:
        url = self._start_url()
        if status == "done":
            model = self.means.model if self.means.settings.distil else None
            steps = steps_in_words(flight.taken, teaching.STEPS_TOLD).splitlines()
            lesson = teaching.from_success(model, goal=self.spec.goal, steps=steps, url=url)
            return [lesson] if lesson else []
        return [teaching.from_failure(status=status, reason=flight.summary, state=self.state, url=url)]


def _as_tool(recipe: Recipe) -> ToolDef:
    return ToolDef(recipe.name, recipe.description, recipe.parameters)


def _thought(fields: Mapping[str, Any]) -> dict[str, str]:
    names = {"evaluation_previous_step": "evaluation", "thinking": "thinking"}
    return {names.get(name, name): str(value) for name, value in fields.items()}
