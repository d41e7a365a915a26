"""Free TCP ports on this machine."""

import contextlib
import socket

from agentify_site.runtime.errors import StartProblem


def is_free(port: int, host: str = "127.0.0.1") -> bool:
    """True where a server can listen on the port: SO_REUSEADDR, as servers do, ignores closed connections' remains."""
    with contextlib.closing(socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def first_free(start: int, *, host: str = "127.0.0.1", tries: int = 50) -> int:
    """`start` or the first port after it that nothing listens on."""
    free = next((port for port in range(start, start + tries) if is_free(port, host)), None)
    if free is None:
        raise StartProblem(f"ports {start} to {start + tries - 1} are all taken: name a free one with --port.")
    return free
