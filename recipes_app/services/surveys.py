"""The survey of a mapping, kept as its pages are seen."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as MappingOf
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.core.files.storage import default_storage
from django.db import transaction

from recipes_app.engine.events import Picture
from recipes_app.engine.plain_json import clean, clean_text
from recipes_app.models import Mapping, SurveyPage
from recipes_app.services.runs import Claim

MAX_URL = 2000


@dataclass(frozen=True, slots=True)
class Seen:
    """One page of a survey as plain data; `counts` as in SurveyPage."""

    url: str
    title: str
    depth: int
    status: int
    shape: str
    counts: dict[str, int]
    picture: Picture | None = None


@transaction.atomic
def start_over(*, mapping: Mapping, claim: Claim) -> None:
    """Throw away what a try that was lost had seen; its files go once the rows have gone."""
    claim.hold()
    for name in list(claim.job.pictures.values_list("file", flat=True)):
        transaction.on_commit(partial(default_storage.delete, name), robust=True)
    mapping.proposals.all().delete()
    mapping.pages.all().delete()
    claim.job.pictures.all().delete()


def keep_page(*, claim: Claim, mapping: Mapping, seen: Seen) -> SurveyPage:
    picture = claim.picture(seen.picture) if seen.picture else None
    with transaction.atomic():
        claim.hold()
        return SurveyPage.objects.create(
            mapping=mapping,
            url=clean_text(seen.url)[:MAX_URL],
            title=clean_text(seen.title)[:300],
            depth=seen.depth,
            status=seen.status,
            shape=clean_text(seen.shape)[:200],
            counts=seen.counts,
            picture=picture,
        )


def keep_reasons(*, mapping: Mapping, reasons: MappingOf[str, list[MappingOf[str, str]]]) -> None:
    """What of each page was not proposed, and why."""
    for page in mapping.pages.all():
        page.why_not = [dict(reason) for reason in reasons.get(page.url, [])]
        page.save(update_fields=["why_not"])


def keep_limits(*, mapping: Mapping, skipped: Iterable[dict[str, Any]], refused_hosts: Iterable[str]) -> None:
    """What the survey left out, and which hosts pages asked for in vain."""
    mapping.skipped = clean(list(skipped))
    mapping.refused_hosts = clean(sorted(set(refused_hosts)))
    mapping.save(update_fields=["skipped", "refused_hosts"])


def keep_said(*, mapping: Mapping, said: dict[str, Any]) -> None:
    """What a model said of the proposals, as in the row's `model_said`."""
    mapping.model_said = clean(said)
    mapping.save(update_fields=["model_said"])
