"""Everything that is sealed in the database, sealed anew with the newest key.

What the newest key opens already is passed over, and each batch is a transaction of its own: a rotation that was cut
off goes on where it stopped, and may run while people work.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from cryptography.fernet import InvalidToken
from django.apps import apps
from django.db import models, transaction
from django.db.models.functions import Cast

from recipes_app.keys import fernet, newest
from recipes_app.models.sealed import PURPOSE, SEALED, SealedJSONField

BATCH = 200
State = Literal["new", "old", "unreadable"]


@dataclass(frozen=True, slots=True)
class Rotated:
    """`unreadable` values are opened by no key any more; they are left as they are."""

    what: str
    changed: int = 0
    unreadable: int = 0

    def plus(self, state: State) -> Rotated:
        return Rotated(self.what, self.changed + (state == "old"), self.unreadable + (state == "unreadable"))


MORE: list[Callable[[], Rotated]] = []  # of other applications, which seal in their own way


def rotate_all() -> list[Rotated]:
    own = [
        _rotate(model, field.name)
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, SealedJSONField)
    ]
    return [*own, *(kind() for kind in MORE)]


def state_of(token: str, purpose: str) -> State:
    """Which key opens it: the newest, an older one, or none."""
    for state, keys in (("new", newest(purpose)), ("old", fernet(purpose))):
        try:
            keys.decrypt(token.encode())
        except InvalidToken:
            continue
        return state  # type: ignore[return-value] # one of the two words above
    return "unreadable"


def _rotate(model: type[models.Model], name: str) -> Rotated:
    done, after = Rotated(f"{model._meta.verbose_name} {name}"), 0
    while True:
        with transaction.atomic():
            rows = list(_after(model, name, after))
            for pk, text in rows:
                done = done.plus(_seal_anew(model, name, pk, text))
        if not rows:
            return done
        after = rows[-1][0]


def _after(model: type[models.Model], name: str, after: int) -> Any:
    """The next rows as they lie there, locked where the database can."""
    rows = model._base_manager.filter(pk__gt=after).order_by("pk").select_for_update(of=("self",))
    return rows.annotate(as_it_lies=Cast(name, models.TextField())).values_list("pk", "as_it_lies")[:BATCH]


def _seal_anew(model: type[models.Model], name: str, pk: int, text: str | None) -> State:
    lies = json.loads(text) if text else None
    if not isinstance(lies, dict) or lies.keys() != {SEALED}:
        return "new"
    state = state_of(str(lies[SEALED]), PURPOSE)
    if state == "old":
        value = json.loads(fernet(PURPOSE).decrypt(str(lies[SEALED]).encode()))
        model._base_manager.filter(pk=pk).update(**{name: value})
    return state
