"""The question the agent is asked at each step: rules and task first, the same every time; then where it is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from evidence_app.agent.history import History
from evidence_app.agent.progress import Progress
from evidence_app.agent.recovery import RunState
from evidence_app.agent.settings import AgentSettings
from evidence_app.spec.dump import declared_type
from evidence_app.spec.shapes import TaskSpec
from recipes_app.llm.base import Image, Message, Request, ToolDef
from recipes_app.llm.fencing import fence
from recipes_app.pilot.seams import Scene, Turn

RULES = """You collect audit evidence with a web browser, one call at a time, and look at the page after each call.
Elements are named by their number on the page as it is shown now.
Take down only what the pages say; a value you cannot find is null, never a guess.
Keep a picture (screenshot) of every page that a value comes from, under the label the task asks for if it asks for one.
Save what you have (save_progress) before you leave a page that held data.
When everything the task asks for is there, call done; when it cannot be had, call fail with the reason."""
ANSWER_TOKENS = 1024
DATA_CHARACTERS = 2000
HINT_CHARACTERS = 1500
STATE_CHARACTERS = 1500
NOTICES_KEPT = 3
HINTED_STEPS = 3
LEAST_PAGE = 2000
SHARE_OF_HISTORY = 0.3
# How many of each list of the run's state are told.
TOLD = {"pages": 10, "failed_urls": 5, "blocked": 5, "dead_ends": 3, "exhausted": 5}
STATE_WORDS = {
    "pages": "Pages seen", "failed_urls": "Addresses that failed", "blocked": "Elements that failed twice",
    "dead_ends": "Done three times without effect", "exhausted": "Pages whose data is saved",
}  # fmt: skip


@dataclass(slots=True)
class Brief:
    """A `Briefs`. `hints` are what earlier samples of the run taught; `picture` and its answer stand for one step."""

    spec: TaskSpec
    sample: Mapping[str, Any]
    settings: AgentSettings
    progress: Progress
    state: RunState
    history: History
    hints: str = ""
    seen: str = ""  # what a picture of the page shows, if one was looked at
    asked: Callable[[Request], None] = field(default=lambda _request: None)

    def __call__(self, scene: Scene, tools: tuple[ToolDef, ...], turn: Turn, memory: str) -> Request:
        room = self.settings.prompt_characters - len(RULES) - len(self._task()) - _size(tools)
        fixed = [part for part in self._fixed(turn) if part]
        room -= sum(len(part) + 2 for part in fixed)
        told = _cut(memory, max(1000, int(room * SHARE_OF_HISTORY)))
        page = _page(scene, max(LEAST_PAGE, room - len(told) - 200))
        parts = [*fixed, f"Done so far:\n{told}" if told else "", f"The page now:\n{page}"]
        text = "\n\n".join(part for part in parts if part)
        images = tuple(each for each in scene.more.get("images", ()) if isinstance(each, Image))
        request = Request(
            system=(RULES, self._task()),
            messages=(Message("user", text, images),),
            tools=tools,
            choice="any",
            max_tokens=ANSWER_TOKENS,
            cached=2,
            purpose="agent",
            parallel=turn.limits.calls > 1,
        )
        self.asked(request)
        return request

    def _task(self) -> str:
        spec = self.spec
        parts = [
            spec.system_prompt,
            f"Goal: {spec.goal}",
            "Fields: " + "; ".join(f"{each.name} ({declared_type(each)})" for each in spec.output)
            if spec.output
            else "",
            _listed("Required fields", spec.required_fields),
            _listed("Required pictures or files, by label", spec.required_artifacts),
            _listed("Milestones to reach", [f"{each.id} {each.description}".strip() for each in spec.milestones]),
            f"Expected items: {spec.expected_items}" if spec.expected_items else "",
            f"Judge: {spec.judgment.question}" if spec.judgment else "",
            f"Paging: {_plain(spec.pagination)}" if spec.pagination else "",
            f"Stop when: {_plain(spec.stop_condition)}" if spec.stop_condition else "",
        ]
        return "\n".join(part for part in parts if part)

    def _fixed(self, turn: Turn) -> Iterable[str]:
        yield f"Sample: {json.dumps(dict(self.sample), ensure_ascii=False)[:DATA_CHARACTERS]}"
        yield f"Step {turn.number} of {turn.limits.turns}."
        if turn.number <= HINTED_STEPS and self.hints:
            yield f"From earlier samples of this run:\n{fence(self.hints[:HINT_CHARACTERS], 'notes')}"
        if self.progress.extracted:
            data = json.dumps(self.progress.extracted, ensure_ascii=False)
            yield f"Saved so far:\n{_cut(data, DATA_CHARACTERS)}"
        if self.progress.labels:
            yield f"Kept pictures and files: {', '.join(self.progress.labels[-10:])}"
        if self.progress.milestones:
            yield f"Milestones reached: {', '.join(self.progress.milestones)}"
        yield _cut(self._state(), STATE_CHARACTERS)
        summary = self.history.summed_up()
        yield f"Summaries of earlier steps:\n{summary}" if summary else ""
        yield "\n".join(f"Note: {notice}" for notice in turn.notices[-NOTICES_KEPT:])
        yield f"A picture of the page shows: {fence(self.seen, 'what a picture shows')}" if self.seen else ""
        yield "This is the last step: call done or fail now." if turn.is_last else ""

    def _state(self) -> str:
        lines = []
        for name, count in TOLD.items():
            entries = getattr(self.state, name)[-count:]
            if entries:
                lines.append(f"{STATE_WORDS[name]}: {' · '.join(entries)}")
        return "\n".join(lines)


def _page(scene: Scene, most: int) -> str:
    """A page that does not fit is cut, and says so; its fence stays whole."""
    if len(scene.text) <= most:
        return scene.text
    left = len(scene.text) - most
    return fence(f"{scene.text[:most]}\n({left:,} more characters)", "the page, cut")


def _size(tools: Iterable[ToolDef]) -> int:
    return sum(len(tool.name) + len(tool.description) + len(json.dumps(dict(tool.parameters))) for tool in tools)


def _listed(title: str, values: Iterable[str]) -> str:
    told = ", ".join(values)
    return f"{title}: {told}" if told else ""


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 40]} … ({len(text) - most + 40:,} more characters)"
