from collections.abc import Callable
from typing import Any

import pytest

from recipes_app.browser.page import dismiss_consent, settle
from recipes_app.browser.session import BrowserSession
from tests.browser.site import LittleSite

OnPage = Callable[..., Any]


def settled_text(session: BrowserSession) -> str:
    settle(session.page)
    return session.page.locator("body").inner_text()


def test_a_page_that_is_done_is_not_waited_for(on_page: OnPage) -> None:
    later = "<script>setTimeout(() => { document.body.textContent = 'Much later' }, 1100)</script>"
    assert on_page(f"<body>Now{later}</body>", settled_text) == "Now"


@pytest.mark.parametrize(
    "script",
    [
        "setTimeout(() => { out('Ready') }, 700)",
        "setTimeout(() => setTimeout(() => { document.body.textContent = 'Ready' }, 400), 400)",
        "fetch('/data').then(r => r.text()).then(t => { document.body.textContent = t })",
        "fetch('/data').then(r => r.text()).then(t => setTimeout(() => { document.body.textContent = t }, 300))",
        "x = new XMLHttpRequest(); x.open('GET', '/data'); x.send(); x.onload = () => { out(x.response) }",
        "document.body.append(Object.assign(document.createElement('script'), {src: '/late.js'}))",
        "setTimeout(() => location.assign('/next'), 200)",
    ],
)
def test_what_is_still_to_come_is_waited_for(script: str, site: LittleSite, on_page: OnPage) -> None:
    site.pages["/data"] = "Ready"
    site.pages["/next"] = "<body>Ready</body>"
    site.pages["/late.js"] = "document.body.textContent = 'Ready'"
    assert (
        on_page(
            f"<body>Loading<script>const out = (t) => {{ document.body.textContent = t }}; {script}</script></body>",
            settled_text,
        )
        == "Ready"
    )


def test_a_frame_that_is_still_being_filled_is_waited_for(site: LittleSite, on_page: OnPage) -> None:
    site.pages["/frame"] = (
        "<body>…<script>setTimeout(() => { document.body.textContent = 'Ready' }, 400)</script></body>"
    )

    def work(session: BrowserSession) -> str:
        settle(session.page)
        return session.page.frames[1].locator("body").inner_text()

    assert on_page('<iframe src="/frame"></iframe>', work) == "Ready"


@pytest.mark.parametrize(
    "script",
    [
        "setInterval(() => { document.body.append(document.createElement('i')) }, 10)",
        "(function again() { setTimeout(again, 100) })()",
        "fetch('/hang')",
        "const s = new WebSocket('ws://' + location.host + '/hang')",
    ],
)
def test_a_page_that_never_rests_is_given_up_on_in_time(script: str, on_page: OnPage) -> None:
    def work(session: BrowserSession) -> str:
        settle(session.page, limit_ms=800)
        return session.page.title()

    assert on_page(f"<title>Clock</title><body><script>{script}</script></body>", work) == "Clock"


def test_what_counts_the_page_is_not_in_the_pages_way(on_page: OnPage) -> None:
    script = """
      window.results = [];
      const id = setTimeout(() => results.push("never"), 20); clearTimeout(id);
      setTimeout((a, b) => results.push(a + b), 10, "args", "!");
      setTimeout("results.push('text')", 10);
      new Promise((done) => setTimeout(done)).then(() => results.push("promise"));
      fetch("/nowhere").then((r) => results.push(r.status));
      fetch("http://[bad").catch((e) => results.push(e.name));
      addEventListener("click", { handleEvent() { results.push("object") } }); document.body.click();
      results.push(Object.keys(window).filter((key) => key.includes("agentify")).length);
    """

    def work(session: BrowserSession) -> list[object]:
        settle(session.page)
        found: list[object] = session.page.evaluate("results")
        return found

    found = on_page(f"<body><script>{script}</script></body>", work)
    assert sorted(map(str, found)) == sorted(["args!", "text", "promise", "404", "TypeError", "object", "0"])


BANNER = '<div role="dialog" aria-label="Cookies"><p>{text}</p><button>{reject}</button><button>{accept}</button></div>'


@pytest.mark.parametrize(
    ("text", "reject", "accept"),
    [
        ("We use cookies.", "Reject all", "Accept all"),
        ("This site uses cookies", "Only necessary cookies", "Accept all cookies"),
        ("We value your privacy. Consent?", "Continue without accepting", "I agree"),
        ("Wir verwenden Cookies.", "Alle ablehnen", "Alle akzeptieren"),
        ("Wir verwenden Cookies.", "Nur notwendige Cookies", "Zustimmen"),
        ("Nous utilisons des cookies.", "Tout refuser", "Tout accepter"),
        ("Nous utilisons des cookies.", "Continuer sans accepter →", "J’accepte"),
        ("Usamos cookies.", "Rechazar todo", "Aceptar todo"),
        ("Usiamo i cookie.", "Rifiuta tutti", "Accetta tutti"),
        ("Wij gebruiken cookies.", "Alles weigeren", "Alles accepteren"),
        ("Usamos cookies.", "Rejeitar tudo", "Aceitar tudo"),
    ],
)
def test_a_banner_is_refused_where_it_can_be_in_each_language(
    text: str, reject: str, accept: str, on_page: OnPage
) -> None:
    html = "<meta charset=utf-8>" + BANNER.format(text=text, reject=reject, accept=accept)
    pressed = (
        "<script>onclick = (e) => { document.title = e.target.textContent; e.target.closest('div').remove() }</script>"
    )

    def work(session: BrowserSession) -> tuple[str | None, str]:
        return dismiss_consent(session.page), session.page.title()

    assert on_page(html + pressed, work) == (reject, reject)


