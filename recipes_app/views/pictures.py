"""Pictures taken while jobs ran, for members of the team only."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from recipes_app.services import access
from recipes_app.views.signed_in import SignedIn

SHOWN = frozenset({"image/png", "image/jpeg", "image/webp"})


@login_required
@require_safe
def picture(request: SignedIn, pk: int) -> HttpResponse:
    """Bytes that came out of a browser: shown as an image or not at all."""
    row = access.get_picture_for(request.user, pk)
    if row.media_type not in SHOWN:
        raise Http404
    try:
        with row.file.open("rb") as file:
            content = file.read()
    except OSError as error:
        raise Http404 from error
    return HttpResponse(
        content,
        content_type=row.media_type,
        headers={
            "X-Content-Type-Options": "nosniff",
            "Content-Security-Policy": "default-src 'none'; sandbox",
            "Cache-Control": "private, max-age=86400, immutable",
        },
    )
