"""How long the pages of the review room take: the 95th percentile of each kind, in milliseconds."""

from __future__ import annotations

import random
from collections.abc import Callable
from time import perf_counter
from typing import Any

from django.conf import settings
from django.test import Client
from django.urls import reverse

from evidence_app.models import Run, Sample
from recipes_app.models import User

WARM_UP = 3


def main(rounds: int) -> dict[str, float]:
    settings.ALLOWED_HOSTS = ["testserver"]
    client = Client()
    client.force_login(User.objects.get(username="reviewer0"))
    return {name: round(slow_end(client, address, rounds), 1) for name, address in pages().items()}


def pages() -> dict[str, Callable[[random.Random], str]]:
    ids = list(Run.objects.values_list("public_id", flat=True))
    queue, search, samples = reverse("review_queue"), reverse("search"), Sample.objects.count()
    narrowed = (
        lambda dice: f"task={dice.randint(1, 20)}",
        lambda dice: f"period=2026-Q{dice.randint(1, 4)}&state=all",
        lambda dice: f"control=AC-{dice.randint(0, 19)}",
        lambda dice: f"run={dice.choice(ids)}",
        lambda _dice: "assignee=me",
        lambda _dice: "days=30",
    )
    return {
        "queue": lambda dice: f"{queue}?page={dice.randint(1, 5)}",
        "queue, narrowed": lambda dice: f"{queue}?{dice.choice(narrowed)(dice)}",
        "search of a sample": lambda dice: f"{queue}?state=all&q=person-{dice.randrange(samples):06}",
        "search of many": lambda dice: f"{queue}?state=all&q=person-{dice.randrange(samples):06}"[:-3],
        "search box": lambda dice: f"{search}?q=person-{dice.randrange(samples):06}",
        "run page": lambda dice: f"{reverse('run_detail', args=[dice.choice(ids)])}?page={dice.randint(1, 5)}",
    }


def slow_end(client: Any, address: Callable[[random.Random], str], rounds: int) -> float:
    dice = random.Random(7)
    taken = []
    for number in range(-WARM_UP, rounds):
        asked = address(dice)
        started = perf_counter()
        answer = client.get(asked)
        ms = (perf_counter() - started) * 1000
        if answer.status_code != 200:
            raise SystemExit(f"{asked} answered {answer.status_code}")
        if number >= 0:
            taken.append(ms)
    return sorted(taken)[max(0, -(-len(taken) * 95 // 100) - 1)]