@pytest.mark.parametrize(
    "accept", ["Accept", "OK", "Got it!", "Akzeptieren", "Accepter", "Aceptar", "Accetto", "Akkoord"]
)
def test_a_banner_that_cannot_be_refused_is_accepted(accept: str, on_page: OnPage) -> None:
    html = f"""<div style="position:fixed;bottom:0">Cookies help us. <a href="/policy">Accept</a>
    <button onclick="this.parentElement.remove()">{accept}</button></div>"""
    assert on_page("<meta charset=utf-8>" + html, lambda session: dismiss_consent(session.page)) == accept


@pytest.mark.parametrize(
    "html",
    [
        "<button>Accept</button>",
        "<h2>Friend request</h2><p>Ann wants to be your friend</p><button>Accept</button><button>Decline</button>",
        '<div role="dialog"><p>Ann wants to be your friend</p><button>Accept</button></div>',
        '<div style="position:fixed">New order <button>Reject</button><button>Accept</button></div>',
        '<div role="dialog"><p>Ann wants to see your privacy settings</p><button>Accept</button></div>',
        "<main><p>Our cookie recipes</p><button>Accept</button></main>",
        '<div role="dialog" hidden><p>We use cookies</p><button>Accept all</button></div>',
        '<div role="dialog"><p>We use cookies</p><button>Settings</button><a href="/reject">Reject</a></div>',
    ],
)
def test_an_accept_button_that_is_no_cookie_banners_is_never_pressed(html: str, on_page: OnPage) -> None:
    html += "<script>onclick = () => { document.title = 'pressed' }</script>"

    def work(session: BrowserSession) -> tuple[str | None, str]:
        return dismiss_consent(session.page), session.page.title()

    assert on_page(html, work) == (None, "")


def test_a_banner_in_a_shadow_root_is_found(on_page: OnPage) -> None:
    html = """<div id="usercentrics-root"></div><script>
      const root = document.querySelector("div").attachShadow({mode: "open"});
      root.innerHTML = "<section>We use cookies <button>Deny</button><button>Accept All</button></section>";
      root.querySelector("button").onclick = () => root.host.remove();
    </script>"""

    def work(session: BrowserSession) -> tuple[str | None, int]:
        return dismiss_consent(session.page), session.page.locator("#usercentrics-root").count()

    assert on_page(html, work) == ("Deny", 0)


def test_a_banner_in_a_platforms_iframe_is_found(site: LittleSite, on_page: OnPage) -> None:
    site.pages["/consent/banner"] = "<p>Your choices</p><button onclick='document.body.remove()'>Reject all</button>"

    def work(session: BrowserSession) -> str | None:
        session.page.frame_locator("iframe").get_by_role("button").wait_for()
        return dismiss_consent(session.page)

    assert on_page('<iframe src="/consent/banner"></iframe>', work) == "Reject all"


INERT = "<title>Next</title><body><p>Page 2</p></body>"


@pytest.mark.parametrize(
    "more",
    [
        "<script>0</script>",
        "<img src='/pixel' onerror='0'>",
        "<p onclick='0'>Pressed</p>",
        "<iframe src='/next'></iframe>",
        "<meta http-equiv='Refresh' content='9;url=/next'>",
        "<div><template shadowrootmode='open'><p>Inside</p></template></div>",
    ],
)
def test_a_page_that_has_come_and_could_still_change_is_watched(more: str, on_page: OnPage) -> None:
    assert on_page(f"{INERT}{more}", looks_until_quiet) > 1


def test_a_page_that_has_come_and_cannot_change_is_not_watched(on_page: OnPage) -> None:
    assert on_page(INERT, looks_until_quiet) == 1


def looks_until_quiet(session: BrowserSession) -> int:
    """How often the page was looked at, each look after the first asked for by a timer of ours."""
    session.page.wait_for_load_state("load")
    session.page.evaluate(
        """() => { const real = window.setTimeout; window.looks = 1;
        window.setTimeout = (...given) => { window.looks += 1; return real(...given); }; }"""
    )
    settle(session.page, arrived=True)
    return int(session.page.evaluate("window.looks"))


def test_a_page_that_is_about_to_be_left_is_waited_for_though_nothing_in_it_could_run(
    site: LittleSite, on_page: OnPage
) -> None:
    site.pages["/next"] = INERT

    def work(session: BrowserSession) -> str:
        session.page.locator("a").evaluate("link => link.click()")
        settle(session.page)
        return session.page.title()

    assert on_page("<title>First</title><a href='/next'>Next</a>", work) == "Next"
