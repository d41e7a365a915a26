"""Calling a tool, and looking at a call."""

import re
from threading import Event
from time import monotonic

from django.http import Http404, HttpResponse
from ninja import Header, Router, Status

from recipes_app.api.auth import TokenRequest, need, tool_of
from recipes_app.api.schemas import REFUSALS, CallHeaders, CallIn, CallOut, Refusal, call_out
from recipes_app.models import ApiToken, Call, Job
from recipes_app.models.job import ENDED
from recipes_app.services import calls

router = Router(tags=["calls"])
LONGEST_WAIT_S = 60
LOOK_EVERY_S = (0.05, 0.5)  # at first, and at most


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
    however it ended: `status` and `result` say. With the same `Idempotency-Key` a tool is not called twice.
    Scope: call."""
    token = need(request, "call")
    recipe = tool_of(token, slug, name)
    how = calls.How(via="api", token=token, idempotency_key=headers.idempotency_key)
    call = calls.request_call(recipe=recipe, arguments=given.arguments, by=token.owner, **how)
    seconds = wait_of(headers.prefer)
    ended = has_ended_within(call.job, seconds)
    out = call_out(call_of(token, call.job.public_id))
    response.headers["Location"] = out.url
    if seconds:
        response.headers["Preference-Applied"] = f"wait={seconds}"
    return Status(200 if ended else 202, out)


@router.get("/calls/{public_id}", response={200: CallOut, REFUSALS: Refusal})
def show_call(request: TokenRequest, public_id: str) -> CallOut:
    """One call of the team, as it stands now. Scope: read or call."""
    return call_out(call_of(need(request, "read", "call"), public_id))


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


def has_ended_within(job: Job, seconds: int) -> bool:
    """Looks at the row again and again, outside any transaction, so that nobody waits for us."""
    until = monotonic() + seconds
    pause, most = LOOK_EVERY_S
    while not Job.objects.filter(pk=job.pk, status__in=ENDED).exists():
        if monotonic() >= until:
            return False
        Event().wait(min(pause, max(until - monotonic(), 0)))
        pause = min(pause * 1.5, most)
    return True
