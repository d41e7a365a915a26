"""Some of a population: the same seed chooses the same again, in any language, and the run says how."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from evidence_app.models import Run
from evidence_app.spec.samples import from_items
from evidence_app.spec.selection import selected
from recipes_app.models import User
from tests.evidence_reviews.conftest import Bench, bring

ROWS = [f"person {number}" for number in range(40)]


def test_the_same_seed_chooses_the_same_and_anybody_can_do_it_by_hand() -> None:
    samples = from_items(ROWS)
    chosen = [each.sample_id for each in selected(samples, 7, "2026-Q3")]
    by_hand = sorted(ROWS, key=lambda each: hashlib.sha256(f"2026-Q3\n{each}".encode()).hexdigest())[:7]
    assert sorted(chosen) == sorted(by_hand)
    assert chosen == [each for each in ROWS if each in chosen]
    assert chosen == [each.sample_id for each in selected(from_items(ROWS), 7, "2026-Q3")]
    assert chosen != [each.sample_id for each in selected(samples, 7, "2026-Q4")]
    # A row more or less moves none of the others: those that are chosen stay the lowest.
    assert set(chosen) - {ROWS[-1]} <= {each.sample_id for each in selected(samples[:-1], 7, "2026-Q3")}
    for count in (0, 41):
        with pytest.raises(ValueError, match="cannot be chosen"):
            selected(samples, count, "x")


def test_the_page_chooses_and_the_run_says_how(bench: Bench, signed_in: Callable[[User], Client]) -> None:
    client = signed_in(bench.room.operator)
    text = "sample_id,url\n" + "".join(f"p{number},http://127.0.0.1:1/p\n" for number in range(30))
    given = {"text": text, "retries": 0, "choose": 5, "seed": "Q3"}
    url = reverse("run_start", args=[bench.room.task.pk])
    refused = client.post(url, {**given, "choose": 31})
    assert refused.status_code == 422
    assert "There are only 30." in refused.content.decode()
    assert client.post(url, given).status_code == 302
    run = Run.objects.get()
    rows = from_items([{"sample_id": f"p{number}", "url": "http://127.0.0.1:1/p"} for number in range(30)])
    assert list(run.samples.values_list("sample_id", flat=True)) == [each.sample_id for each in selected(rows, 5, "Q3")]
    assert (run.population["rows"], run.population["sha256"]) == (30, hashlib.sha256(text.encode()).hexdigest())
    for sample in run.samples.all():
        bring(sample.attempts.get())
    page = client.get(reverse("run_detail", args=[run.public_id])).content.decode()
    for words in ("5 of 5 captured, 0 duplicated, 0 recaptured", "5 of 30, by the seed <code>Q3</code>"):
        assert words in page
