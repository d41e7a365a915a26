"""Words after a command that may stand there alone or behind a flag: `call SITE TOOL` or `call --site … --tool …`."""

from collections.abc import Sequence
from typing import Any

from django.core.management.base import CommandParser

from recipes_app.management.plain import Refused


def add_words(parser: CommandParser, *names: str, **flags: Any) -> None:
    """`names` in their order, each with a flag of the same name as well."""
    parser.add_argument("words", nargs="*", metavar=" ".join(name.upper() for name in names))
    for name in names:
        parser.add_argument(f"--{name}", default="", metavar=name.upper(), help=flags.get(name))


def take_words(options: dict[str, Any], *names: str, optional: Sequence[str] = ()) -> None:
    """Puts the words given alone where the flags would have put them; Refused where one is missing or given twice."""
    words = list(options["words"])
    places = [name for name in names if not options[name]]
    if len(words) > len(places):
        raise Refused(too_many(words, options, names, places))
    options.update(zip(places, words, strict=False))
    missing = [name for name in names if not options[name] and name not in optional]
    if missing:
        raise Refused(f"name the {' and the '.join(missing)}: {usage(names)}.")


def too_many(words: Sequence[str], options: dict[str, Any], names: Sequence[str], places: Sequence[str]) -> str:
    flagged = [f"--{name} {options[name]}" for name in names if name not in places]
    extra = " ".join(words[len(places) :])
    if flagged:
        return f"{extra} is one word too many beside {' and '.join(flagged)}: give each either alone or with its flag."
    return f"{extra} is one word too many: {usage(names)}."


def usage(names: Sequence[str]) -> str:
    alone = " ".join(name.upper() for name in names)
    return f"give {alone}, or {' '.join(f'--{name} {name.upper()}' for name in names)}"
