"""What is found wrong with a pack, and the exit code that says it to a program."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

# What it is called: its exit code. The worst one decides, from the top.
KINDS = {
    "newer": 10,  # a later version of this program is needed
    "modified": 2,
    "missing": 3,
    "extra": 4,
    "proof": 5,  # an entry is not in the ledger that was signed
    "signature": 6,
    "rewritten": 7,  # the ledger does not continue the earlier state that was named
    "timestamp": 8,
    "policy": 9,  # a decision that the rules of review do not allow
    "repacked": 2,  # all is there, in a ZIP that another program wrote anew
    "uncheckable": 11,
    "unknown": 6,  # consistent, but nobody said whose key it has to be
}
GOOD, USAGE = 0, 1
SHOWN_OF_A_KIND = 20


class Finding(NamedTuple):
    """`where`: the file of the pack, or the entry of the ledger, that it is about."""

    kind: str
    where: str
    text: str

    @property
    def line(self) -> str:
        return f"{self.kind}: {self.where}: {self.text}"


@dataclass
class Report:
    """`notes` are worth knowing and nothing wrong; `facts` is what a program may want to read."""

    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)

    def add(self, kind: str, where: str, text: str) -> None:
        self.findings.append(Finding(kind, where, text))

    @property
    def code(self) -> int:
        found = {finding.kind for finding in self.findings}
        return next((code for kind, code in KINDS.items() if kind in found), GOOD)

    def lines(self) -> list[str]:
        """One per finding, in the order of their weight; of many alike the first, and how many more."""
        said = []
        for kind in KINDS:
            alike = [finding.line for finding in self.findings if finding.kind == kind]
            said += alike[:SHOWN_OF_A_KIND]
            if len(alike) > SHOWN_OF_A_KIND:
                said.append(f"{kind}: and {len(alike) - SHOWN_OF_A_KIND} more like these")
        return said
