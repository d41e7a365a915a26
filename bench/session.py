"""What a saved login adds to a warm call, and what the proxy that guards every run adds to a page.

A login of the practice site with a cookie, localStorage, sessionStorage and IndexedDB. The arms open the same page in a
fresh context of a warm browser: with nothing, with the cookies, with all storages; the latter two also read back what
the browser is left with, and look whether the page asks to sign in, as a job does. The proxy: the same page opened
again and again in contexts of one bare browser, some with the proxy and some without.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import cast

from playwright.sync_api import Page, ProxySettings, sync_playwright

from bench.frame import NotReady, Options, Result, alternate, median
from bench.serving import context_for
from examples.practice.server import start
from recipes_app.browser.launch import find_browser
from recipes_app.browser.policy import Policy
from recipes_app.browser.proxy import PolicyProxy
from recipes_app.browser.session import ContextOptions
from recipes_app.browser.states import SavedState
from recipes_app.browser.thread import BrowserThread, Desk
from recipes_app.mapping.login import Probe, is_asked

ROUNDS = 30
PAGES = 5
MOST_MS = 150.0
MOST_PROXY_MS = 5.0
DEADLINE_S = 900
ITEMS = """() => new Promise((done) => {
  for (let n = 0; n < 10; n++) { sessionStorage.setItem(`s${n}`, "x".repeat(100)); localStorage.setItem(`l${n}`, "x".repeat(100)); }
  const asked = indexedDB.open("bench", 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore("kept", { keyPath: "id" }).put({ id: 1, text: "x".repeat(1000) });
  asked.onsuccess = () => { asked.result.close(); done(true); };
})"""  # noqa: E501
PROBE: Probe = {"url": "", "signs_out": "Log out"}


def run(options: Options) -> Result:
    rounds = options.rounds or ROUNDS
    thread = BrowserThread()
    try:
        with start() as site:
            usual = context_for(site.url)
            state = thread.call(lambda desk: _signed_in(desk, usual, site.url), deadline_s=DEADLINE_S)
            page = f"{site.url}/account"
            taken = alternate(_arms(thread, usual, state, page), rounds, warm_up=3)
            added = {name: _ms(taken[name]) - _ms(taken["no login"]) for name in taken if name != "no login"}
            proxy = _proxy(usual.policy, f"{site.url}/contact", rounds)
    finally:
        thread.stop()
    costs = round(proxy["with the proxy"] - proxy["directly"], 2)
    detail = {
        "ms": {name: round(_ms(values), 1) for name, values in taken.items()},
        "added ms": {name: round(value, 1) for name, value in added.items()},
        "a page, ms": {name: round(value, 2) for name, value in proxy.items()},
        "the proxy adds ms": costs,
    }
    value = max(added.values())
    met = value <= MOST_MS and costs <= MOST_PROXY_MS
    goal = f"<= {MOST_MS:g} ms added to a warm call, <= {MOST_PROXY_MS:g} ms to a page by the proxy"
    return Result("session", round(value, 1), "ms added", goal, met, None, detail)


def _signed_in(desk: Desk, usual: ContextOptions, url: str) -> SavedState:
    with desk.session(usual) as session:
        session.goto(f"{url}/login")
        session.page.get_by_label("Username").fill("anna")
        session.page.get_by_label("Password").fill("secret-anna")
        session.page.get_by_role("button", name="Sign in").click()
        session.page.wait_for_url("**/account")
        session.page.evaluate(ITEMS)
        return session.state()


def _arms(
    thread: BrowserThread, usual: ContextOptions, state: SavedState, page: str
) -> dict[str, Callable[[], object]]:
    cookies = cast(SavedState, {"storage": {**state["storage"], "origins": []}, "session_storage": {}})
    origins = [{"origin": each["origin"], "localStorage": each["localStorage"]} for each in state["storage"]["origins"]]
    plain = cast(SavedState, {**state, "storage": {**state["storage"], "origins": origins}})
    left: list[SavedState] = []

    def opened(options: ContextOptions) -> Callable[[], object]:
        def work(desk: Desk) -> None:
            with desk.session(options) as session:
                session.goto(page, status_any=True)
                if options.state is not None:
                    is_asked(session, PROBE)
            left.clear()

        return lambda: thread.call(work, deadline_s=DEADLINE_S)

    return {
        "no login": opened(usual),
        "cookies": opened(replace(usual, state=cookies, left=left.append)),
        "all but IndexedDB": opened(replace(usual, state=plain, left=left.append)),
        "all storages": opened(replace(usual, state=state, left=left.append)),
    }


def _proxy(policy: Policy, page: str, rounds: int) -> dict[str, float]:
    """Milliseconds of one page in the same bare browser, medians; each context opens it once unmeasured."""
    taken: dict[str, list[float]] = {"with the proxy": [], "directly": []}
    guard = PolicyProxy()
    guard.start()
    port = guard.open(policy)
    # Without the bypass Chromium would not ask a proxy for this machine's own address.
    through: ProxySettings = {"server": port.server_url, "bypass": "<-loopback>"}

    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=str(find_browser())) as bare:

        def open_pages(name: str, proxy: ProxySettings | None) -> None:
            with bare.new_context(proxy=proxy) as context:
                taken[name] += _opened(context.new_page(), page)

        arms = {"with the proxy": partial(open_pages, "with the proxy", through)}
        alternate({**arms, "directly": partial(open_pages, "directly", None)}, rounds)
    seen = len(port.log)
    guard.close(port)
    guard.stop()
    if not seen:
        raise NotReady("the browser did not ask the proxy for the page")
    return {name: _ms(values) for name, values in taken.items()}


def _opened(tab: Page, url: str) -> list[float]:
    tab.goto(url)
    seconds = []
    for _ in range(PAGES):
        began = perf_counter()
        tab.goto(url)
        seconds.append(perf_counter() - began)
    return seconds


def _ms(values: list[float]) -> float:
    return median(values) * 1000
