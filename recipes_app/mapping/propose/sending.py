"""Tools that read pages which send something when they are opened: they write, and are proposed as what they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from urllib.parse import urlsplit

from recipes_app.mapping.facts import PageSurvey
from recipes_app.mapping.propose.draft import Draft

PLACE = re.compile(r"\\\{\\\{\w+\\\}\\\}")
SUBMITS = 2


def as_senders(drafts: Iterable[Draft], pages: Iterable[PageSurvey]) -> Iterator[Draft]:
    """Each as it is, or as one that writes where a page like the one it opens was seen to send something."""
    sending = [page for page in pages if page.sends]
    for draft in drafts:
        page = next((page for page in sending if _opens(draft, page)), None)
        reads = draft.side_effect == "read" and draft.kind in {"list", "detail"}
        yield _as_sender(draft, page.sends[0]) if page is not None and reads else draft


def _opens(draft: Draft, page: PageSurvey) -> bool:
    address = PLACE.sub("[^/?&#]+", re.escape(draft.start_url))
    return re.fullmatch(address, page.final_url.split("#", 1)[0]) is not None


def _as_sender(draft: Draft, request: str) -> Draft:
    method, _, url = request.rpartition(" ")
    said = f"; opening its page sends {method} {urlsplit(url).path}, so it counts as writing"
    return replace(draft, side_effect="write", submits=SUBMITS, reason=f"{draft.reason}{said}")
