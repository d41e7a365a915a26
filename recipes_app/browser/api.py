"""Playwright's types and errors for the rooms above, which never import Playwright themselves."""

from playwright.sync_api import (
    Dialog,
    Download,
    ElementHandle,
    Error,
    FileChooser,
    FilePayload,
    FloatRect,
    Frame,
    JSHandle,
    Locator,
    Page,
    Position,
    Request,
    Response,
    StorageState,
)
from playwright.sync_api import TimeoutError as TimeoutError  # noqa: A004, PLC0414 - Playwright's own name for it

from recipes_app.browser.answering import PageSilent

__all__ = [
    "Dialog",
    "Download",
    "ElementHandle",
    "Error",
    "FileChooser",
    "FilePayload",
    "FloatRect",
    "Frame",
    "JSHandle",
    "Locator",
    "Page",
    "PageSilent",
    "Position",
    "Request",
    "Response",
    "StorageState",
    "TimeoutError",
]
