"""Injected faults on a schedule.

A schedule is a comma-separated list of ``WHEN:FAULT`` or ``WHEN:FAULT=VALUE``.  WHEN counts the
model requests that arrive (the SDK's retries too), from 1: ``3`` the third, ``3-5`` those three,
``*4`` each fourth, ``*`` all.  The first entry that fits is used.  Example::

    1:429=0.5,2:500,5:reset,*7:slow=3,9:wrong_type
"""

from __future__ import annotations

import copy
import json
import re
from dataclasses import dataclass
from typing import Any

from tests.llm_desk.answers import Answer, ErrorAnswer

Json = dict[str, Any]

#: Faults that take the answer's place, so that no answer is asked for.
INSTEAD = ("rate_limit", "server_error", "overloaded", "reset", "empty", "refusal")
#: Faults that spoil or delay the answer.
UPON = ("slow", "cut", "truncated", "unknown_tool", "wrong_type", "max_tokens")
_ALIASES = {"429": "rate_limit", "500": "server_error", "529": "overloaded"}


@dataclass
class Fault:
    """One fault with its value (seconds, for rate_limit and slow)."""

    name: str
    value: float | None = None


@dataclass
class _Entry:
    first: int
    last: int
    every: int
    fault: Fault

    def fits(self, count: int) -> bool:
        if self.every:
            return count % self.every == 0
        return self.first <= count <= self.last


class FaultSchedule:
    """Says which fault, if any, the Nth request gets."""

    def __init__(self, text: str = "") -> None:
        self.entries = [self._entry(part.strip()) for part in text.split(",") if part.strip()]

    @staticmethod
    def _entry(part: str) -> _Entry:
        match = re.fullmatch(r"(?:(\d+)(?:-(\d+))?|\*(\d*)):([a-z_0-9]+)(?:=([\d.]+))?", part)
        if not match:
            raise ValueError(f"fault {part!r} is not of the form WHEN:FAULT or WHEN:FAULT=VALUE")
        name = _ALIASES.get(match[4], match[4])
        if name not in INSTEAD + UPON:
            raise ValueError(f"unknown fault {match[4]!r}; known: {', '.join(INSTEAD + UPON)}")
        every = int(match[3] or 1) if match[1] is None else 0
        first = int(match[1] or 0)
        value = float(match[5]) if match[5] else None
        return _Entry(first, int(match[2] or first), every, Fault(name, value))

    def at(self, count: int) -> Fault | None:
        """The fault for this request, if one is due."""
        return next((e.fault for e in self.entries if e.fits(count)), None)


def instead(fault: Fault) -> Answer | None:
    """The answer that an INSTEAD fault gives (``reset`` gives none: the line is cut)."""
    if fault.name == "rate_limit":
        wait = 1.0 if fault.value is None else fault.value
        return Answer(error=ErrorAnswer(429, "Rate limit reached (injected fault).", retry_after=wait))
    if fault.name == "server_error":
        return Answer(error=ErrorAnswer(500, "The server had an error (injected fault)."))
    if fault.name == "overloaded":
        return Answer(error=ErrorAnswer(529, "Overloaded (injected fault)."))
    if fault.name == "empty":
        return Answer(text="")
    if fault.name == "refusal":
        return Answer(refusal="I can't help with that.")
    return None


def _other_type(value: Any) -> Any:
    if isinstance(value, str):
        return {"unexpected": "object"}
    if isinstance(value, bool) or value is None:
        return "maybe"
    if isinstance(value, (int, float)):
        return "not a number"
    return "not an " + ("array" if isinstance(value, list) else "object")


def _spoil_first(arguments: Any) -> Any:
    if not isinstance(arguments, dict) or not arguments:
        return {"unexpected": True}
    name = next(iter(arguments))
    return {**arguments, name: _other_type(arguments[name])}


def spoil(fault: Fault, answer: Answer, request: Json) -> tuple[Answer, bool]:
    """The answer with an UPON fault; False where the fault does not apply to this answer."""
    answer = copy.deepcopy(answer)
    if answer.error or answer.refusal is not None:
        return answer, fault.name == "slow"
    json_text = request["response_format"]["type"] != "text" and answer.text is not None
    if fault.name == "slow":
        answer.delay += 5.0 if fault.value is None else fault.value
    elif fault.name == "truncated":
        if answer.calls:
            text = answer.calls[-1].arguments_text()
            answer.calls[-1].arguments = text[: max(1, len(text) * 2 // 3)]
        elif answer.text:
            answer.text = answer.text[: max(1, len(answer.text) * 2 // 3)]
        else:
            return answer, False
    elif fault.name == "max_tokens":
        answer.stop = "max_tokens"
        if answer.calls:
            text = answer.calls[-1].arguments_text()
            answer.calls[-1].arguments = text[: len(text) // 2] or "{"
        elif answer.text:
            answer.text = answer.text[: len(answer.text) // 2]
    elif fault.name == "unknown_tool":
        if not answer.calls:
            return answer, False
        answer.calls[0].name += "_v2"
    elif fault.name == "wrong_type":
        if answer.calls:
            answer.calls[0].arguments = _spoil_first(answer.calls[0].arguments)
        elif json_text:
            try:
                answer.text = json.dumps(_spoil_first(json.loads(answer.text or "{}")))
            except ValueError:
                return answer, False
        else:
            return answer, False
    return answer, True
