"""Idempotency keys: what a program asks for again under the same key is what was made the first time."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction

from recipes_app.models import ApiToken, AskedOnce
from recipes_app.services import sealing
from recipes_app.services.errors import WrongState


@transaction.atomic
def once(*, token: ApiToken, key: str, place: str, asked: Mapping[str, Any], make: Callable[[], str]) -> str:
    """The public id of what `make` made, now or under this key before; without a key, always now. WrongState where the
    key was used for something else. Whoever asks at the same moment waits; what `make` refuses leaves the key free."""
    if not key:
        return make()
    digest = sealing.mark(json.loads(json.dumps(asked, default=str)))  # what is asked may hold secrets
    row, is_first = AskedOnce.objects.get_or_create(token=token, place=place, key=key, defaults={"digest": digest})
    if is_first:
        row.subject = make()
        row.save(update_fields=["subject"])
    elif row.digest != digest:
        raise WrongState("This idempotency key was used for something else.")
    return row.subject
