"""A part of the drift suite small enough for every run: each kind of change once, by the recipe it hurts most."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from bench.drift.fixtures import Sample, samples
from bench.drift.judging import Verdict, judge
from bench.drift.mutations import UNCHANGED, VARIANTS
from bench.drift.suite import Place, one
from bench.drift.trial import Trial, initial_state, more_designs
from examples.practice.server import PracticeSite
from recipes_app.browser.thread import BrowserThread
from recipes_app.engine.document import Target

# (recipe, variant, kinds of which one must come, or "" for: it must survive)
TRIALS = (
    ("add_to_cart", "everything", ""),
    ("add_to_cart", "similar", ""),
    ("add_to_cart", "redesign-3", "ambiguous"),
    ("create_account", "labels", "drifted"),
    ("create_account", "stolen-ids", "drifted"),
    ("close_ticket", "order", ""),
    ("close_ticket", "redesign-4", "missing"),
    ("delete_ticket", "decoy-after", "ambiguous"),
    ("subscribe_newsletter", "redesign-2", ""),
    ("subscribe_newsletter", "overlay", "covered"),
    ("filter_tickets", "banner", ""),
    ("filter_tickets", "passing-overlay", ""),
    ("show_stores", "latency", ""),
    ("search_products", "hidden-twin", ""),
    ("list_products", "late", ""),
    ("list_products", "classes", "missing"),
    ("list_faqs", "tags", "missing bad_return drifted"),
)


@pytest.fixture(scope="module")
def place(browser: BrowserThread, practice_server: PracticeSite) -> Iterator[Place]:
    with more_designs():
        yield Place(practice_server, browser)


@pytest.fixture(scope="module")
def references() -> dict[str, Trial]:
    return {}


def sample_named(place: Place, name: str) -> Sample:
    (found,) = samples(place.site.url, (name,))
    return found


def judged(place: Place, references: dict[str, Trial], recipe: str, variant: str) -> Verdict:
    sample = sample_named(place, recipe)
    initial = initial_state(place.site)
    if recipe not in references:
        references[recipe] = one(place, sample, UNCHANGED)
    mutation = next(mutation for mutation in VARIANTS if mutation.name == variant)
    return judge(one(place, sample, mutation), references[recipe], initial)


@pytest.mark.slow
@pytest.mark.parametrize(("recipe", "variant", "kinds"), TRIALS)
def test_a_changed_page_is_survived_or_refused_and_nothing_wrong_is_done(
    place: Place, references: dict[str, Trial], recipe: str, variant: str, kinds: str
) -> None:
    verdict = judged(place, references, recipe, variant)
    assert references[recipe].outcome.ok, references[recipe].outcome.error
    assert verdict.wrong == ()
    assert verdict.is_right, verdict.words
    assert verdict.survived is not bool(kinds), verdict.words
    assert not kinds or verdict.trial.kind in kinds.split()


def test_the_witness_sees_a_decoy_that_is_used(place: Place, references: dict[str, Trial]) -> None:
    """The suite itself: a recipe that believes a position alone is caught, whatever it says."""
    sample = sample_named(place, "add_to_cart")
    initial = initial_state(place.site)
    reference = one(place, sample, UNCHANGED)
    fooled = with_css(sample, "main button")
    mutation = next(mutation for mutation in VARIANTS if mutation.name == "redesign-3")
    verdict = judge(one(place, fooled, mutation), reference, initial)
    assert any("decoy" in line for line in verdict.wrong), verdict.words
    assert not verdict.is_right


def with_css(sample: Sample, css: str) -> Sample:
    """The same recipe, its last click by this selector alone."""

    steps = list(sample.recipe.steps)
    at = next(index for index, step in enumerate(steps) if step.op == "click")
    steps[at] = replace(steps[at], fields={"target": Target(css=css, nth=0)}, expect=None)
    return replace(sample, recipe=replace(sample.recipe, steps=tuple(steps)))
