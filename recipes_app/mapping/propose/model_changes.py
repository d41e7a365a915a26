"""A model's verdicts on the rules' drafts, carried out as far as they do no harm.

No draft is lost: what a model would leave out is set aside with its reason. No side effect is lowered, and a better
example is tried first while the rules' own stays the second.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from recipes_app.engine.arguments import problems_of
from recipes_app.engine.errors import EngineError
from recipes_app.engine.parameters import secret_names
from recipes_app.mapping.propose.draft import Draft
from recipes_app.mapping.propose.forms import SUBMITS
from recipes_app.mapping.propose.model_answer import Change, Hint, Review
from recipes_app.mapping.propose.model_guard import Guard, NotTaken, graver
from recipes_app.mapping.propose.model_view import short

FEW = 2


@dataclass(slots=True)
class Changing:
    """The drafts while they are changed, by the rules' names, and what was not done of what the model said."""

    drafts: dict[str, Draft]
    guard: Guard
    notes: list[str] = field(default_factory=list)

    def follow(self, review: Review) -> None:
        known = [change for change in review.changes if change.draft in self.drafts]
        self.notes += [f"There is no draft {short(c.draft, 40)}." for c in review.changes if c.draft not in self.drafts]
        aside = {change.draft: change for change in known if change.verdict != "keep"}
        for change in known:
            if change.verdict == "keep":
                self._better(change)
        self._set_aside(aside)

    def _better(self, change: Change) -> None:
        draft = self.drafts[change.draft]
        for part in (self._renamed, self._described, self._graver):
            try:
                draft = part(draft, change)
            except NotTaken as error:
                self.notes.append(f"{draft.name} stays as it was: {error}.")
        for hint in change.hints:
            draft = self._hinted(draft, hint)
        self.drafts[change.draft] = draft

    def _renamed(self, draft: Draft, change: Change) -> Draft:
        if change.name is None or change.name == draft.name or draft.kind == "login":
            return draft
        return replace(draft, name=self.guard.name(change.name, self._names()))

    def _described(self, draft: Draft, change: Change) -> Draft:
        return draft if change.description is None else replace(draft, description=self.guard.text(change.description))

    def _graver(self, draft: Draft, change: Change) -> Draft:
        if change.side_effect is None or change.side_effect == draft.side_effect:
            return draft
        effect = graver(draft.side_effect, change.side_effect)
        if effect == draft.side_effect:
            raise NotTaken(f"{effect} is not lowered to {change.side_effect}")
        submits = draft.submits if draft.submit_index is None else SUBMITS[effect]
        return replace(draft, side_effect=effect, submits=submits)

    def _hinted(self, draft: Draft, hint: Hint) -> Draft:
        try:
            return hinted(draft, hint, self.guard)
        except NotTaken as error:
            self.notes.append(f"{draft.name}: {hint.name[:40]} stays as it was: {error}.")
            return draft

    def _set_aside(self, aside: Mapping[str, Change]) -> None:
        """More than half of all at once is not believed."""
        if len(aside) > max(FEW, len(self.drafts) // 2):
            self.notes.append(f"It would set aside {len(aside)} of {len(self.drafts)} drafts; so many are all kept.")
            return
        for own, change in aside.items():
            into = self.drafts.get(change.into or "") if change.verdict == "merge" else None
            if change.verdict == "merge" and (
                into is None or change.into in aside or not _alike(self.drafts[own], into)
            ):
                self.notes.append(f"{self.drafts[own].name} is not merged: there is no tool like it to merge it into.")
                continue
            why = f"The same as {into.name}" if into else "Of no use to a program"
            said = f": {short(change.why, 200)}" if change.why and not self.guard.foreign_address(change.why) else ""
            self.drafts[own] = replace(
                self.drafts[own], set_aside=f"{why}{said}", merged_into=into.name if into else ""
            )

    def _names(self) -> Iterable[str]:
        return (draft.name for draft in self.drafts.values())


def _alike(draft: Draft, into: Draft) -> bool:
    """What does more cannot stand for what does less, nor less for more."""
    return draft.side_effect == into.side_effect and "login" not in (draft.kind, into.kind)


def hinted(draft: Draft, hint: Hint, guard: Guard) -> Draft:
    """With a better description of one parameter, and an example to try first."""
    schema = draft.parameters.get("properties", {}).get(hint.name)
    if schema is None:
        raise NotTaken("there is no such parameter")
    if hint.description:
        described = {**schema, "description": guard.text(hint.description)}
        properties = {**draft.parameters["properties"], hint.name: described}
        draft = replace(draft, parameters={**draft.parameters, "properties": properties})
    return draft if hint.example is None else _with_examples(draft, hint, guard)


def _with_examples(draft: Draft, hint: Hint, guard: Guard) -> Draft:
    """To try first, and second. Words that the rules found on the site are not given up for what may be there."""
    name, schema = hint.name, draft.parameters["properties"][hint.name]
    own = draft.examples.get(name)
    if name not in draft.examples or (draft.kind == "search" and guard.is_seen(str(own))):
        return draft
    if draft.kind == "detail" or name in secret_names(draft.parameters) or schema.get("x-unique"):
        raise NotTaken("its value was seen on the site, or is made anew each time")
    first = _value(hint.example, draft, schema, guard)
    other = _value(hint.other, draft, schema, guard) if hint.other else None
    second = next((each for each in (other, own) if each not in (None, first)), None)
    others = draft.others if second is None else {**draft.others, name: second}
    return replace(draft, examples={**draft.examples, name: first}, others=others)


def _value(text: str | None, draft: Draft, schema: Mapping[str, Any], guard: Guard) -> Any:
    """What a free text is searched for must stand on some page, or nothing will be found."""
    value = value_of(guard.text(text or ""), schema)
    free = draft.kind == "search" and schema.get("type") == "string" and "enum" not in schema
    if free and not guard.is_seen(str(value)):
        raise NotTaken(f"“{short(str(value), 30)}” is on no page that was seen")
    return value


def value_of(text: str, schema: Mapping[str, Any]) -> Any:
    """A value written as text, as the schema wants it; NotTaken for what does not fit."""
    kind = schema.get("type", "string")
    try:
        value = _read(text, kind)
        problems = problems_of({"type": "object", "properties": {"it": schema}}, {"it": value}, "it")
    except (ValueError, EngineError) as error:
        raise NotTaken(f"{short(text, 40)!r} is no {kind}") from error
    if problems:
        raise NotTaken(problems[0].rstrip("."))
    return value


def _read(text: str, kind: object) -> Any:
    match kind:
        case "string":
            return text
        case "integer":
            return int(text)
        case "number":
            return float(text)
        case "boolean" if text.lower() in {"true", "false"}:
            return text.lower() == "true"
    raise ValueError(text)
