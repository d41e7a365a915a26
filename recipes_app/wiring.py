"""Settings and rows turned into the core's own objects. Imported by jobs and commands only."""

from dataclasses import replace

from django.conf import settings

from recipes_app.browser import ahead
from recipes_app.browser.chromium import Limits
from recipes_app.browser.launch import LaunchOptions
from recipes_app.browser.policy import Policy
from recipes_app.browser.session import ContextOptions
from recipes_app.browser.thread import BrowserThread
from recipes_app.engine.document import Recipe
from recipes_app.engine.picturing import takes_pictures
from recipes_app.models import Site
from recipes_app.services.sites import policy_of

ANY_PUBLIC_HOST = "*"


def launch_options(*, headless: bool | None = None) -> LaunchOptions:
    """Headless as the settings say, unless it is said here."""
    shown = settings.HEADLESS if headless is None else headless
    return LaunchOptions(executable=settings.CHROMIUM_PATH or None, headless=shown)


def new_browser(*, headless: bool | None = None) -> BrowserThread:
    """Not started yet."""
    limits = Limits(jobs=settings.WORKER_RECYCLE_JOBS, memory_mb=settings.WORKER_RECYCLE_MB)
    return BrowserThread(launch_options(headless=headless), limits=limits)


def started_browser(*, headless: bool | None = None) -> BrowserThread:
    """For a command: the one that was started ahead, if it is of that kind."""
    return ahead.take(launch_options(headless=headless)) or new_browser(headless=headless).start()


def usual_options() -> ContextOptions:
    """What most sites want of a context: the kind a worker makes ahead."""
    return ContextOptions(user_agent=settings.USER_AGENT or None)


def usual_call_options() -> ContextOptions:
    """What most calls want of one."""
    return replace(usual_options(), block_media=settings.BLOCK_MEDIA)


def policy_for(site: Site) -> Policy:
    hosts, private = policy_of(site)
    named = [host for host in hosts if host != ANY_PUBLIC_HOST]
    return replace(Policy.for_site(site.base_url, named, private), any_public=ANY_PUBLIC_HOST in hosts)


def context_options(site: Site) -> ContextOptions:
    return replace(
        usual_options(),
        viewport=(site.viewport_width, site.viewport_height),
        locale=site.locale,
        time_zone=site.time_zone,
        policy=policy_for(site),
    )


def call_options(site: Site, document: Recipe) -> ContextOptions:
    """For a call of this tool: pictures, films and fonts only where it takes a picture."""
    return replace(context_options(site), block_media=settings.BLOCK_MEDIA and not takes_pictures(document))
