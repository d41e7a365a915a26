"""Cookie banners: said no to, where that is on offer, and left alone where it is not a banner."""

import re
from dataclasses import dataclass

from playwright.sync_api import ElementHandle, Error, Frame, Page

from recipes_app.browser.answering import frames_that_answer
from recipes_app.browser.scripts import script

CLICK_MS = 2000
GONE_MS = 1000

# Each is the whole label, lower case, punctuation at its ends removed.
REJECT = (
    # English
    r"(reject|decline|deny|refuse)( all| everything)?( cookies| optional cookies| non-essential cookies)?",
    r"i (decline|refuse|do not (accept|agree|consent))",
    r"do not (accept|agree|consent)|disagree|no,? thank(s| you)|opt out",
    r"(use |allow |accept |keep )?(only )?(strictly )?(necessary|essential|required)( cookies)?( only)?",
    r"continue without (accepting|agreeing|consent)",
    # German
    r"(alle |alles )?(cookies )?(ablehnen|verweigern)|ich lehne ab|nein,? danke",
    r"nicht (zustimmen|akzeptieren|einverstanden)",
    r"nur (technisch )?(notwendige|erforderliche|essen[tz]ielle)( cookies)?( (akzeptieren|zulassen|erlauben))?",
    r"(weiter|fortfahren) ohne (zustimmung|einwilligung|zu akzeptieren|annahme)",
    # French
    r"(tout )?refuser( tout| tous)?( les cookies)?|je refuse|non,? merci|rejeter( tout)?|tout rejeter",
    r"continuer sans (accepter|consentir)",
    r"(accepter )?(uniquement|seulement) (les )?(cookies )?(strictement )?(nécessaires|essentiels|indispensables)",
    # Spanish
    r"(rechazar|denegar)( todo| todas| todos)?( las cookies| cookies)?|rechazarlas?( todas)?|no acepto|no,? gracias",
    r"(aceptar )?(solo|sólo|solamente) (las )?(cookies )?(necesarias|esenciales)|continuar sin aceptar",
    # Italian
    r"(rifiuta|rifiutare|nega)( tutto| tutti)?( i cookie)?|rifiuto|non accetto|no,? grazie",
    r"(accetta )?(solo|soltanto) (i )?(cookie )?(strettamente )?(necessari|essenziali|tecnici)",
    r"continua senza accettare",
    # Dutch
    r"(alles |alle cookies |cookies )?(weigeren|afwijzen)|(weiger|wijs)( alles| alle cookies)?( af)?",
    r"nee,? (bedankt|dank je)",
    r"alleen (noodzakelijke|functionele|essentiële)( cookies)?( accepteren| toestaan)?",
    r"(doorgaan|verder) zonder (te accepteren|accepteren|toestemming)",
    # Portuguese
    r"(rejeitar|recusar)( tudo| todos)?( os cookies| cookies)?|não aceito|não,? obrigad[oa]|continuar sem aceitar",
    r"(aceitar )?(apenas|somente|só) (os )?(cookies )?(estritamente )?(necessários|essenciais)",
)
ACCEPT = (
    r"(accept|allow|agree to)( all)?( cookies)?( and (continue|close))?",
    r"i (accept|agree|understand)|agree|consent|got it|ok|okay",
    r"(alle |allen |alles )?(cookies )?(akzeptieren|annehmen|zustimmen|zulassen|erlauben)|ich (stimme zu|akzeptiere)",
    r"einverstanden|verstanden|zustimmen und (weiter|fortfahren)|akzeptieren und (schließen|weiter)",
    r"(tout )?accepter( tout| tous)?( les cookies)?( et (continuer|fermer))?|j'accepte|d'accord|j'ai compris",
    r"aceptar( todo| todas| todos)?( las cookies| cookies)?( y (continuar|cerrar))?|acepto|entendido|de acuerdo",
    r"(accetta|accettare|consenti)( tutto| tutti)?( i cookie)?( e (continua|chiudi))?|accetto|ho capito|va bene",
    r"(alles |alle cookies |cookies )?(accepteren|toestaan)|accepteer( alles| alle cookies)?|(ik ga )?akkoord|begrepen",
    r"aceitar( tudo| todos)?( os cookies| cookies)?( e (continuar|fechar))?|aceito|concordo|entendi|permitir( todos)?",
)
# Only these say of themselves that they are about cookies; they need less of the text around them.
OUTSPOKEN = re.compile(r"cookie|\ball\b|\balle[sn]?\b|\btou[ts]\b|\btod[oa]s?\b|\btutt[oi]\b|\btudo\b")
PLATFORMS = (
    "#onetrust-banner-sdk, #onetrust-consent-sdk, #CybotCookiebotDialog, #usercentrics-root, #usercentrics-cmp-ui",
    ".qc-cmp2-container, #didomi-notice, #didomi-popup, .didomi-popup-container, .fc-consent-root",
    "#truste-consent-track, #gdpr-cookie-message, #moove_gdpr_cookie_info_bar",
    "#cookie-law-info-bar, .cky-consent-container, .cc-window, .osano-cm-window, .klaro, #klaro, #tarteaucitronRoot",
    "#axeptio_overlay, #cmplz-cookiebanner-container, .cmplz-cookiebanner, #hs-eu-cookie-confirmation",
    "#iubenda-cs-banner",
    "#cookiescript_injected, #ketch-consent-banner, #BorlabsCookieBox, #cmpbox",
)
PLATFORM_FRAMES = re.compile(
    r"sp_message|privacy-mgmt|consensu\.org|truste|cookiebot|usercentrics|consent|cookie|cmp[./-]",
    re.IGNORECASE,
)
FIND = script("consent.js")


@dataclass(frozen=True, slots=True)
class _Choice:
    label: str
    button: ElementHandle


def dismiss_consent(page: Page) -> str | None:
    """Press the refusing button of a cookie banner, else the agreeing one; returns its label, None if there is none."""
    for frame in frames_that_answer(page):
        whole = frame is not page.main_frame and _is_platform_frame(frame)
        choice = _find(frame, whole)
        if choice is not None and _press(choice):
            _await_gone(choice)
            return choice.label
    return None


def _is_platform_frame(frame: Frame) -> bool:
    return bool(PLATFORM_FRAMES.search(f"{frame.name} {frame.url}"))


def _find(frame: Frame, whole: bool) -> _Choice | None:
    given = {
        "reject": f"^(?:{'|'.join(REJECT)})$",
        "accept": f"^(?:{'|'.join(ACCEPT)})$",
        "outspoken": OUTSPOKEN.pattern,
        "platforms": ", ".join(PLATFORMS),
        "whole": whole,
    }
    try:
        found = frame.evaluate_handle(FIND, given)
        button = found.as_element()
        return _Choice(str(button.evaluate("e => e.innerText || e.value || ''")).strip(), button) if button else None
    except Error:
        # The frame was replaced while we looked; the banner, if any, is in the next one.
        return None


def _press(choice: _Choice) -> bool:
    try:
        choice.button.click(timeout=CLICK_MS)
    except Error:
        return False
    return True


def _await_gone(choice: _Choice) -> None:
    try:
        choice.button.wait_for_element_state("hidden", timeout=GONE_MS)
    except Error:
        # It stays, or its frame has gone: the caller's own waiting decides what that means.
        return
