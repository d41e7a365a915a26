"""With which saved login a command's jobs work: `--session NAME`, `--no-session`, or the site's usual one."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.base import CommandParser

from recipes_app.models import Site
from recipes_app.services import dispatch, sessions


def add_session(parser: CommandParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--session", default="", metavar="NAME", help="the saved login to use, where there are several")
    which.add_argument("--no-session", action="store_true", help="without the saved login that the site has")


@contextmanager
def with_session(site: Site, options: dict[str, Any]) -> Iterator[None]:
    """BadInput for a name that is not there."""
    with dispatch.signed_in_as(sessions.choose(site, name=options["session"], without=options["no_session"])):
        yield
