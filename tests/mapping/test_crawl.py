"""The crawl on small hostile sites, in a real browser, with every request counted."""

import threading
from collections.abc import Callable

from recipes_app.engine.events import Event, Progress
from recipes_app.mapping.crawl import PageSeen
from recipes_app.mapping.facts import Survey
from tests.browser.site import LittleSite

Crawl = Callable[..., Survey]


def paths(survey: Survey, site: LittleSite) -> list[str]:
    return [page.final_url.removeprefix(site.url) for page in survey.pages]


def why(survey: Survey, site: LittleSite, path: str) -> str:
    return next(skipped.why for skipped in survey.skipped if skipped.url == site.url + path)


def test_links_are_resolved_against_their_own_page(little: LittleSite, survey_of: Crawl) -> None:
    little.pages |= {
        "/docs/a/": '<main><a href="b.html">B</a> <a href="b.html#part">B, a part</a></main>',
        "/docs/a/b.html": "<h1>B</h1>",
        "/based": '<base href="/docs/"><a href="c.html">C</a>',
        "/docs/c.html": "<h1>C</h1>",
    }
    assert paths(survey_of(little.url + "/docs/a/"), little) == ["/docs/a/", "/docs/a/b.html"]
    assert "/docs/c.html" in paths(survey_of(little.url + "/based"), little)
    assert "/b.html" not in little.requests


def test_what_changes_something_is_never_requested(little: LittleSite, survey_of: Crawl) -> None:
    little.pages |= {
        "/": """<main><a href="/logout">Bye</a><a href="/item/3/delete">x</a><a href="/go?confirm=1">Go</a>
            <a href="/x" data-method="post">Vote</a><a href="/y" onclick="return confirm('Sure?')">Y</a>
            <a href="/z">Löschen</a><a href="/file.pdf">Leaflet</a><a href="/item/3">Item</a></main>""",
        "/item/3": "<h1>Item</h1>",
    }
    survey = survey_of(little.url + "/")
    assert paths(survey, little) == ["/", "/item/3"]
    assert set(little.requests) <= {"/", "/item/3", "/robots.txt", "/favicon.ico"}
    assert "logout" in why(survey, little, "/logout")
    assert "confirmation" in why(survey, little, "/y")
    assert why(survey, little, "/file.pdf") == "is a download"


def test_links_in_frames_and_shadow_roots_are_seen_quickly(little: LittleSite, survey_of: Crawl) -> None:
    little.pages |= {
        "/": """<h1>Top</h1><iframe src="/inner" title="Inner"></iframe><div id="host"></div>
            <script>host.attachShadow({mode: "open"}).innerHTML = '<a href="/shadow">S</a>'</script>""",
        "/inner": '<a href="/one">1</a> <a href="/two">2</a>',
        **dict.fromkeys(("/one", "/two", "/shadow"), "<h1>Page</h1>"),
    }
    found = paths(survey_of(little.url + "/"), little)
    assert {"/one", "/two", "/shadow"} <= set(found)


def test_pages_that_fail_are_recorded_and_the_crawl_goes_on(little: LittleSite, survey_of: Crawl) -> None:
    little.pages |= {
        "/": """<a href="/hang">Never</a><a href="/broken">500</a><a href="/gone">404</a>
            <a href="/away">Private</a><a href="/fine">Fine</a>""",
        "/broken": (500, {"Content-Type": "text/html"}, b"oops"),
        "/away": (302, {"Location": "http://169.254.169.254/latest/meta-data"}, b""),
        "/fine": "<h1>Fine</h1>",
    }
    survey = survey_of(little.url + "/", page_timeout_ms=1000)
    assert paths(survey, little) == ["/", "/fine"]
    assert "500" in why(survey, little, "/broken")
    assert "404" in why(survey, little, "/gone")
    assert why(survey, little, "/hang")
    assert "not allowed" in why(survey, little, "/away")


