"""An element of the page in words that find it again, with places for the arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recipes_app.browser.api import Error
from recipes_app.browser.describe import describe
from recipes_app.browser.errors import Indistinct
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.document import DocumentError, Step, Target, parse_target
from recipes_app.engine.errors import StepFailure
from recipes_app.engine.substitution import placeholders
from recipes_app.engine.target import Look, resolve
from recipes_app.mapping.bind import bind_target, values_of
from recipes_app.mapping.errors import RecordingFailed

FIND_MS = 5000


def lasting(
    session: BrowserSession, planned: Step, target: Target, shown: Mapping[str, Any], *, hidden: bool
) -> Target:
    """The planned step's element, which `target` finds now, as a recipe finds it later. RecordingFailed.

    `shown` are the arguments its own words can depend on; `hidden`: it may be invisible under its label.
    """
    try:
        found = resolve(session, target, FIND_MS, look=Look(visible=not hidden))
        return bind_target(parse_target(describe(session, found.locator, prefer=tuple(values_of(shown)))), shown)
    except StepFailure as failure:
        raise RecordingFailed(failure.message) from failure
    except Indistinct as error:
        plan = planned.fields.get("target")
        # The plan tells it by the arguments, two together where one is not enough, and has found it by them.
        if isinstance(plan, Target) and placeholders(plan):
            return plan
        raise RecordingFailed(str(error)) from error
    except DocumentError as error:
        raise RecordingFailed(str(error)) from error
    except Error as error:
        session.raise_if_lost(error)
        raise RecordingFailed(f"an element could not be described: {str(error).splitlines()[0]}") from error
