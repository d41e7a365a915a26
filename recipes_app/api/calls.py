"""Calling a tool, and looking at a call."""

import re
from threading import BoundedSemaphore, Event
from time import monotonic

from django.conf import settings
from django.http import FileResponse, Http404, HttpResponse
from ninja import Header, Query, Router, Status

from recipes_app import queues
from recipes_app.api.auth import TokenRequest, need, recipe_of, tool_of
from recipes_app.api.schemas import (
    REFUSALS,
    CallHeaders,
    CallIn,
    CallOut,
    CallsOut,
    Page,
    Refusal,
    call_line,
    call_out,
)
from recipes_app.models import ApiToken, Call, Job
from recipes_app.models.job import ENDED
from recipes_app.services import calls, downloads, runs
from recipes_app.services.errors import BadInput

router = Router(tags=["calls"])
LONGEST_WAIT_S = 60
LOOK_EVERY_S = (0.05, 0.5)  # at first, and at most
LOOK_TOLD_S = 1.0
# Each waiter holds a thread of the web process: some must be left for everybody else.
WAITERS = BoundedSemaphore(settings.API_WAITERS)


@router.post("/sites/{slug}/tools/{name}/calls", response={200: CallOut, 202: CallOut, REFUSALS: Refusal})
def create_call(
    request: TokenRequest,
    response: HttpResponse,
    slug: str,
    name: str,
    given: CallIn,
    headers: Header[CallHeaders],
) -> Status[CallOut]:
    """Call a tool. 202 and where to look; with `Prefer: wait=N` (60 at most) 200 once the call has ended in time,
    however it ended: `status` and `result` say. Where many wait already, 202 at once.
    With the same `Idempotency-Key` a tool is not called twice.
    Scope: call."""
    token = need(request, "call")
    recipe = tool_of(token, slug, name)
    how = calls.How(via="api", token=token, idempotency_key=headers.idempotency_key)
    try:
        call = calls.request_call(recipe=recipe, arguments=given.arguments, by=token.owner, **how)
    except BadInput as error:
        if "arguments" in given.model_fields_set:
            raise
        raise BadInput([*error.problems, f"expected {CallIn.shape}"]) from error
    seconds = wait_of(headers.prefer)
    ended, seconds = wait_for(call.job, seconds)
    out = call_out(call_of(token, call.job.public_id))
    response.headers["Location"] = out.url
    if seconds:
        response.headers["Preference-Applied"] = f"wait={seconds}"
    return Status(200 if ended else 202, out)


@router.get("/sites/{slug}/tools/{name}/calls", response={200: CallsOut, REFUSALS: Refusal})
def list_calls(request: TokenRequest, slug: str, name: str, page: Query[Page]) -> CallsOut:
    """Calls of a tool, newest first, by whichever way they came. `next` is the `cursor` of the page after this one.
    Scope: read or call."""
    token = need(request, "read", "call")
    rows = Call.objects.filter(recipe=recipe_of(token, slug, name)).select_related("job", "version").order_by("-pk")
    if page.cursor:
        last = rows.filter(job__public_id=page.cursor).first()
        if last is None:
            raise BadInput(["cursor: there is no such call of this tool"])
        rows = rows.filter(pk__lt=last.pk)
    found = list(rows[: page.limit + 1])
    shown = found[: page.limit]
    more = len(found) > page.limit
    return CallsOut(calls=[call_line(call) for call in shown], next=shown[-1].job.public_id if more else None)


@router.post("/calls/{public_id}/cancel", response={200: CallOut, 202: CallOut, REFUSALS: Refusal})
def cancel_call(request: TokenRequest, public_id: str) -> Status[CallOut]:
    """Stop a call: 200 if it was still waiting, 202 if its worker has been told. What a step has done by then stays
    done. Scope: call."""
    token = need(request, "call")
    job = runs.request_cancel(job=call_of(token, public_id).job, by=token.owner)
    return Status(202 if job.is_active else 200, call_out(call_of(token, public_id)))


@router.get("/calls/{public_id}", response={200: CallOut, REFUSALS: Refusal})
def show_call(request: TokenRequest, public_id: str) -> CallOut:
    """One call of the team, as it stands now. Scope: read or call."""
    return call_out(call_of(need(request, "read", "call"), public_id))


@router.get("/calls/{public_id}/files/{number}", response={REFUSALS: Refusal})
def show_file(request: TokenRequest, public_id: str, number: int) -> FileResponse:
    """The bytes of a file that a call brought back. Scope: read or call."""
    call = call_of(need(request, "read", "call"), public_id)
    file = call.job.files.filter(pk=number).first()
    if file is None:
        raise Http404(f"The call {public_id} has no file {number}.")
    return downloads.sent(file)


def call_of(token: ApiToken, public_id: str) -> Call:
    rows = Call.objects.filter(job__team=token.team, job__public_id=public_id)
    call = rows.select_related("job", "recipe__site", "version").first()
    if call is None:
        raise Http404(f"There is no call {public_id}.")
    return call


def wait_of(prefer: str) -> int:
    """Seconds of `wait=N` in a Prefer header (RFC 7240), 0 where it asks for nothing we know."""
    found = re.search(r"(?:^|[,;\s])wait\s*=\s*\"?(\d{1,4})\b", prefer, re.IGNORECASE)
    return min(int(found[1]), LONGEST_WAIT_S) if found else 0


def wait_for(job: Job, seconds: int) -> tuple[bool, int]:
    """(whether it has ended, the seconds it was given): none where as many wait already as may."""
    if not seconds or not WAITERS.acquire(blocking=False):
        return has_ended(job), 0
    try:
        return has_ended_within(job, seconds), seconds
    finally:
        WAITERS.release()


def has_ended_within(job: Job, seconds: int) -> bool:
    """Looks at the row, outside any transaction so that nobody waits for us: when told that it has ended, and now and
    then; again and again where Redis cannot tell."""
    until = monotonic() + seconds
    try:
        with queues.watching_for_end(job.pk) as wait:
            while not (ended := has_ended(job)) and monotonic() < until:
                wait(min(LOOK_TOLD_S, max(until - monotonic(), 0)))
    except queues.Unreachable:
        pause, most = LOOK_EVERY_S
        while not (ended := has_ended(job)) and monotonic() < until:
            Event().wait(min(pause, max(until - monotonic(), 0)))
            pause = min(pause * 1.5, most)
    return ended


def has_ended(job: Job) -> bool:
    return Job.objects.filter(pk=job.pk, status__in=ENDED).exists()
