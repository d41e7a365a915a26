"""The question a model is asked at each turn: rules first, the same every time; then goal, history, page."""

from __future__ import annotations

from dataclasses import dataclass

from recipes_app.llm.base import Message, Request, ToolDef
from recipes_app.pilot.seams import Scene, Turn

RULES = """You operate a web browser by calling exactly one tool at a time, and look at the page after each call.
Elements are named by their number on the page as it is shown now. Values given as {{name}} are filled in for you:
write {{name}} itself wherever a parameter's value belongs.
Do only what the goal says. When it is reached call done, when it cannot be reached call fail."""


@dataclass(frozen=True, slots=True)
class Briefing:
    """`rules` is sent first and never changes in a flight, so that services can keep it."""

    rules: str = RULES
    purpose: str = "pilot"
    max_tokens: int = 400

    def __call__(self, scene: Scene, tools: tuple[ToolDef, ...], turn: Turn, memory: str) -> Request:
        parts = [
            f"Goal: {turn.goal}",
            f"Done so far:\n{memory}" if memory else "",
            *(f"Note: {notice}" for notice in turn.notices),
            "This is the last call: end now." if turn.is_last else "",
            f"The page now:\n{scene.text}",
        ]
        text = "\n\n".join(part for part in parts if part)
        return Request(
            system=(self.rules,),
            messages=(Message("user", text),),
            tools=tools,
            choice="any",
            max_tokens=self.max_tokens,
            purpose=self.purpose,
            parallel=turn.limits.calls > 1,
        )
