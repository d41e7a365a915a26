"""The pages in Chromium: keys, live parts, small screens, dark, names of controls, and no script blocked."""

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from django.utils import timezone

from recipes_app.browser.api import Page
from recipes_app.models import Call, Job, Mapping, Proposal
from recipes_app.models.job import JobStatus
from recipes_app.models.proposal import ProposalStatus
from tests.web.scene import SEARCH, STEPS, Scene, make_call, make_mapping, make_scene, propose

Visit = Callable[..., Any]

NARROWEST = 320
NAMELESS = """() => [...document.querySelectorAll('a, button, input, select, textarea, summary, [tabindex="0"]')]
    .filter(e => e.type !== 'hidden' && e.checkVisibility())
    .filter(e => !(e.ariaLabel || e.labels?.length || e.textContent.trim() || e.value && e.type === 'submit'
        || e.querySelector('img[alt], svg[aria-label]')?.matches('[alt]:not([alt=""]), [aria-label]')
        || e.getAttribute('aria-labelledby')))
    .map(e => e.outerHTML.slice(0, 120))"""


@pytest.fixture
def scene(transactional_db: None) -> Scene:
    return make_scene()


def pages(scene: Scene) -> list[str]:
    done = make_call(scene, JobStatus.DONE, {"ok": True, "data": {"products": [{"name": "L" * 80, "price": 4}] * 3}})
    error = {"error": "Two buttons.", "kind": "ambiguous", "looked_for": "Find", "found": ["a", "b"]}
    failed = make_call(scene, JobStatus.FAILED, {"ok": False, "data": {}}, error=error)
    live, _ = make_mapping(scene.site, scene.owner, JobStatus.RUNNING, phase="crawl", done_count=1, total_count=10)
    board = reverse("board", args=[scene.mapping.pk])
    site, tool = [scene.site.pk], [scene.recipe.pk]
    return [
        "/", "/sites/", "/sites/new/", "/tools/", "/calls/", "/jobs/", "/import/", "/nowhere/",
        reverse("site_detail", args=site), reverse("site_settings", args=site), reverse("mapping_start", args=site),
        reverse("mapping_detail", args=[live.pk]), board, f"{board}?p={scene.delete.pk}",
        reverse("proposal_edit", args=[scene.search.pk]), reverse("tool_detail", args=tool),
        f"{reverse('tool_detail', args=tool)}?call={done.job.public_id}", reverse("tool_versions", args=tool),
        reverse("version_detail", args=[*tool, 1]), reverse("call_detail", args=[failed.job.public_id]),
        "/notices/", "/search/?q=find", reverse("tool_export", args=tool), f"{board}?p={scene.send.pk}",
        reverse("webhook_list", args=[scene.team.slug]), reverse("team_detail", args=[scene.team.slug]),
    ]  # fmt: skip


