"""`./agentify mcp`: the published tools of a site for whatever speaks the Model Context Protocol."""

from argparse import BooleanOptionalAction
from functools import partial
from typing import Any

import anyio
from django.core.management.base import CommandParser

from recipes_app.management.acting import find_site, find_user
from recipes_app.management.command import AgentifyCommand
from recipes_app.management.given import add_words, take_words
from recipes_app.management.mcp_house import Bench, DatabaseHouse
from recipes_app.mcp import transports
from recipes_app.version import VERSION


class Command(AgentifyCommand):
    help = "Serve the published tools of a site over MCP: on standard input and output, or with --http on a port."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        add_words(parser, "site")
        parser.add_argument("--http", action="store_true", help="streamable HTTP; each request needs an API token")
        parser.add_argument("--host", default="127.0.0.1", help="with --http (default: %(default)s)")
        parser.add_argument("--port", type=int, default=8765, metavar="N", help="with --http (default: %(default)s)")
        by = "calls are done by the workers of ./agentify up (default with --http), or in this process"
        parser.add_argument("--queue", action=BooleanOptionalAction, default=None, help=by)

    def run(self, options: dict[str, Any]) -> int:
        take_words(options, "site")
        self.prepare_database()
        user = find_user(options["username"])
        site = find_site(user, options["site"], options["team"])
        by_workers = options["http"] if options["queue"] is None else options["queue"]
        bench = None if by_workers else Bench()
        house = DatabaseHouse(site, user, bench)
        try:
            if options["http"]:
                bind = (options["host"], options["port"])
                anyio.run(partial(transports.over_http, house, VERSION, bind, self.tell))
            else:
                anyio.run(transports.over_stdio, house, VERSION)
        finally:
            if bench:
                bench.close()
        return 0

    def tell(self, address: str) -> None:
        self.say(f"serving at {address}; stop with Ctrl-C.")
