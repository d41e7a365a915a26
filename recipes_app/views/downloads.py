"""Files that calls brought back, for members of the team only."""

from django.contrib.auth.decorators import login_required
from django.http import FileResponse
from django.views.decorators.http import require_safe

from recipes_app.services import access, downloads
from recipes_app.views.signed_in import SignedIn


@login_required
@require_safe
def download(request: SignedIn, pk: int) -> FileResponse:
    return downloads.sent(access.get_file_for(request.user, pk))
