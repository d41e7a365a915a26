"""The bell of whoever asked for a run: it waits to be confirmed, or came to nothing."""

from __future__ import annotations

from django.urls import reverse

from evidence_app.models import Run
from recipes_app.services import notices


def waits(run: Run, samples: int) -> None:
    text = f"{run.title}: planned, {samples} sample{'' if samples == 1 else 's'}. Look it over and confirm it."
    _tell(run, "run.to_confirm", text)


def came_to_nothing(run: Run, why: str) -> None:
    _tell(run, "run.not_planned", f"{run.title} could not be planned: {why}")


def settled(run: Run) -> None:
    """It was confirmed, discarded or cancelled: nobody has to look any more."""
    notices.settled(run.team, _mark(run))


def _tell(run: Run, event: str, text: str) -> None:
    path = reverse("run_detail", args=[run.public_id])
    news = notices.News(event=event, text=text, path=path, mark=_mark(run), by_mail=True)
    notices.tell(team=run.team, people=[run.requested_by], news=news)


def _mark(run: Run) -> str:
    return f"planned:{run.public_id}"
