"""The last question of a task that ran out of steps: bring together what was saved. It can leave out, never add."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evidence_app.agent.actions import tools_for
from evidence_app.agent.progress import Progress
from evidence_app.spec.shapes import TaskSpec
from recipes_app.llm.base import Asks, Message, Request
from recipes_app.llm.fencing import fence

DATA_CHARACTERS = 4000
TOKENS = 2048
ASK = (
    "A browser agent ran out of steps. From the data it saved, answer what can be answered: a note of what is missing, "
    "and the judgment if one is asked for. Do not add values that are not in the data."
)


@dataclass(frozen=True, slots=True)
class Final:
    note: str = ""
    judgment: Mapping[str, Any] | None = None


def consolidated(model: Asks, spec: TaskSpec, progress: Progress) -> Final:
    """Raises ModelError."""
    data = json.dumps(progress.extracted, ensure_ascii=False)[:DATA_CHARACTERS]
    texts = "\n".join(f"{each['name']}: {each['text']}" for each in progress.texts[-10:])
    parts = [f"Goal: {spec.goal}", fence(data, "saved data"), fence(texts, "texts that were read") if texts else ""]
    request = Request(
        system=(ASK,),
        messages=(Message("user", "\n\n".join(part for part in parts if part)),),
        answer_schema=_schema(spec),
        max_tokens=TOKENS,
        purpose="consolidation",
    )
    said = model.ask(request).data or {}
    judgment = said.get("judgment")
    return Final(str(said.get("note") or ""), judgment if isinstance(judgment, Mapping) else None)


def _schema(spec: TaskSpec) -> dict[str, Any]:
    properties: dict[str, Any] = {"note": {"type": "string"}}
    if spec.judgment:
        properties["judgment"] = tools_for(spec)["done"].parameters["properties"]["judgment"]
    return {"type": "object", "properties": properties, "required": list(properties)}
