"""What a prompt of the agent says, for somebody who reads it and knows nothing else."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin, urlsplit

ELEMENT = re.compile(r'^(\d+) (\w+) "((?:[^"\\]|\\.)*)"(.*)$')


@dataclass(frozen=True)
class Line:
    """One element as it is shown: `7 link "Next page" /office/issues?page=2`."""

    number: int
    role: str
    name: str
    rest: str

    @property
    def value(self) -> str:
        found = re.search(r'= "((?:[^"\\]|\\.)*)"', self.rest)
        return found[1] if found else ""


@dataclass(frozen=True)
class Prompt:
    """The task, and the question of one step."""

    task: str
    text: str

    @property
    def sample(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._line("Sample: ") or "{}")
        return found

    @property
    def goal(self) -> str:
        return next(line.removeprefix("Goal: ") for line in self.task.splitlines() if line.startswith("Goal: "))

    @property
    def step(self) -> int:
        return int((self._line("Step ") or "0 ").split()[0])

    @property
    def kept(self) -> list[str]:
        line = self._line("Kept pictures and files: ")
        return line.split(", ") if line else []

    @property
    def milestones(self) -> list[str]:
        line = self._line("Milestones reached: ")
        return line.split(", ") if line else []

    @property
    def done_so_far(self) -> str:
        return self._before_page.partition("Done so far:\n")[2]

    @property
    def page(self) -> str:
        return self.text.partition("The page now:\n")[2]

    @property
    def url(self) -> str:
        return next(line for line in self.page.splitlines() if line.startswith("http"))

    @property
    def path(self) -> str:
        return urlsplit(self.url).path

    def address(self, path: str) -> str:
        return urljoin(self.url, path)

    @property
    def saved(self) -> str:
        return self._before_page.partition("Saved so far:\n")[2].partition("\n\n")[0]

    @property
    def elements(self) -> list[Line]:
        found = [ELEMENT.match(line) for line in self.page.splitlines()]
        return [Line(int(each[1]), each[2], each[3].replace('\\"', '"'), each[4]) for each in found if each]

    @property
    def words(self) -> list[str]:
        """The page's own words, line by line."""
        lines = [line.strip() for line in self.page.splitlines()]
        return [line for line in lines if line and not ELEMENT.match(line)]

    @property
    def is_saved(self) -> bool:
        """Whether the page shown is among those whose data is saved."""
        return self.url in self._line("Pages whose data is saved: ").split(" · ")

    @property
    def page_number(self) -> str:
        """Of a list in pages; it may run into the words of its links."""
        found = re.search(r"Page (\d+) of \d+", self.page)
        return found[1] if found else ""

    def find(self, role: str, name: str) -> Line | None:
        return next((each for each in self.elements if each.role == role and each.name == name), None)

    def number(self, role: str, name: str) -> int:
        found = self.find(role, name)
        assert found is not None, f"no {role} {name} in:\n{self.text}"
        return found.number

    def fact(self, title: str) -> str | None:
        """What stands after this title, on the same line or the next."""
        lines = self.words
        for at, line in enumerate(lines):
            if line == title and at + 1 < len(lines):
                return lines[at + 1]
            if line.startswith(f"{title}: "):
                return line.removeprefix(f"{title}: ")
        return None

    @property
    def _before_page(self) -> str:
        return self.text.partition("The page now:\n")[0]

    def _line(self, start: str) -> str:
        return next((line.removeprefix(start) for line in self._before_page.splitlines() if line.startswith(start)), "")
