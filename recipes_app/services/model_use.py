"""What models cost a job: written down as it is used, read for pages and programs."""

from __future__ import annotations

from dataclasses import dataclass
from queue import SimpleQueue
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F, Q, QuerySet, Sum

from recipes_app.models import Job, Mapping
from recipes_app.models.model_use import ModelUse
from recipes_app.services.runs import Claim

if TYPE_CHECKING:
    from recipes_app.llm.base import Used

MICROS = 1_000_000


@dataclass(frozen=True, slots=True)
class Total:
    """`cost_micros` is what is known to have been spent; not `is_priced` where a model of it has no price."""

    requests: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    cost_micros: int = 0
    is_priced: bool = True

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens

    @property
    def dollars(self) -> float | None:
        """None where any of it has no price: half a sum would be a wrong one."""
        return self.cost_micros / MICROS if self.is_priced else None


class Tab:
    """What a job's model uses: put down on the thread that asks, written to the rows on the one that has them.

    `write` with every event that is heard, and at the end: a worker that is killed forgets little then.
    """

    def __init__(self, claim: Claim) -> None:
        self._claim = claim
        self._open: SimpleQueue[Used] = SimpleQueue()

    def put(self, used: Used) -> None:
        self._open.put(used)

    def write(self, _event: object = None) -> None:
        """LostLease where the job is this claim's no more."""
        while not self._open.empty():
            note_use(claim=self._claim, used=self._open.get())


@transaction.atomic
def note_use(*, claim: Claim, used: Used) -> None:
    """Add one request to its row. LostLease where the job is this claim's no more."""
    claim.hold()
    columns = {"purpose": used.purpose[:60], "provider": used.provider[:20], "model": used.model[:120]}
    row, _is_new = ModelUse.objects.get_or_create(job=claim.job, **columns, defaults={"cost_micros": 0})
    usage = used.usage
    cost = None if usage.cost_micros is None else F("cost_micros") + usage.cost_micros
    ModelUse.objects.filter(pk=row.pk).update(
        requests=F("requests") + usage.requests,
        input_tokens=F("input_tokens") + usage.input_tokens,
        cached_tokens=F("cached_tokens") + usage.cached_tokens,
        output_tokens=F("output_tokens") + usage.output_tokens,
        cost_micros=cost,
    )


def uses_of(job: Job) -> QuerySet[ModelUse]:
    return ModelUse.objects.filter(job=job)


def total_of(rows: QuerySet[ModelUse]) -> Total:
    sums = rows.order_by().aggregate(
        requests=Sum("requests", default=0),
        input_tokens=Sum("input_tokens", default=0),
        cached_tokens=Sum("cached_tokens", default=0),
        output_tokens=Sum("output_tokens", default=0),
        cost_micros=Sum("cost_micros", default=0),
    )
    return Total(**sums, is_priced=not rows.filter(cost_micros=None).exists())


def of_job(job: Job) -> Total:
    return total_of(uses_of(job))


def of_mapping(mapping: Mapping) -> Total:
    """The mapping's own job, and the recordings of what it proposed."""
    return total_of(ModelUse.objects.filter(Q(job=mapping.job) | Q(job__recording__proposal__mapping=mapping)))
