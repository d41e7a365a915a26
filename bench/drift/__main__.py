"""`python -m bench.drift`: every trial in words; with --record the recipes anew, with --write the page of figures."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime

from bench.drift import run_suite
from bench.drift.fixtures import record_all, save
from bench.drift.report import lines, write
from bench.drift.suite import open_place
from bench.frame import Options

RECORDING_S = 600


def main() -> int:
    given = parsed()
    if given.record:
        return record()
    figures = run_suite(Options(only=tuple(given.only), tell=tell))
    print("\n".join(lines(figures)))
    if given.write:
        print(write(figures, datetime.now(tz=UTC)))
    return 0 if figures.are_met else 1


def record() -> int:
    with open_place() as place:
        made = place.browser.call(
            lambda desk: record_all(desk, place.site, place.context, tell), deadline_s=RECORDING_S
        )
        for sample in made:
            tell(str(save(sample, place.site.url)))
    return 0


def tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.drift", description=__doc__)
    parser.add_argument("only", nargs="*", help="recipes and variants by name, and `cases`; none: everything")
    parser.add_argument("--record", action="store_true", help="record the recipes on the practice site again")
    parser.add_argument("--write", action="store_true", help="write docs/measured/drift.md")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
