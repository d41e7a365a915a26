"""Every refusal is `{"error": one line for a person, "kind": a word for a program, …}`."""

import logging
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError

from recipes_app.api.body import Unreadable
from recipes_app.services.errors import BadInput, NotAllowed, WrongState

GIVEN = "given"  # what every operation calls its body
logger = logging.getLogger(__name__)
KINDS = {
    400: "bad_request",
    401: "auth_required",
    403: "not_allowed",
    404: "not_found",
    409: "wrong_state",
    413: "too_large",
}
WORDS = {
    "Value error, ": "",
    "Input should be a valid dictionary": "must be an object",
    "Input should be a valid integer": "must be a whole number",
    "Input should be": "must be",
    "Field required": "is required",
}


def refusal(status: int, error: str, kind: str = "", **more: Any) -> HttpResponse:
    body = {"error": error, "kind": kind or KINDS.get(status, "bad_request"), **more}
    return JsonResponse(body, status=status)


def add_handlers(api: NinjaAPI) -> None:
    handlers: dict[type[Exception], Callable[[HttpRequest, Any], HttpResponse]] = {
        AuthenticationError: no_token,
        HttpError: refused_early,
        RequestDataTooBig: lambda _, __: refusal(413, f"A body may have {settings.DATA_UPLOAD_MAX_MEMORY_SIZE} bytes."),
        ValidationError: bad_request,
        Http404: lambda _, error: refusal(404, str(error) or "There is no such thing here."),
        PermissionDenied: lambda _, __: refusal(403, "The owner of this token may not do this."),
        NotAllowed: lambda _, error: refusal(403, str(error)),
        WrongState: lambda _, error: refusal(409, str(error)),
        BadInput: lambda _, error: bad_arguments(error.problems),
        Exception: bug,
    }
    for exception, handler in handlers.items():
        api.add_exception_handler(exception, handler)


def no_token(_: HttpRequest, __: Any) -> HttpResponse:
    answer = refusal(401, "Give a valid token: Authorization: Bearer agt_…")
    answer.headers["WWW-Authenticate"] = "Bearer"
    return answer


def bad_request(_: HttpRequest, error: ValidationError) -> HttpResponse:
    return bad_arguments([problem(each) for each in error.errors])


def problem(found: dict[str, Any]) -> str:
    """`arguments: must be an object`, from pydantic's list of errors."""
    path = ".".join(str(part) for part in found["loc"] if part not in ("body", "header", "query", "path", GIVEN))
    message = str(found["msg"])
    for theirs, ours in WORDS.items():
        message = message.replace(theirs, ours)
    return f"{path}: {message}" if path else message


def refused_early(_: HttpRequest, error: HttpError) -> HttpResponse:
    """By ninja itself; what it says of a body that could not be read is less than we know."""
    cause = error.__cause__
    return refusal(error.status_code, str(cause if isinstance(cause, Unreadable) else error))


def bad_arguments(problems: list[str]) -> HttpResponse:
    return refusal(422, "; ".join(problems), "bad_arguments", problems=problems)


def bug(request: HttpRequest, error: Exception) -> HttpResponse:
    logger.error("a bug in %s %s", request.method, request.path, exc_info=error)
    return refusal(500, "This is a bug in Agentify; its traceback is in the log.", "bug")