def test_many_pages_of_one_kind_count_as_two(little: LittleSite, survey_of: Crawl) -> None:
    names = [f"thing-{word}" for word in ["red", "blue", "green", "grey", "white", "black", "pink", "gold"]]
    cards = "".join(f'<li><h3><a href="/things/{name}">{name}</a></h3><p>Nice</p></li>' for name in names)
    little.pages["/"] = f'<main><ul>{cards}</ul></main><footer><a href="/contact">Contact</a></footer>'
    little.pages |= {f"/things/{name}": f"<main><h1>{name}</h1><article>a</article></main>" for name in names}
    little.pages["/contact"] = "<main><h1>Contact</h1><form><input name=q></form></main>"
    survey = survey_of(little.url + "/", max_pages=8)
    found = paths(survey, little)
    assert "/contact" in found
    assert len([path for path in found if path.startswith("/things/")]) == 2
    assert any("6 more pages" in skipped.why for skipped in survey.skipped)


def test_budgets_and_robots_are_kept(little: LittleSite, survey_of: Crawl) -> None:
    little.pages |= {
        "/robots.txt": (200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /secret"),
        "/": '<a href="/secret">S</a><a href="/a">A</a>',
        "/a": '<a href="/b">B</a>',
        "/b": '<a href="/c">C</a>',
        "/c": "<h1>C</h1>",
    }
    survey = survey_of(little.url + "/", max_depth=2)
    assert paths(survey, little) == ["/", "/a", "/b"]
    assert "/secret" not in little.requests
    assert "robots.txt" in why(survey, little, "/secret")
    assert len(survey_of(little.url + "/", max_pages=2).pages) == 2
    assert "/secret" in paths(survey_of(little.url + "/", robots=False), little) or "/secret" in little.requests


def test_a_lone_accept_button_is_left_alone(little: LittleSite, survey_of: Crawl) -> None:
    little.pages["/"] = """<h1>Friends</h1><p>Anna wants to be your friend</p>
        <button onclick="fetch('/accepted')">Accept</button>"""
    survey_of(little.url + "/")
    assert "/accepted" not in little.requests


def test_progress_and_pictures_are_told_as_they_come(little: LittleSite, survey_of: Crawl) -> None:
    little.pages |= {"/": '<title>Top</title><a href="/a">A</a>', "/a": "<h1>A</h1>"}
    events: list[Event] = []
    lock = threading.Lock()

    def hear(event: Event) -> None:
        with lock:
            events.append(event)

    survey_of(little.url + "/", hear)
    pages = [event.page for event in events if isinstance(event, PageSeen)]
    assert [page.title for page in pages] == ["Top", ""]
    assert all(page.picture.startswith(b"\x89PNG") for page in pages)
    assert any(isinstance(event, Progress) and event.done == 1 for event in events)


def test_an_article_without_controls_and_an_empty_page_take_no_time(little: LittleSite, survey_of: Crawl) -> None:
    little.pages |= {
        "/": f"<article><h1>Story</h1><p>{'words ' * 500}</p></article>",
        "/empty": "",
    }
    (page,) = survey_of(little.url + "/").pages
    assert page.heading == "Story"
    assert page.text.startswith("Story words")
    assert survey_of(little.url + "/empty").pages[0].text == ""


def test_a_huge_page_is_bounded_and_says_so(little: LittleSite, survey_of: Crawl) -> None:
    row = "<div class=card><a href=/i/{0}>Item {0}</a><p class=price>{0}</p><span>some words</span></div>"
    little.pages["/"] = f"<main>{''.join(row.format(n) for n in range(15000))}</main>"
    (page,) = survey_of(little.url + "/", max_pages=1).pages
    assert page.elements_total > 60000
    assert page.links_total == 15000
    assert len(page.links) == 2000
    assert page.lists[0].total == 15000
    assert any("only" in problem for problem in page.problems)
    assert page.picture_size[1] == 4000
