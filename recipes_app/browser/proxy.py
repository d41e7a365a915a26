"""The only way out of a context: a forward proxy that resolves, checks, pins and logs.

One listening port is one context's policy. Names are resolved here, once for each connection; the connection goes to
the very address that was checked, so a second answer of the name server changes nothing.
"""

import asyncio
import socket
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from recipes_app.browser.policy import Policy, join_port
from recipes_app.browser.wire import HEAD_LIMIT, BadHead, Head, endpoint_of, origin_form, own_answer, read_head

T = TypeVar("T")
Resolver = Callable[[str, int], Awaitable[list[str]]]

REFUSED_HEADER = "x-agentify-refused"
UNREACHABLE_HEADER = "x-agentify-unreachable"
CONNECT_TIMEOUT_S = 15
IDLE_TIMEOUT_S = 300
TURNS = 10
STOP_TIMEOUT_S = 5
CHUNK = 64 * 1024
LOG_LIMIT = 50_000
HEAR_OUT_S = 2
HEAR_OUT_CHUNKS = 100


@dataclass(frozen=True, slots=True)
class ProxyRecord:
    """One request to be connected. address: the peer's, of a connection made; failure: why an allowed one was not."""

    host: str
    port: int
    address: str | None = None
    refused_reason: str | None = None
    failure: str | None = None


def refusals_in_words(records: Iterable[ProxyRecord], most: int = 20) -> list[str]:
    """A line for each host, port and reason, in the order they first occurred."""
    counts = Counter((record.host, record.port, record.refused_reason) for record in records if record.refused_reason)
    lines = [
        f"Not reached: {join_port(host, port)}, {reason}" + (f" ({times} times)" if times > 1 else "")
        for (host, port, reason), times in counts.items()
    ]
    return lines[:most] + ([f"Not reached: {len(lines) - most} more"] if len(lines) > most else [])


@dataclass(eq=False, slots=True)
class ProxyPort:
    """A policy at work. The policy may be replaced while nothing is loading."""

    policy: Policy
    server_url: str = ""
    log: list[ProxyRecord] = field(default_factory=list)
    server: asyncio.Server | None = None
    tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def note(self, record: ProxyRecord) -> None:
        if len(self.log) < LOG_LIMIT or record.refused_reason:
            self.log.append(record)


class Refused(Exception):
    """The policy says no."""


class Unreachable(Exception):
    """The policy says yes, the network no."""


