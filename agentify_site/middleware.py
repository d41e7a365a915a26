"""Response headers every page carries."""

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, JsonResponse

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


class WholeTextMiddleware:
    """An address with U+0000 names nothing: PostgreSQL cannot even be asked for it. The API reads its own queries."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        asked = "" if request.path.startswith("/api/") else request.META.get("QUERY_STRING", "")
        if "\0" in request.path or "%00" in asked:
            return HttpResponse("There is nothing at this address.", status=404, content_type="text/plain")
        return self.get_response(request)


class ApiAnswersInJsonMiddleware:
    """Also to a method that an address of the API does not take."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code != HTTPStatus.METHOD_NOT_ALLOWED or not request.path.startswith("/api/"):
            return response
        allowed = response.headers.get("Allow", "")
        error = (
            f"{request.method} is not taken here; {allowed} is." if allowed else f"{request.method} is not taken here."
        )
        answer = JsonResponse({"error": error, "kind": "wrong_method"}, status=HTTPStatus.METHOD_NOT_ALLOWED)
        answer.headers["Allow"] = allowed
        return answer


class ContentSecurityPolicyMiddleware:
    """Scripts and styles come from our own files only; a view may set a stricter policy of its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        return response


class PrivateMiddleware:
    """Pages are of one person: no proxy on the way keeps them, and the browser asks again before it shows one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", "private, no-cache")
        return response
