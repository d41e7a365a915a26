"""Shared by views: a request of somebody who is signed in, and telling people what a service refused."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.http import HttpRequest

from recipes_app.models import User
from recipes_app.services.errors import ServiceError


class SignedIn(HttpRequest):
    """What a view behind `login_required` is given."""

    user: User


@contextmanager
def refusals_told(request: HttpRequest) -> Iterator[None]:
    """A service's refusal becomes a message on the next page."""
    try:
        yield
    except ServiceError as error:
        messages.error(request, str(error))
