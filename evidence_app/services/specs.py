"""Task specs: each change is a new version with its author; a version is never changed."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.db import transaction
from django.utils import timezone

from evidence_app.models import TaskSpec, TaskSpecVersion
from evidence_app.models.task_spec import SpecOrigin
from evidence_app.spec.dump import dump_spec, spec_digest
from evidence_app.spec.parse import parse_spec
from evidence_app.spec.shapes import TaskSpec as Spec
from recipes_app.engine.errors import DocumentError
from recipes_app.models import Site, Team, User
from recipes_app.models.team import EDITORS, RUNNERS
from recipes_app.services import access, audit
from recipes_app.services.errors import BadInput, NotAllowed, WrongState
from recipes_app.services.sites import create_site


def read(data: Any) -> Spec:
    """BadInput names the wrong field by its path."""
    try:
        return parse_spec(data)
    except DocumentError as error:
        raise BadInput({error.path: error.message}) from error


def spec_of(version: TaskSpecVersion) -> Spec:
    return parse_spec(version.document)


@transaction.atomic
def save(*, team: Team, by: User, data: Any, origin: str = SpecOrigin.WRITTEN) -> TaskSpecVersion:
    """A new version of the spec of that task_id, or the one there is where nothing changed."""
    role = access.role_in(by, team)
    if role not in (RUNNERS if origin == SpecOrigin.PLANNED else EDITORS):
        raise NotAllowed(f"An editor of {team} writes task specs.")
    spec = read(data)
    row, _is_new = TaskSpec.objects.select_for_update().get_or_create(team=team, task_id=spec.task_id)
    digest, newest = spec_digest(spec), row.versions.first()
    if newest is not None and newest.digest == digest and row.archived_at is None:
        return newest
    TaskSpec.objects.filter(pk=row.pk).update(title=spec.title[:200], archived_at=None)
    version = TaskSpecVersion.objects.create(
        spec=row,
        number=(newest.number if newest else 0) + 1,
        document=dump_spec(spec),
        digest=digest,
        origin=origin,
        author=by,
    )
    audit.record(team, by, "task_spec.saved", f"task spec {spec.task_id} version {version.number}", digest=digest)
    return version


def refuse_auth_profile(spec: Spec) -> None:
    """A file of saved cookies is not read from disk by its name: it has to be brought in as a session."""
    if spec.auth_profile:
        raise BadInput(
            {
                "auth_profile": f"{spec.auth_profile} is a file of a saved sign-in, which is not read from disk. "
                "Bring it in: ./agentify login SITE --state FILE --session NAME; then name that session instead."
            }
        )


@transaction.atomic
def site_for(*, team: Team, by: User, spec: Spec, url: str = "") -> Site:
    """The team's site of the address the task begins at, or a new one: its hosts bound what a run reaches."""
    start = url or spec.start_url
    host = urlsplit(start).netloc
    if not host:
        raise BadInput({"start_url": "The task needs a start address, or its samples need theirs."})
    for site in Site.objects.filter(team=team):
        if urlsplit(site.base_url).netloc == host:
            return site
    parts = urlsplit(start)
    return create_site(team=team, by=by, base_url=f"{parts.scheme}://{parts.netloc}/")


@transaction.atomic
def archive(*, spec: TaskSpec, by: User) -> None:
    if access.role_in(by, spec.team) not in EDITORS:
        raise NotAllowed(f"An editor of {spec.team} archives task specs.")
    from_now = TaskSpec.objects.filter(pk=spec.pk, archived_at=None)
    if from_now.update(archived_at=timezone.now()) != 1:
        raise WrongState(f"{spec.task_id} is archived already.")
    audit.record(spec.team, by, "task_spec.archived", f"task spec {spec.task_id}")
