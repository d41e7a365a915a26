"""What asking a model would cost, said before one is asked, from sizes measured (docs/measured/mapping.md)."""

from __future__ import annotations

from dataclasses import dataclass

from recipes_app.llm import prices
from recipes_app.llm.base import Usage
from recipes_app.models import Site, SurveyPage
from recipes_app.models.mapping import Method
from recipes_app.services import model_settings

INSTRUCTIONS = 950  # tokens of the prompt, and of the schema of the answer
PER_PAGE = 160  # of a page with its parts, and the drafts made of them
ANSWER = 700
LONGEST_SURVEY = 9000
LONGEST_ANSWER = 3000


@dataclass(frozen=True, slots=True)
class Estimate:
    """`micros` and `most_micros` are millionths of a dollar, None where the model has no known price."""

    method: str
    model: str
    pages: int
    requests: int
    most_requests: int
    tokens: int
    most_tokens: int
    micros: int | None
    most_micros: int | None

    @property
    def in_words(self) -> str:
        if self.method == Method.RULES:
            return "Free: no model is asked."
        known = self.micros is not None and self.most_micros is not None
        money = f", about {dollars(self.micros)}" if known else ", price not known"
        most = f", {dollars(self.most_micros)}" if known else ""
        pages = f"{self.pages} page{'s' if self.pages > 1 else ''}"
        return (
            f"About {self.requests} request and {self.tokens:,} tokens for {pages}{money}; "
            f"at most {self.most_requests} requests and {self.most_tokens:,} tokens{most}."
        )


def of_mapping(
    method: str, *, max_pages: int = 10, site: Site | None = None, model: str = "", budget_tokens: int | None = None
) -> Estimate:
    """Of proposing by that method; for a site that was mapped before, of as many pages as it had."""
    pages = _pages(site, max_pages)
    if method == Method.RULES:
        return Estimate(method, "", pages, 0, 0, 0, 0, 0, 0)
    name = model or model_settings.model_name(method)
    survey = min(PER_PAGE * pages, LONGEST_SURVEY)
    most_in = 2 * (INSTRUCTIONS + LONGEST_SURVEY) + LONGEST_ANSWER
    usual, most = _usage(1, INSTRUCTIONS + survey, ANSWER), _usage(2, most_in, 2 * LONGEST_ANSWER)
    limit = budget_tokens or model_settings.mapping_budget()
    return Estimate(
        method=method,
        model=name,
        pages=pages,
        requests=usual.requests,
        most_requests=most.requests,
        tokens=min(usual.tokens, limit),
        most_tokens=min(most.tokens, limit),
        micros=_cost(usual, name),
        most_micros=_cost(most, name),
    )


def _usage(requests: int, given: int, answered: int) -> Usage:
    return Usage(requests=requests, input_tokens=given, output_tokens=answered)


def _cost(usage: Usage, model: str) -> int | None:
    table = model_settings.price_table()
    return prices.cost_of(usage, prices.price_of(model, table))


def _pages(site: Site | None, max_pages: int) -> int:
    """A smaller site never fills the number that is allowed."""
    last = site.mappings.filter(pages__isnull=False).first() if site else None
    seen = SurveyPage.objects.filter(mapping=last).count() if last else 0
    return min(seen, max_pages) if last and seen < last.max_pages else max_pages


def dollars(micros: int | None) -> str:
    """$0.004, $1.20; never a nought for what costs something."""
    if micros is None:
        return "price not known"
    amount = micros / 1e6
    return f"${amount:.2f}" if amount >= 0.1 else f"${max(amount, 0.001 if micros else 0):.3f}"
