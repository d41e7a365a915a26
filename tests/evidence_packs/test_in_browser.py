"""A pack in Chromium: made on the page of its run, followed until it can be saved, whatever the width."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.urls import reverse

from evidence_app.models import Pack
from recipes_app.browser.api import Page
from tests.evidence_packs.conftest import Bench, built
from tests.web.test_in_browser import looked_over

Visit = Callable[..., Any]


def test_a_pack_is_made_and_saved(live_bench: Bench, visit: Visit, tmp_path: Path) -> None:
    run = reverse("run_detail", args=[live_bench.run.public_id])

    def look(page: Page, url: str, tell: Callable[[str], None]) -> Path:
        page.goto(url + run)
        page.get_by_role("link", name="Packs for an auditor").click()
        page.get_by_label("Keep originals back").check()
        page.get_by_role("button", name="Make the pack").click()
        page.get_by_text("Waiting for a worker").wait_for()
        tell("work")
        page.get_by_role("link", name="Download").wait_for()
        with page.expect_download() as saved:
            page.get_by_role("link", name="Download").click()
        path = tmp_path / saved.value.suggested_filename
        saved.value.save_as(path)
        return path

    path = visit("otto", look, meanwhile=lambda _word: built(Pack.objects.get().job))
    with zipfile.ZipFile(path) as archive:
        assert "manifest.json" in archive.namelist()


def test_the_page_fits_and_every_control_has_a_name(live_bench: Bench, visit: Visit) -> None:
    live_bench.pack()
    live_bench.pack(scope="signed")  # fails: nothing is
    paths = [reverse("run_packs", args=[live_bench.run.public_id])]

    def look(page: Page, url: str) -> list[str]:
        wrong = []
        for width, scheme in ((1280, "light"), (390, "dark"), (320, "light")):
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            wrong += looked_over(page, url, paths)
        return wrong

    assert visit("otto", look) == []
