"""The figures of the suite, and the page that keeps them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from textwrap import wrap
from typing import Any

from bench.drift.cases import Cases
from bench.drift.judging import Verdict
from bench.drift.mutations import UNCHANGED, VARIANTS, Mutation
from bench.frame import machine, versions

PAGE = Path(__file__).parents[2] / "docs" / "measured" / "drift.md"
SURVIVE_AT_LEAST = 0.95
VETOES = "had to survive, vetoed ones counted too"
METHOD = """
A trial is one recorded recipe on one variant of the practice site. A variant changes the page trees before they are
sent, and keeps every form's address and the names of its fields: these tell which control is the right one, whatever
it looks like. A trial had to survive where, tried one by one with Playwright alone, some role with name, label or test
id of every step still found that control and no other, no other locator found another node alone, and the selectors
of the reading steps found as many nodes as before. An action is wrong where the page saw a control used that the
recipe does not use, where the site's state afterwards is neither the one before nor the one the recipe leaves on
unchanged pages, or where a call that reports success brought something else back.
"""


@dataclass(frozen=True, slots=True)
class Figures:
    """`must`: trials on changed pages that had to survive."""

    verdicts: Sequence[Verdict]
    cases: Cases | None = None

    @property
    def wrong(self) -> list[Verdict]:
        return [verdict for verdict in self.verdicts if verdict.wrong]

    @property
    def unchanged(self) -> list[Verdict]:
        return [verdict for verdict in self.verdicts if verdict.trial.mutation is UNCHANGED]

    @property
    def must(self) -> list[Verdict]:
        return [verdict for verdict in self.changed if verdict.must]

    @property
    def vetoed(self) -> list[Verdict]:
        return [verdict for verdict in self.changed if verdict.vetoed]

    @property
    def held(self) -> list[Verdict]:
        return [verdict for verdict in self.changed if verdict.must or verdict.vetoed]

    @property
    def changed(self) -> list[Verdict]:
        return [verdict for verdict in self.verdicts if verdict.trial.mutation is not UNCHANGED]

    @property
    def refused(self) -> list[Verdict]:
        return [verdict for verdict in self.changed if not verdict.survived and not verdict.must]

    @property
    def rightly_refused(self) -> list[Verdict]:
        return [verdict for verdict in self.refused if verdict.is_right]

    @property
    def mended(self) -> Counter[str]:
        return Counter(each.trial.mended.partition(":")[0] for each in self.verdicts if each.trial.mended)

    @property
    def are_met(self) -> bool:
        return (
            not self.wrong
            and share(survived(self.unchanged), self.unchanged) == 1
            and share(survived(self.must), self.must) >= SURVIVE_AT_LEAST
            and len(self.rightly_refused) == len(self.refused)
            and (self.cases is None or self.cases.failed == 0)
        )

    def as_dict(self) -> dict[str, Any]:
        kinds = Counter(verdict.trial.kind for verdict in self.refused)
        return {
            "trials": len(self.verdicts),
            "unchanged survived": of(survived(self.unchanged), self.unchanged),
            "had to survive": of(survived(self.must), self.must),
            "vetoed, and so refused": of([v for v in self.vetoed if not v.survived], self.vetoed),
            VETOES: of(survived(self.held), self.held),
            "survived without having to": sum(v.survived for v in self.changed if not v.must),
            "refused with the right kind": of(self.rightly_refused, self.refused),
            "refused as": dict(sorted(kinds.items())),
            "healing proposed": dict(sorted(self.mended.items())),
            "proposed wrongly": [
                f"{each.trial.sample.name} on {each.trial.mutation.name}: {each.trial.mended}"
                for each in self.verdicts
                if each.trial.mended.startswith("wrong")
            ],
            "known cases passed": str(self.cases) if self.cases else "not run",
            "not as expected": [verdict.words for verdict in self.verdicts if not verdict.is_right],
        }


def survived(verdicts: Iterable[Verdict]) -> list[Verdict]:
    return [verdict for verdict in verdicts if verdict.survived and not verdict.wrong]


def share(part: Sequence[object], whole: Sequence[object]) -> float:
    return len(part) / len(whole) if whole else 1.0


def of(part: Sequence[object], whole: Sequence[object]) -> str:
    return f"{len(part)} of {len(whole)} ({100 * share(part, whole):.1f} %)"


def lines(figures: Figures) -> list[str]:
    rows = [f"wrong actions: {len(figures.wrong)}"]
    for name, value in figures.as_dict().items():
        rows += [f"{name}:", *(f"  {entry}" for entry in value)] if isinstance(value, list) else [f"{name}: {value}"]
    return rows


def write(figures: Figures, now: datetime) -> Path:
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text("\n".join([*head(figures, now), *table(figures), *tail(figures)]) + "\n", encoding="utf-8")
    return PAGE


def head(figures: Figures, now: datetime) -> list[str]:
    on, known = machine(), versions()
    told = figures.as_dict()
    mended = ", ".join(str(figures.mended[word]) for word in ("right", "nothing", "wrong"))
    return [
        "# Drift",
        "",
        f"Measured on {now:%Y-%m-%d} with `python -m bench.drift --write`, which is `./agentify bench drift`.",
        f"{on['cores']} cores, {on['cpu']}, {on['system']}; Python {known['python']}, Playwright",
        f"{known['playwright']}, {known['chromium']}. Other work ran on the machine; nothing here is a time.",
        "",
        "| figure | measured | goal |",
        "| --- | --- | --- |",
        f"| wrong actions | {len(figures.wrong)} of {len(figures.verdicts)} trials | 0 |",
        f"| survived on unchanged pages | {told['unchanged survived']} | 100 % |",
        f"| survived where role and name, label or test id still held alone | {told['had to survive']} | 95 % |",
        f"| the same, with those counted that another locator vetoed | {told[VETOES]} | none |",
        f"| everything else refused with the right kind | {told['refused with the right kind']} | 100 % |",
        f"| survived without having to, rightly | {told['survived without having to']} | none |",
        f"| healing, asked where a control was refused: right element, nothing, another element | {mended} | none |",
        f"| known cases of other tools (tests/engine) passed | {told['known cases passed']} | all |",
        "",
        *wrap(METHOD.strip(), 115),
        "",
    ]


def table(figures: Figures) -> list[str]:
    rows = [
        "| variant | what changes | had to survive, did | refused rightly | survived besides | wrong |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    return rows + [
        row(mutation, [each for each in figures.verdicts if each.trial.mutation is mutation]) for mutation in VARIANTS
    ]


def row(mutation: Mutation, verdicts: Sequence[Verdict]) -> str:
    must = [verdict for verdict in verdicts if verdict.must]
    others = [verdict for verdict in verdicts if not verdict.must]
    refused = [verdict for verdict in others if not verdict.survived]
    kinds = Counter(verdict.trial.kind for verdict in refused)
    named = ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))
    right = sum(verdict.is_right for verdict in refused)
    cells = (
        mutation.name,
        mutation.help,
        f"{len(must)}, {len(survived(must))}" if must else "none",
        f"{right} of {len(refused)} ({named})" if refused else "none",
        str(len(survived(others))),
        str(sum(bool(verdict.wrong) for verdict in verdicts)),
    )
    return f"| {' | '.join(cells)} |"


def tail(figures: Figures) -> list[str]:
    names = sorted({verdict.trial.sample.name for verdict in figures.verdicts})
    recipes = (
        f"Recipes: {', '.join(f'`{name}`' for name in names)}, as the rules propose and `mapping.record` records them"
    )
    unexpected = [f"- {verdict.words}" for verdict in figures.verdicts if not verdict.is_right]
    return [
        "",
        *wrap(f"{recipes} (`bench/drift/recipes`; recorded again by `python -m bench.drift --record`).", 115),
        "",
        "## Not as expected",
        "",
        *(unexpected or ["None."]),
    ]
