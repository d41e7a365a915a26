"""What models cost, on the pages of jobs and mappings."""

from typing import Any

from django import template

from recipes_app.models import Job, Mapping
from recipes_app.models.job import JobKind
from recipes_app.services import model_use
from recipes_app.services.model_use import Total

NEVER_ASK = frozenset({JobKind.CALL, JobKind.DELIVER})

register = template.Library()


@register.inclusion_tag("jobs/_model_use.html")
def used_by(job: Job) -> dict[str, Any]:
    """A line and a table; nothing for a job that asked no model."""
    uses = [] if job.kind in NEVER_ASK else list(model_use.uses_of(job))
    return {"job": job, "uses": uses, "total": model_use.of_job(job) if uses else Total()}


@register.inclusion_tag("mappings/_model_use.html")
def used_in_all_by(mapping: Mapping) -> dict[str, Any]:
    """The mapping with the recordings of its proposals."""
    return {"total": model_use.of_mapping(mapping)}


@register.filter
def thousands(number: int) -> str:
    return f"{number:,}"


@register.filter
def dollars(micros: int | None) -> str:
    """Of a sum in millionths: $0.0042, $1.20; a model without a price has none."""
    if micros is None:
        return "no price known"
    return f"${micros / 1e6:.2f}" if micros >= 100_000 else f"${micros / 1e6:.4f}"


@register.filter
def used_in_short(job: Job) -> str:
    """Tokens and cost of a job whose uses are at hand."""
    uses = list(job.model_uses.all())
    costs = [use.cost_micros for use in uses]
    tokens = sum(use.input_tokens + use.output_tokens for use in uses)
    return f"{tokens:,} tokens, {dollars(None if None in costs else sum(cost or 0 for cost in costs))}"
