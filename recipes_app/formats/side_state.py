"""What reading a Selenium IDE test remembers from one command to the next."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from recipes_app.engine.parsing.reader import as_text
from recipes_app.formats.imported import Draft, Json
from recipes_app.formats.recorded_targets import Described, Place
from recipes_app.formats.side_locators import described, frame_of

VARIABLE = re.compile(r"\$\{(?!KEY_)([^{}]+)\}")


class Unsaid(Exception):
    """A command that cannot be said; its message is for the report."""


@dataclass(slots=True)
class State:
    """`literals` are variables whose value is known now, `extracted` those that only a run will know."""

    draft: Draft
    base_url: str = ""
    tests: dict[str, list[Any]] = field(default_factory=dict)
    literals: dict[str, str] = field(default_factory=dict)
    extracted: set[str] = field(default_factory=set)
    windows: dict[str, str] = field(default_factory=dict)
    window: str = "main"
    place: Place = field(default_factory=Place)
    typed: tuple[str, str] = ("", "")
    depth: int = 0

    def text(self, command: Json, name: str, path: str) -> str:
        """A field with the variables known by now filled in."""
        given = as_text(command.get(name) or "", f"{path}.{name}", empty=True)
        for variable in VARIABLE.findall(given):
            if variable not in self.literals:
                raise Unsaid(self.unknown(variable))
        return VARIABLE.sub(lambda match: self.literals[match[1]], given)

    def unknown(self, variable: str) -> str:
        if variable in self.extracted:
            return f"needs ${{{variable[:60]}}}, which a run reads: a recipe does not use what it has read"
        return f"needs ${{{variable[:60]}}}, which no command stored"

    def described(self, command: Json, path: str, name: str = "target") -> Described:
        main = self.text(command, name, path)
        listed = command if name == "target" else {}
        return described(listed, main, self.place, path)

    def target(self, command: Json, path: str, name: str = "target") -> Json:
        found = self.described(command, path, name)
        if self.place.any_frame:
            self.draft.remark(path, "the frame is only numbered: the element is looked for in every frame")
        target = found.target()
        if target is None:
            raise Unsaid("nothing lasting describes the element")
        if found.is_place_only:
            self.draft.lost(path, "only a position describes the element; give it a role and a name before it can run")
        return target

    def key(self, name: str) -> str:
        """The name under which a stored variable enters the result."""
        self.extracted.add(name)
        self.literals.pop(name, None)
        return name

    def enter_frame(self, locator: str, path: str) -> None:
        if locator == "relative=top":
            self.place = Place()
        elif locator == "relative=parent":
            self.place = Place(self.place.frames[:-1])
        elif frame := frame_of(locator):
            self.place = Place((*self.place.frames, frame), self.place.any_frame)
        else:
            self.place = Place(any_frame=True)
            self.draft.remark(path, f"the frame {locator[:80]} is looked for by what is in it")