async def resolve_name(host: str, port: int) -> list[str]:
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class PolicyProxy:
    """An asyncio loop in a thread of its own. open() and close() may be called from any thread."""

    def __init__(self, resolve: Resolver = resolve_name) -> None:
        self._resolve = resolve
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._ports: set[ProxyPort] = set()

    def start(self) -> None:
        if self._thread is None:
            ready = threading.Event()
            self._thread = threading.Thread(target=self._run, args=(ready,), name="policy-proxy", daemon=True)
            self._thread.start()
            ready.wait()

    def stop(self) -> None:
        if self._thread is None or self._loop is None:
            return
        for port in list(self._ports):
            self.close(port)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(STOP_TIMEOUT_S)
        self._thread = None

    def open(self, policy: Policy) -> ProxyPort:
        self.start()
        return self._call(self._open(ProxyPort(policy)))

    def close(self, port: ProxyPort) -> None:
        """Ends its connections too."""
        if port in self._ports:
            self._ports.discard(port)
            self._call(self._close(port))

    def _run(self, ready: threading.Event) -> None:
        self._loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self._loop)
        self._loop.call_soon(ready.set)
        try:
            self._loop.run_forever()
        finally:
            self._loop.run_until_complete(_end_what_is_open())
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()

    def _call(self, work: Coroutine[Any, Any, T]) -> T:
        if self._loop is None:
            raise RuntimeError("The proxy has not been started.")
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(STOP_TIMEOUT_S)

    async def _open(self, port: ProxyPort) -> ProxyPort:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with suppress(asyncio.CancelledError):
                await self._serve(port, reader, writer)

        def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            # Known from its first moment: a task that is cancelled before it has begun would close nothing.
            task = asyncio.ensure_future(serve(reader, writer))
            port.tasks.add(task)
            task.add_done_callback(port.tasks.discard)
            task.add_done_callback(lambda _task: writer.transport.abort())
            if port not in self._ports:
                task.cancel()  # accepted while the port was being closed

        self._ports.add(port)
        port.server = await asyncio.start_server(connected, "127.0.0.1", 0, limit=HEAD_LIMIT)
        port.server_url = f"http://127.0.0.1:{port.server.sockets[0].getsockname()[1]}"
        return port

    async def _close(self, port: ProxyPort) -> None:
        if port.server:
            # What was accepted just now gets its transport first: a closed server drops it unclosed (CPython 3.11).
            for listener in port.server.sockets:
                asyncio.get_running_loop().remove_reader(listener.fileno())
            await _take_turns()
            port.server.close()
        tasks = list(port.tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, port: ProxyPort, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await read_head(reader)
            if head is not None:
                await self._answer(port, head, reader, writer)
        except (BadHead, ValueError) as error:
            writer.write(own_answer("400 Bad Request", UNREACHABLE_HEADER, str(error)))
            await _hear_out(reader, writer)
        except (OSError, TimeoutError):
            # Either side went away; the browser sees a connection that ended, which is what happened.
            return
        finally:
            await _hang_up(writer)

    async def _answer(
        self, port: ProxyPort, head: Head, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        host, number = endpoint_of(head)
        try:
            upstream = await self._connect(port, host, number)
        except Refused as error:
            port.note(ProxyRecord(host, number, refused_reason=str(error)))
            writer.write(own_answer("403 Forbidden", REFUSED_HEADER, f"{host}: {error}"))
            return
        except Unreachable as error:
            port.note(ProxyRecord(host, number, failure=str(error)))
            writer.write(own_answer("502 Bad Gateway", UNREACHABLE_HEADER, f"{host}: {error}"))
            return
        try:
            await _exchange(head, (reader, writer), upstream)
        finally:
            await _hang_up(upstream[1])

    async def _connect(
        self, port: ProxyPort, host: str, number: int
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reason = port.policy.refuse_name(host, number)
        if reason:
            raise Refused(reason)
        addresses = await self._addresses(host, number)
        reason = port.policy.refuse(host, number, addresses)
        if reason:
            raise Refused(reason)
        for address in addresses:
            with suppress(OSError, TimeoutError):
                pair = await _opened(address, number)
                port.note(ProxyRecord(host, number, address=address))
                return pair
        raise Unreachable("nothing answers there")

    async def _addresses(self, host: str, number: int) -> list[str]:
        try:
            addresses = await asyncio.wait_for(self._resolve(host, number), CONNECT_TIMEOUT_S)
        except (OSError, UnicodeError, TimeoutError) as error:
            raise Unreachable("its name does not resolve") from error
        if not addresses:
            raise Unreachable("its name does not resolve")
        return addresses


async def _end_what_is_open() -> None:
    """What the last ports left takes some turns of the loop to be ended and closed."""
    await _take_turns()
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await _take_turns()


async def _take_turns() -> None:
    for _ in range(TURNS):
        await asyncio.sleep(0)


async def _opened(address: str, number: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """OSError, TimeoutError. A connection that is made just as nobody wants it any more is closed."""
    opening = asyncio.ensure_future(asyncio.open_connection(address, number, limit=HEAD_LIMIT))
    try:
        async with asyncio.timeout(CONNECT_TIMEOUT_S):
            return await asyncio.shield(opening)
    except BaseException:
        opening.add_done_callback(_let_go)
        opening.cancel()
        raise


def _let_go(opening: asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]]) -> None:
    if not opening.cancelled() and opening.exception() is None:
        opening.result()[1].transport.abort()


Pair = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _exchange(head: Head, client: Pair, upstream: Pair) -> None:
    if head.start[0] == "CONNECT":
        client[1].write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await _both_ways(client, upstream)
        return
    method, target, version = head.start
    upstream[1].write(head.passed_on((method, origin_form(target), version)).as_bytes())
    length = None if head.get("transfer-encoding") else int(head.get("content-length") or 0)
    request = asyncio.ensure_future(_pump(client[0], upstream[1], length))
    answer = asyncio.ensure_future(_pass_answer(upstream[0], client[1]))
    await _first_to_end(request, answer, keep=answer)


async def _pass_answer(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    """Says "close" for the server: a kept connection would carry a request for another host past the policy."""
    while head := await read_head(source, IDLE_TIMEOUT_S):
        interim = head.start[1].startswith("1")
        sink.write((head if interim else head.passed_on(head.start)).as_bytes())
        await sink.drain()
        if not interim:
            break
    await _pump(source, sink, None)


async def _both_ways(client: Pair, upstream: Pair) -> None:
    out = asyncio.ensure_future(_pump(client[0], upstream[1], None))
    back = asyncio.ensure_future(_pump(upstream[0], client[1], None))
    await _first_to_end(out, back, keep=None)


async def _first_to_end(
    request: asyncio.Future[None], answer: asyncio.Future[None], *, keep: asyncio.Future[None] | None
) -> None:
    """Wait for one way to end (for `keep`, if given), then stop the other."""
    try:
        if keep is None:
            await asyncio.wait({request, answer}, return_when=asyncio.FIRST_COMPLETED)
        else:
            await keep
    finally:
        request.cancel()
        answer.cancel()
        await asyncio.gather(request, answer, return_exceptions=True)


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter, length: int | None) -> None:
    """Copy `length` bytes, or all there are."""
    left = length
    while left is None or left > 0:
        wanted = CHUNK if left is None else min(CHUNK, left)
        chunk = await asyncio.wait_for(source.read(wanted), IDLE_TIMEOUT_S)
        if not chunk:
            return
        sink.write(chunk)
        await sink.drain()
        left = None if left is None else left - len(chunk)


async def _hear_out(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A connection closed on what was not read is reset, and our answer lost with it."""
    with suppress(OSError, TimeoutError, ValueError):
        writer.write_eof()
        async with asyncio.timeout(HEAR_OUT_S):
            for _ in range(HEAR_OUT_CHUNKS):
                if not await reader.read(CHUNK):
                    return


async def _hang_up(writer: asyncio.StreamWriter) -> None:
    with suppress(OSError, TimeoutError):
        await asyncio.wait_for(writer.drain(), 1)
    writer.close()
    with suppress(OSError, TimeoutError):
        await asyncio.wait_for(writer.wait_closed(), 1)
