"""The bench that holds the snapshot's roles and names against get_by_role: that it sees what differs, both ways."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bench import agreement
from bench.agreement import Tally, compare_frame, compare_site, kind_of
from bench.frame import NotReady, Options
from bench.serving import served
from recipes_app.browser.session import BrowserSession
from recipes_app.browser.snapshot import take_snapshot

PAGES = {
    "/": "<button>Save</button><a href='/next'>Next</a><a href='/file.zip'>Gone</a>",
    "/next": "<title>Next</title><label>Name <input></label>",
}


def test_what_differs_is_counted_both_ways_and_told(browse: Callable[..., Any]) -> None:
    tallies = [Tally(), Tally(), Tally()]

    def work(session: BrowserSession) -> None:
        session.goto(address)
        save, *links = take_snapshot(session.page).elements
        for tally, known in zip(tallies, ([save, *links], [replace(save, name="Sav"), *links], links), strict=True):
            compare_frame(session.page.main_frame, known, tally)

    with served(PAGES) as address:
        browse(work, url=address)
    same, named_wrongly, left_out = tallies
    assert (same.elements, same.share, dict(same.differ)) == (3, 1.0, {})
    assert (named_wrongly.agree, dict(named_wrongly.differ)) == (2, {'only ours: button "Sav" <button>': 1})
    assert (left_out.agree, dict(left_out.differ)) == (2, {"only theirs: button": 1})


def test_a_site_is_walked_along_its_links(browse: Callable[..., Any]) -> None:
    with served(PAGES) as address:
        tally = browse(lambda session: compare_site(session, f"{address}/", 5), url=address)
    # The third page is an empty one: an address that is not there.
    assert (tally.pages, tally.elements, tally.share) == (3, 4, 1.0)


def test_pages_of_one_kind_differ_in_numbers_and_values_only() -> None:
    assert kind_of("http://a/goods/12/x?page=2") == kind_of("http://a/goods/74/y?page=31")
    assert kind_of("http://a/goods/12") != kind_of("http://a/other/12")


def test_what_is_no_address_is_refused() -> None:
    with pytest.raises(NotReady, match="addresses of sites"):
        agreement.run(Options(only=("oscar",)))
