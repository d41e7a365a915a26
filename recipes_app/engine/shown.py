"""A file that the browser shows instead of saving it: fetched once more, piece by piece, as the page that shows it.

By the browser's own network, with the cookies and through the proxy of the page; no more than one piece of it is ever
in memory.
"""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from recipes_app.browser.api import Error, Page
from recipes_app.engine.act import Act
from recipes_app.engine.downloads import quietly

PIECE = 1 << 20


@contextmanager
def fetched(act: Act, page: Page, url: str) -> Iterator[Path]:
    """Where the bytes lie while the block lasts. StepFailure: blocked_by_policy (too large), timeout, navigation."""
    with tempfile.NamedTemporaryFile(prefix="agentify-") as file:
        _write(act, page, url, file)
        file.flush()
        yield Path(file.name)


def _write(act: Act, page: Page, url: str, file: IO[bytes]) -> None:
    protocol = page.context.new_cdp_session(page)
    try:
        size = 0
        for piece in _pieces(protocol, _stream(act, protocol, url)):
            size += len(piece)
            refuse_too_large(act, size)
            if act.is_over:
                raise act.fail("timeout", f"the file did not arrive whole in time; {size} bytes came")
            file.write(piece)
    except Error as error:
        act.session.raise_if_lost(error)
        raise act.fail("navigation", f"the file did not arrive whole: {error.message.splitlines()[0]}") from error
    finally:
        quietly(protocol.detach)


def _stream(act: Act, protocol: Any, url: str) -> str:
    frame = protocol.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
    how = {"disableCache": False, "includeCredentials": True}
    resource = protocol.send("Network.loadNetworkResource", {"frameId": frame, "url": url, "options": how})["resource"]
    if not resource["success"]:
        why = resource.get("netErrorName") or f"it answered {int(resource.get('httpStatusCode', 0))}"
        raise act.fail("navigation", f"the file could not be fetched: {why}")
    return str(resource["stream"])


def _pieces(protocol: Any, stream: str) -> Iterator[bytes]:
    is_over = False
    try:
        while not is_over:
            read = protocol.send("IO.read", {"handle": stream, "size": PIECE})
            is_over = bool(read["eof"])
            yield base64.b64decode(read["data"]) if read.get("base64Encoded") else read["data"].encode()
    finally:
        # What was not read is thrown away by the browser.
        quietly(lambda: protocol.send("IO.close", {"handle": stream}))


def refuse_too_large(act: Act, size: int) -> None:
    limit = act.scene.max_download
    if size > limit:
        raise act.fail("blocked_by_policy", f"the file is larger than the {limit} bytes allowed")
