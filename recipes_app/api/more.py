"""What other applications add to the API: they say so as they start, long before its addresses are first asked for."""

# (prefix, dotted name of a router), once each
ROUTERS: list[tuple[str, str]] = []
