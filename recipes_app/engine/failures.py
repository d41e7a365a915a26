"""From whatever a step raised to one kind and one line."""

from __future__ import annotations

from recipes_app.browser.api import Error
from recipes_app.browser.api import TimeoutError as TooSlow
from recipes_app.browser.errors import BlockedByPolicy, NavigationFailed
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.act import Scene
from recipes_app.engine.errors import StepFailure
from recipes_app.engine.parameters import secret_names
from recipes_app.engine.scripts import script

Expected = (StepFailure, NavigationFailed, BlockedByPolicy, Error)
LOGIN_KINDS = {"missing", "ambiguous", "drifted", "verify_failed", "timeout"}
# What a page complains about is why these came about.
COMPLAINT_KINDS = {"missing", "verify_failed", "timeout"}


def as_failure(error: StepFailure | NavigationFailed | BlockedByPolicy | Error, session: BrowserSession) -> StepFailure:
    """BrowserLost instead, when the browser is gone."""
    if isinstance(error, StepFailure):
        return error
    if isinstance(error, BlockedByPolicy):
        return StepFailure("blocked_by_policy", str(error), looked_for=error.host)
    if isinstance(error, NavigationFailed):
        return StepFailure(kind_of_status(error.status), str(error), looked_for=error.url, status=error.status)
    session.raise_if_lost(error)
    return StepFailure("timeout" if isinstance(error, TooSlow) else "drifted", first_line(error))


def kind_of_status(status: int | None) -> str:
    return {401: "auth_required", 429: "challenged"}.get(status or 0, "navigation")


def first_line(error: Error) -> str:
    """Playwright's first line says what, the line naming who got the pointer says why."""
    lines = [line.strip(" -") for line in error.message.splitlines() if line.strip(" -=")]
    return lines[0].partition("Call log")[0][:300] if lines else type(error).__name__


def seen_at_login(failure: StepFailure, scene: Scene) -> StepFailure:
    """A page that asks for a password, in a tool that has none to give, explains most other failures."""
    if failure.kind not in LOGIN_KINDS or secret_names(scene.recipe.parameters):
        return failure
    try:
        asks = scene.session.page.locator("css=input[type=password]").filter(visible=True).count() > 0
    except Error as error:
        scene.session.raise_if_lost(error)
        return failure
    if not asks:
        return failure
    has_worked = any(row["status"] == "done" and row["matched"] for row in scene.steps)
    return StepFailure(
        "auth_expired" if has_worked else "auth_required",
        f"the page asks to log in{' again' if has_worked else ''} ({failure.message})",
        looked_for=failure.looked_for,
        candidates=failure.candidates,
    )


def with_complaint(failure: StepFailure, scene: Scene) -> StepFailure:
    """What should have come did not; where the page says why (a search too short, a field refused), so do we."""
    if failure.kind not in COMPLAINT_KINDS:
        return failure
    try:
        said = str(scene.session.page.evaluate(script("complaint.js")))
    except Error as error:
        scene.session.raise_if_lost(error)
        return failure
    if not said or said in failure.message:
        return failure
    return StepFailure(
        failure.kind,
        f"{failure.message.rstrip('.')}; the page says “{said}”",
        looked_for=failure.looked_for,
        candidates=failure.candidates,
        status=failure.status,
    )
