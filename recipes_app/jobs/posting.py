"""One POST to an address that the policy allows: no redirects, no proxy, bounded in time and size."""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from urllib.parse import urlsplit

from recipes_app.browser.policy import Policy, host_and_port
from recipes_app.services.webhooks import Answer

CONNECT_S, WHOLE_S, READ_BYTES = 5.0, 15.0, 2048


class Refused(Exception):
    """The policy does not let this address be reached."""


def post(url: str, body: bytes, headers: Mapping[str, str], policy: Policy) -> Answer:
    """What came back; a status other than 2xx is an answer too, and why there was none stands in `problem`."""
    try:
        connection = _connection(url, policy)
    except Refused as error:
        return Answer(None, str(error))
    except (OSError, UnicodeError) as error:  # a name that cannot be looked up may be either
        return Answer(None, f"no connection: {error}")
    # A peer that sends one byte now and then keeps each read within its own limit.
    watch = threading.Timer(WHOLE_S, _cut, [connection])
    watch.daemon = True
    watch.start()
    try:
        return _exchange(connection, url, body, headers)
    except (OSError, http.client.HTTPException, ValueError) as error:
        return Answer(None, f"no answer: {error or type(error).__name__}")
    finally:
        watch.cancel()
        connection.close()


def _exchange(connection: http.client.HTTPConnection, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    parts = urlsplit(url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    connection.request("POST", target, body, dict(headers))
    response = connection.getresponse()
    text = response.read(READ_BYTES).decode("utf-8", "replace").strip()
    if 300 <= response.status < 400:
        return Answer(response.status, "it redirects, and redirects are not followed")
    return Answer(response.status, "" if 200 <= response.status < 300 else text.replace("\0", "")[:200])


def _connection(url: str, policy: Policy) -> http.client.HTTPConnection:
    """Connected to one of the very addresses that were looked at, so that a name cannot change its mind between."""
    host, port = host_and_port(url)
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(entry[4][0]) for entry in found]
    if why := policy.refuse(host, port, addresses):
        raise Refused(why)
    raw = socket.create_connection((addresses[0], port), timeout=CONNECT_S)
    raw.settimeout(WHOLE_S)
    if urlsplit(url).scheme == "http":
        plain = http.client.HTTPConnection(host, port, timeout=WHOLE_S)
        plain.sock = raw
        return plain
    return _with_tls(raw, host, port)


def _with_tls(raw: socket.socket, host: str, port: int) -> http.client.HTTPConnection:
    context = ssl.create_default_context()
    secure = http.client.HTTPSConnection(host, port, timeout=WHOLE_S, context=context)
    try:
        secure.sock = context.wrap_socket(raw, server_hostname=host)
    except BaseException:
        raw.close()
        raise
    return secure


def _cut(connection: http.client.HTTPConnection) -> None:
    with suppress(OSError, AttributeError):
        connection.sock.shutdown(socket.SHUT_RDWR)
