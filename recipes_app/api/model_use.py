"""What models cost, as programs see it."""

from ninja import Field, Schema

from recipes_app.models import Job
from recipes_app.models.model_use import ModelUse
from recipes_app.services import model_use
from recipes_app.services.model_use import Total


class UsedOut(Schema):
    purpose: str
    model: str
    requests: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    cost_usd: float | None


class ModelUseOut(Schema):
    """Tokens as the services counted them."""

    requests: int = Field(description="0: no model was asked.")
    input_tokens: int = Field(description="Cached ones included.")
    cached_tokens: int
    output_tokens: int
    cost_usd: float | None = Field(description="null where the price of a model that was asked is not known.")
    by_purpose: list[UsedOut]


def model_use_out(job: Job) -> ModelUseOut:
    rows = model_use.uses_of(job)
    return of(model_use.total_of(rows), list(rows))


def of(total: Total, rows: list[ModelUse]) -> ModelUseOut:
    return ModelUseOut(
        requests=total.requests,
        input_tokens=total.input_tokens,
        cached_tokens=total.cached_tokens,
        output_tokens=total.output_tokens,
        cost_usd=total.dollars,
        by_purpose=[_used(row) for row in rows],
    )


def _used(row: ModelUse) -> UsedOut:
    return UsedOut(
        purpose=row.purpose,
        model=row.model,
        requests=row.requests,
        input_tokens=row.input_tokens,
        cached_tokens=row.cached_tokens,
        output_tokens=row.output_tokens,
        cost_usd=None if row.cost_micros is None else row.cost_micros / model_use.MICROS,
    )