def looked_over(page: Page, url: str, paths: list[str]) -> list[str]:
    """What is wrong with these pages, at this width."""
    wrong: list[str] = []
    page.on("console", lambda said: wrong.append(said.text) if "Content Security" in said.text else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    for path in paths:
        page.goto(url + path)
        width, room = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        if width > room:
            wrong.append(f"{path} is {width} wide on {room}")
        wrong += [f"{path} has no name for {each}" for each in page.evaluate(NAMELESS)]
        if page.locator("h1").count() != 1:
            wrong.append(f"{path} has {page.locator('h1').count()} headings of the first rank")
        if room > NARROWEST:
            wrong += [f"{path}: {each}" for each in hindering(page)]
    return wrong


def hindering(page: Page) -> list[str]:
    """What axe finds that is serious or worse."""
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{each['id']}: {node['html'][:160]}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


def test_what_hinders_people_is_found(scene: Scene, visit: Visit) -> None:
    def look(page: Page, _url: str) -> list[str]:
        page.evaluate("document.body.innerHTML = '<main><img src=x><button></button></main>'")
        return hindering(page)

    assert [each.split(":")[0] for each in visit("olga", look)] == ["button-name", "image-alt"]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark"), (320, "light")])
def test_every_page_fits_and_every_control_has_a_name(scene: Scene, visit: Visit, width: int, scheme: Any) -> None:
    paths = pages(scene)

    def look(page: Page, url: str) -> list[str]:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        return looked_over(page, url, paths)

    assert visit("olga", look) == []


CONTRAST = """() => {
    const light = text => {
        const canvas = new OffscreenCanvas(1, 1).getContext('2d');
        canvas.fillStyle = text; canvas.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
            .map(c => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const token = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const pairs = [['--ink', '--ground'], ['--soft', '--surface'], ['--soft', '--sunken'], ['--accent', '--surface'],
        ['--on-accent', '--accent'], ['--ok', '--ok-tint'], ['--warn', '--warn-tint'], ['--bad', '--bad-tint'],
        ['--accent', '--accent-tint'], ['--ink', '--accent-tint'], ['--ok', '--surface'], ['--bad', '--surface']];
    return pairs.map(([a, b]) => {
        const [low, high] = [light(token(a)), light(token(b))].sort((x, y) => x - y);
        return [`${a} on ${b}`, (high + 0.05) / (low + 0.05)];
    }).filter(([, ratio]) => ratio < 4.5);
}"""


def test_the_look_for_nameless_controls_finds_one(scene: Scene, visit: Visit) -> None:
    def look(page: Page, url: str) -> list[str]:
        page.evaluate("document.querySelector('main').append(document.createElement('button'))")
        return list(page.evaluate(NAMELESS))

    assert visit("vic", look) == ["<button></button>"]


def test_words_stand_out_from_their_ground_in_light_and_dark(scene: Scene, visit: Visit) -> None:
    def look(page: Page, url: str) -> dict[str, Any]:
        found = {}
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found[scheme] = page.evaluate(CONTRAST)
        return found

    assert visit("olga", look) == {"light": [], "dark": []}


def test_the_first_website_is_mapped_from_one_form(scene: Scene, visit: Visit) -> None:
    def look(page: Page, url: str) -> str:
        page.goto(f"{url}/sites/new/")
        page.get_by_label("Address of the website").fill("first.example.org")
        page.get_by_role("button", name="Map this website").click()
        page.get_by_text("Waiting for a worker").wait_for()
        return page.url

    assert "/mappings/" in visit("olga", look)
    assert Mapping.objects.filter(site__base_url="https://first.example.org/").exists()


def test_a_proposal_is_approved_by_keys_alone(scene: Scene, visit: Visit) -> None:
    def look(page: Page, url: str) -> list[str]:
        shown = page.locator("#proposal-name")
        page.goto(url + reverse("board", args=[scene.mapping.pk]))
        names = [shown.inner_text()]
        page.keyboard.press("j")
        page.locator("#proposal-name", has_text="send_message").wait_for()
        page.keyboard.press("k")
        page.locator("#proposal-name", has_text="search_products").wait_for()
        page.keyboard.press("a")
        page.get_by_text("Approved search_products").wait_for()
        names.append(shown.inner_text())
        page.keyboard.press("?")
        names.append(page.get_by_role("dialog").locator("h2").inner_text())
        return names

    assert visit("ed", look) == ["search_products", "send_message", "Keys of this page"]
    assert Proposal.objects.get(pk=scene.search.pk).status == ProposalStatus.APPROVED
    assert Proposal.objects.get(pk=scene.send.pk).status == ProposalStatus.PROPOSED


def test_keys_do_nothing_while_somebody_types(scene: Scene, visit: Visit) -> None:
    def look(page: Page, url: str) -> str:
        page.goto(url + reverse("board", args=[scene.mapping.pk]))
        page.evaluate("document.querySelector('main').append(document.createElement('textarea'))")
        page.locator("textarea").press("a")
        return page.locator("textarea").input_value()

    assert visit("ed", look) == "a"
    assert Proposal.objects.get(pk=scene.search.pk).status == ProposalStatus.PROPOSED


def test_the_key_alone_destroys_nothing(scene: Scene, visit: Visit) -> None:
    def look(page: Page, url: str) -> str:
        page.goto(url + reverse("board", args=[scene.mapping.pk]) + f"?p={scene.delete.pk}")
        page.keyboard.press("a")
        return page.get_by_text("Not approved: delete_ticket").inner_text()

    assert "needs its own tick" in visit("ed", look)
    assert Proposal.objects.get(pk=scene.delete.pk).status == ProposalStatus.PROPOSED


def test_an_edit_is_checked_while_typing_and_saved(scene: Scene, visit: Visit) -> None:
    def look(page: Page, url: str) -> str:
        page.goto(url + reverse("board", args=[scene.mapping.pk]))
        page.keyboard.press("e")
        name = page.get_by_label("Name", exact=True).nth(1)
        name.fill("1q")
        page.locator("#check", has_text="Something is wrong with a parameter").wait_for()
        name.fill("q")
        page.get_by_role("group", name="q").get_by_label("Example").fill("oak")
        page.locator("#check", has_text="fit together").wait_for()
        page.get_by_role("button", name="Save").click()
        return page.get_by_text("search_products is saved").inner_text()

    assert visit("ed", look)
    assert Proposal.objects.get(pk=scene.search.pk).examples == {"q": "oak"}


def test_a_tool_is_called_from_its_form(scene: Scene, visit: Visit) -> None:
    def look(page: Page, url: str) -> str:
        page.goto(url + reverse("tool_detail", args=[scene.recipe.pk]))
        page.get_by_label("q", exact=True).fill("lamp")
        page.get_by_label("category").select_option("Chairs")
        page.get_by_role("button", name="Call", exact=True).click()
        page.get_by_role("heading", name="Result").wait_for()
        return page.get_by_label("category").input_value()

    assert visit("otto", look) == "Chairs"
    call = Call.objects.get()
    assert call.arguments == {"q": "lamp", "category": "Chairs", "limit": 20}


def test_a_page_left_open_follows_the_job(scene: Scene, visit: Visit) -> None:
    call = make_call(scene, JobStatus.RUNNING, phase="step 1 of 4")

    def look(page: Page, url: str, tell: Callable[[str], None]) -> str:
        page.goto(url + reverse("call_detail", args=[call.job.public_id]))
        page.locator("#call-live").evaluate("element => { element.dataset.untouched = 'yes'; }")
        page.wait_for_event("response", lambda answer: "seen=" in answer.url and answer.status == 204)
        kept = page.locator("#call-live").get_attribute("data-untouched")
        tell("finish")
        page.get_by_role("cell", name="Oak lamp").wait_for()
        return f"{kept} {page.locator('#call-live').get_attribute('hx-trigger')}"

    def meanwhile(word: str) -> None:
        Call.objects.filter(pk=call.pk).update(result={"ok": True, "data": {"products": [{"name": "Oak lamp"}]}})
        Job.objects.filter(pk=call.job_id).update(status=JobStatus.DONE, finished_at=timezone.now())

    assert visit("vic", look, meanwhile) == "yes None"


def test_the_board_opens_itself_when_the_mapping_has_ended(scene: Scene, visit: Visit) -> None:
    mapping, _ = make_mapping(scene.site, scene.owner, JobStatus.RUNNING, phase="crawl")

    def look(page: Page, url: str, tell: Callable[[str], None]) -> str:
        page.goto(url + reverse("mapping_detail", args=[mapping.pk]))
        tell("propose")
        page.wait_for_url(f"{url}{reverse('board', args=[mapping.pk])}")
        return page.locator("#proposal-name").inner_text()

    def meanwhile(word: str) -> None:
        propose(mapping, "found", "read", SEARCH, {"q": "x"}, STEPS)
        Job.objects.filter(pk=mapping.job_id).update(status=JobStatus.DONE, finished_at=timezone.now())

    assert visit("otto", look, meanwhile) == "found"


def test_ticks_stay_while_the_list_learns_of_a_recording(scene: Scene, visit: Visit) -> None:
    def look(page: Page, url: str, tell: Callable[[str], None]) -> bool:
        page.goto(url + reverse("board", args=[scene.mapping.pk]))
        page.keyboard.press("a")
        page.get_by_label("Select send_message").check()
        tell("fail")
        page.locator(f"#state-{scene.search.pk}", has_text="Failed").wait_for()
        return page.get_by_label("Select send_message").is_checked()

    def meanwhile(word: str) -> None:
        Proposal.objects.filter(pk=scene.search.pk).update(status=ProposalStatus.FAILED)

    assert visit("ed", look, meanwhile) is True


def test_pages_work_without_any_script(scene: Scene, visit: Visit) -> None:
    def look(page: Page, url: str) -> str:
        page.route("**/*.js", lambda route: route.abort())
        page.goto(url + reverse("board", args=[scene.mapping.pk]))
        page.get_by_role("link", name="send_message").click()
        page.locator("#proposal-name", has_text="send_message").wait_for()
        page.get_by_role("button", name="Reject", exact=True).click()
        return page.get_by_text("Rejected send_message").inner_text()

    assert visit("ed", look)
    assert Proposal.objects.get(pk=scene.send.pk).status == ProposalStatus.REJECTED
