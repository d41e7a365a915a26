"""Addresses in logs without what only their owner should know: links of invitations and new passwords, and queries."""

import logging
import re

SECRET_PARTS = re.compile(r"(/invitations/|/account/reset/)(?!sent/)([^\s\"'?#]+)")
QUERY = re.compile(r"\?[^\s\"'#]*")
SHOWN = 4


def shortened(text: str) -> str:
    """`/invitations/abcdefgh/` becomes `/invitations/abcd…/`: enough to tell two apart, not enough to use one."""
    return SECRET_PARTS.sub(lambda found: f"{found[1]}{found[2][:SHOWN]}…/", text)


def without_query(address: str) -> str:
    return QUERY.sub("?…", shortened(address))


class DiscreetFormatter(logging.Formatter):
    """The whole text, traceback included."""

    def format(self, record: logging.LogRecord) -> str:
        return shortened(super().format(record))
