"""What is known of how a capture came: the part of its statement that the browser's side knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evidence_app.spec.shapes import CaptureSpec
from recipes_app.browser.provenance import common_facts
from recipes_app.browser.session import BrowserSession
from recipes_app.version import VERSION

FORMAT = "agentify-statement/1"


def statement_of(facts: Mapping[str, Any], spec: CaptureSpec) -> dict[str, Any]:
    """`account` is the label of the account that was used, empty where nobody was logged in by us."""
    return {**facts, "format": FORMAT, "application": f"Agentify {VERSION}", "account": "", "overlays": spec.overlays}


def statement_of_file(session: BrowserSession, url: str, size: int) -> dict[str, Any]:
    """Of a download: the page it was asked for on, and whom it came from."""
    facts = {**common_facts(session, url), "requested_url": url, "final_url": url, "page_url": session.page.url}
    return {**facts, "format": FORMAT, "application": f"Agentify {VERSION}", "account": "", "size": str(size)}
