"""What the database keeps unique, refused in words where two people were at it in the same moment."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import IntegrityError, transaction

from recipes_app.services.errors import WrongState


@contextmanager
def or_say(words: str) -> Iterator[None]:
    """WrongState with these words where a unique value is taken; what was written inside is undone."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        raise WrongState(words) from error
