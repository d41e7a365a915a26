"""What the person at the terminal reads: lines on standard error, results on standard output."""

import sys


def say(text: str) -> None:
    """One line of progress or trouble."""
    print(f"agentify: {text}", file=sys.stderr, flush=True)  # noqa: T201


def show(text: str = "") -> None:
    """One line of result."""
    print(text, flush=True)  # noqa: T201
