"""What other applications add to the API: they say so as they start, long before its addresses are first asked for."""

# (prefix, dotted name of a router), once each
ROUTERS: list[tuple[str, str]] = []
# dotted names of modules with `listed(team)` and `read(team, user, uri)`: what programs may read over MCP
RESOURCES: list[str] = []
