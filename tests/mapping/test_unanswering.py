"""Pages made to hold a crawl up are left out, with the reason said, and the rest of the site is mapped."""

from collections.abc import Callable

from recipes_app.mapping.facts import Survey
from tests.browser.site import LittleSite

Crawl = Callable[..., Survey]
HARM = {
    "/spin": "<h1>x</h1><script>setTimeout(() => { for (;;); }, 100)</script>",
    "/spin-at-once": "<h1>x</h1><script>for (;;);</script>",
    "/spin-again": """<h1>x</h1><script>setInterval(() => {
        const until = Date.now() + 60000; while (Date.now() < until); }, 50)</script>""",
    "/spin-when-looked-at": """<h1>x</h1><script>JSON.stringify = Element.prototype.getBoundingClientRect =
        () => { for (;;); }</script>""",
}
FRAMES = {
    "/silent-frame": "<h1>Silent</h1><iframe src=/hang></iframe>",
    "/silent-frames": "<h1>Silent</h1>" + "<iframe src=/hang></iframe>" * 30,
    "/file-frame": "<h1>File</h1><iframe src='file:///etc/passwd'></iframe>",
}


def seen(survey: Survey, site: LittleSite) -> set[str]:
    return {page.final_url.removeprefix(site.url) for page in survey.pages}


def why(survey: Survey, site: LittleSite) -> dict[str, str]:
    return {skipped.url.removeprefix(site.url): skipped.why for skipped in survey.skipped}


def test_a_page_that_spins_is_left_out_and_the_crawl_goes_on(little: LittleSite, survey_of: Crawl) -> None:
    links = "".join(f'<a href="{path}">{path}</a> ' for path in HARM)
    little.pages |= {"/": f"<main>{links}<a href=/fine>Fine</a></main>", "/fine": "<h1>Fine</h1>", **HARM}
    survey = survey_of(little.url + "/", page_timeout_ms=3000)
    assert seen(survey, little) == {"/", "/fine"}
    reasons = why(survey, little)
    assert {reasons[path] for path in HARM} <= {"the page stopped answering", "it did not load within 3 s"}


def test_frames_that_never_answer_cost_a_page_nothing_but_themselves(little: LittleSite, survey_of: Crawl) -> None:
    links = "".join(f'<a href="{path}">{path}</a> ' for path in FRAMES)
    little.pages |= {"/": f"<main>{links}</main>", **FRAMES}
    survey = survey_of(little.url + "/")
    assert seen(survey, little) == {"/", *FRAMES}
    problems = {page.final_url.removeprefix(little.url): page.problems for page in survey.pages}
    assert problems["/silent-frame"] == problems["/file-frame"] == ("1 frames did not answer",)


def test_a_page_that_opens_windows_without_end_is_seen_and_they_are_closed(
    little: LittleSite, survey_of: Crawl
) -> None:
    little.pages |= {
        "/": "<main><a href=/many>Many</a> <a href=/fine>Fine</a></main>",
        "/many": """<h1>Many</h1><script>setInterval(() => {
            for (let i = 0; i < 20; i++) window.open('/popup?' + Math.random()) }, 50);
            addEventListener('beforeunload', (e) => { e.preventDefault(); e.returnValue = 'x' })</script>""",
        "/popup": "<h1>Popup</h1>",
        "/fine": "<h1>Fine</h1>",
    }
    assert {"/", "/many", "/fine"} == seen(survey_of(little.url + "/"), little)
    assert little.requests.count("/popup") < 60


def test_windows_opened_by_links_without_end_are_closed_too(little: LittleSite, survey_of: Crawl) -> None:
    little.pages |= {
        "/": "<main><a href=/many>Many</a> <a href=/fine>Fine</a></main>",
        "/many": """<h1>Many</h1><a id=a href=/popup target=_blank>x</a><script>
            setInterval(() => { for (let i = 0; i < 5; i++) document.querySelector('#a').click() }, 50)</script>""",
        "/popup": "<h1>Popup</h1>",
        "/fine": "<h1>Fine</h1>",
    }
    survey = survey_of(little.url + "/")
    assert {"/", "/fine"} <= seen(survey, little), why(survey, little)
