"""A site of the database as the house that an MCP server opens."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from functools import wraps
from importlib import import_module
from typing import ParamSpec, TypeVar

from django.db import close_old_connections
from django.http import Http404

from recipes_app import wiring
from recipes_app.api import more
from recipes_app.api.schemas import call_out
from recipes_app.formats.published import PublishedTool
from recipes_app.jobs import inline, running
from recipes_app.management.acting import find_tool
from recipes_app.management.command import one_line
from recipes_app.management.plain import Refused as NotThere
from recipes_app.mcp.seams import Content, Refused, Shown, Standing
from recipes_app.models import ApiToken, Call, Job, Recipe, Site, User
from recipes_app.models.job import JobStatus
from recipes_app.services import calls, dispatch, exports, runs, tokens
from recipes_app.services.errors import NotAllowed, ServiceError, WrongState

SCHEME = "agentify://"
CALLS = f"{SCHEME}calls/"
SHOWN_CALLS = 20
logger = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")


def at_the_rows(method: Callable[P, T]) -> Callable[P, T]:
    """Threads come and go; a connection to the database that is stale is not used again."""

    @wraps(method)
    def ask(*args: P.args, **kwargs: P.kwargs) -> T:
        close_old_connections()
        try:
            return method(*args, **kwargs)
        finally:
            close_old_connections()

    return ask


class Bench:
    """Does calls in this very process, one after the other, in one warm browser."""

    def __init__(self) -> None:
        self._one = ThreadPoolExecutor(max_workers=1, thread_name_prefix="calls")
        self._place: running.Place | None = None
        self._under_way: dict[str, Future[None]] = {}

    def put(self, job: Job) -> None:
        self._under_way[job.public_id] = self._one.submit(self._do, job)

    def trouble(self, call: str) -> str:
        """Why a call that should have ended has not."""
        future = self._under_way.get(call)
        if future is None or not future.done():
            return ""
        error = future.exception()
        return one_line(error) if isinstance(error, Exception) else "it was not done"

    def close(self) -> None:
        self._one.submit(self._stop).result()
        self._one.shutdown()

    def _do(self, job: Job) -> None:
        close_old_connections()
        if self._place is None:
            self._place = running.Place(running.new_name(), wiring.started_browser())
        inline.run_with(self._place, job)

    def _stop(self) -> None:
        if self._place is not None:
            self._place.browser.stop()


class DatabaseHouse:
    """`bench` does the calls here; without it the workers do."""

    def __init__(self, site: Site, user: User, bench: Bench | None) -> None:
        self.site, self.user, self.bench = site, user, bench
        self.name = f"agentify-{site.slug}"
        self.about = f"Tools of {site.name} ({site.base_url}). Each call is replayed exactly; no model reads the pages."

    @at_the_rows
    def allows(self, who: str) -> list[str]:
        token = self._token(who)
        return list(token.scopes) if token else []

    @at_the_rows
    def state(self) -> str:
        live = Recipe.objects.published().filter(site=self.site).values_list("name", "live_version")
        return json.dumps(list(live))

    @at_the_rows
    def tools(self, who: str) -> tuple[PublishedTool, ...]:
        self._need(who, "read", "call")
        return exports.published_tools(self.site)

    @at_the_rows
    def begin(self, who: str, tool: str, arguments: dict[str, object]) -> str:
        try:
            token = self._need(who, "call")
            with dispatch.staying_here() if self.bench else nullcontext():
                by = token.owner if token else self.user
                recipe = find_tool(self.site, tool)
                call = calls.request_call(recipe=recipe, arguments=arguments, by=by, via="mcp", token=token)
        except (ServiceError, NotThere) as error:
            raise Refused(one_line(error)) from error
        if self.bench:
            self.bench.put(call.job)
        return call.job.public_id

    @at_the_rows
    def look(self, call: str) -> Standing:
        row = Call.objects.select_related("job").get(job__public_id=call)
        job = row.job
        if job.is_active:
            trouble = self.bench.trouble(call) if self.bench else ""
            if trouble:
                return Standing(ended=True, failure={"error": trouble, "kind": "bug"})
            return Standing(ended=False, note=" ".join(part for part in (job.phase, job.note) if part) or job.status)
        if job.status != JobStatus.DONE:
            return Standing(
                ended=True, failure=job.error or {"error": f"The call is {job.status}.", "kind": job.status}
            )
        result = row.result or {}
        return Standing(ended=True, data=result.get("data") or {}, warnings=tuple(result.get("warnings") or ()))

    @at_the_rows
    def cancel(self, who: str, call: str) -> None:
        token = self._token(who) if who else None
        job = Job.objects.get(public_id=call)
        try:
            runs.request_cancel(job=job, by=token.owner if token else self.user)
        except (NotAllowed, WrongState) as error:
            logger.info("call %s goes on: %s", call, error)

    @at_the_rows
    def resources(self, who: str) -> list[Shown]:
        self._need(who, "read", "call")
        rows = Call.objects.filter(recipe__site=self.site).select_related("job", "recipe")[:SHOWN_CALLS]
        shown = [
            Shown(CALLS + row.job.public_id, f"Call of {row.recipe.name}", f"{row.job.status}, {row.job.created_at:%c}")
            for row in rows
        ]
        return [*shown, *(each for dotted in more.RESOURCES for each in import_module(dotted).listed(self.site.team))]

    @at_the_rows
    def read(self, who: str, uri: str) -> Content:
        token = self._need(who, "read", "call")
        try:
            if uri.startswith(CALLS):
                return self._call(uri.removeprefix(CALLS))
            for dotted in more.RESOURCES:
                found = import_module(dotted).read(self.site.team, token.owner if token else self.user, uri)
                if isinstance(found, Content):
                    return found
        except Http404 as error:
            raise Refused(str(error)) from error
        raise Refused(f"there is nothing at {uri}")

    def _call(self, public_id: str) -> Content:
        rows = Call.objects.filter(recipe__site=self.site, job__public_id=public_id)
        row = rows.select_related("job", "recipe__site", "version").first()
        if row is None:
            raise Refused(f"there is no call {public_id}")
        return Content("application/json", call_out(row).model_dump_json(indent=2).encode())

    def _need(self, who: str, *scopes: str) -> ApiToken | None:
        """The token with one of these scopes; None for whoever started the server."""
        if not who:
            return None
        token = self._token(who)
        if token is None or not set(scopes) & set(token.scopes):
            raise Refused(f"this needs a token with the scope {' or '.join(scopes)}")
        return token

    def _token(self, who: str) -> ApiToken | None:
        token = tokens.find_token(who)
        return token if token is not None and token.team_id == self.site.team_id else None
