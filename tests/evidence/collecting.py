"""A collection over pages of a test, with the agent's answers written beforehand."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from evidence_app.agent.capturing import Capture, CapturedFile
from evidence_app.agent.collector import Before, Means, collect
from evidence_app.agent.events import Acted, Captured, Decided, Saved
from evidence_app.agent.layout import Layout, Piece
from evidence_app.agent.outcome import Outcome
from evidence_app.agent.politeness import no_pause
from evidence_app.agent.settings import AgentSettings
from evidence_app.spec.parse import parse_spec
from evidence_app.spec.samples import SampleInput
from evidence_app.spec.shapes import CaptureSpec
from recipes_app.browser.layout import page_layout
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.events import Event
from recipes_app.engine.shapes import Recipe
from recipes_app.llm.base import Answer, Request
from recipes_app.llm.budget import Budget
from recipes_app.llm.model import Model
from recipes_app.llm.scripted import Scripted
from tests.pilot.flying import Script


@dataclass
class Told:
    """Everything the agent told, in order."""

    events: list[Event] = field(default_factory=list)

    def __call__(self, event: Event) -> None:
        self.events.append(event)

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def actions(self) -> list[tuple[str, bool]]:
        """Name of each action and whether it worked."""
        decided = {event.seq: event.action for event in self.of(Decided)}
        return [(decided[event.seq], event.ok) for event in self.of(Acted)]

    @property
    def said(self) -> list[str]:
        return [event.result for event in self.of(Acted)]

    @property
    def captures(self) -> list[Capture]:
        return [event.capture for event in self.of(Captured)]

    @property
    def checkpoints(self) -> list[dict[str, Any]]:
        return [dict(event.checkpoint) for event in self.of(Saved)]


@dataclass
class Collected:
    outcome: Outcome
    told: Told
    requests: list[Request]

    @property
    def prompts(self) -> list[str]:
        """What was asked at each step of the agent."""
        return [request.messages[0].text for request in self.requests if request.purpose == "agent"]


def lay_out(session: BrowserSession) -> Layout:
    pieces, _ = page_layout(session.page)
    return Layout(session.page.url, tuple(Piece(each[0], each[1:5], each[5]) for each in pieces))


@dataclass
class Pictures:
    """Takes the simplest capture there is: one picture and the words with their places."""

    flaws: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    count: int = 0

    def __call__(self, session: BrowserSession, label: str, _spec: CaptureSpec) -> Capture:
        self.count += 1
        data = session.page.screenshot(full_page=True, animations="disabled")
        layout = lay_out(session)
        file = CapturedFile("screenshot", "image/png", data, sha256=hashlib.sha256(data).hexdigest())
        shown = Layout(layout.url, layout.pieces, f"c{self.count}")
        return Capture(label, layout.url, (file,), shown, flaws=self.flaws, remarks=self.remarks)


@dataclass
class Moves:
    """A script for the agent's steps; other questions (summaries, lessons) are answered by `others`, by purpose."""

    moves: Sequence[Any]
    others: dict[str, Answer] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.script = Script(self.moves)

    def __call__(self, request: Request) -> Answer:
        self.requests.append(request)
        if request.purpose == "agent":
            return self.script(request)
        if request.purpose in self.others:
            return self.others[request.purpose]
        if request.answer_schema:
            words = {"task_type": "reading", "action_sequence": ["screenshot"], "tips": ["t"], "avoid": [], "note": "n"}
            wanted = request.answer_schema["properties"]
            return Answer(data={name: words[name] for name in wanted if name in words})
        return Answer(text="FOUND: x\nGAPS: y\nNEXT: z")


def collected(
    session: BrowserSession,
    spec: dict[str, Any],
    moves: Sequence[Any],
    *,
    start: str,
    before: Before | None = None,
    **more: Any,
) -> Collected:
    """`more`: settings (of AgentSettings), tools, pause, capture, others, tokens, extra (columns of the sample)."""
    told, script = Told(), Moves(moves, more.get("others", {}))
    tools: dict[str, Recipe] = more.get("tools", {})
    means = Means(
        session=session,
        model=Model(Scripted(script), budget=Budget(tokens=more.get("tokens"))),
        emit=told,
        capture=more.get("capture", Pictures()),
        lay=lay_out,
        settings=more.get("settings", AgentSettings()),
        tools=tools,
        pause=more.get("pause", no_pause),
    )
    sample = SampleInput("s1", start, more.get("extra", {}), "s1")
    outcome = collect(parse_spec({"task_id": "task", "goal": "collect", **spec}), sample, means, before)
    return Collected(outcome, told, script.requests)
