"""A browser that starts while the rest of the program is still being loaded, for whoever first needs one like it."""

from recipes_app.browser.launch import LaunchOptions
from recipes_app.browser.thread import BrowserThread

_waiting: dict[LaunchOptions, BrowserThread] = {}


def start(launch: LaunchOptions) -> None:
    """Returns at once. One that nobody takes is ended with the process."""
    _waiting[launch] = BrowserThread(launch).start()


def take(launch: LaunchOptions) -> BrowserThread | None:
    return _waiting.pop(launch, None)
