"""Numbers and amounts of money as people write them."""

from __future__ import annotations

import re
from decimal import Decimal

from recipes_app.engine.naming import normalise

# A space groups thousands only before exactly three digits.
NUMBER = re.compile(r"[-+\u2212]?\s?\d+(?:(?:[.,'\u2019\u066b\u066c]| (?=\d{3}(?!\d)))\d+)*")
COMMA_DECIMAL = frozenset(
    [
        "bg",
        "ca",
        "cs",
        "da",
        "de",
        "el",
        "es",
        "et",
        "fi",
        "fr",
        "hr",
        "hu",
        "id",
        "is",
        "it",
        "lt",
        "lv",
        "nb",
        "nl",
        "nn",
        "no",
        "pl",
        "pt",
        "ro",
        "ru",
        "sk",
        "sl",
        "sr",
        "sv",
        "tr",
        "uk",
        "vi",
    ]
)
POINT_DECIMAL_TAGS = {"de-ch", "de-li", "fr-ch", "it-ch", "es-mx", "es-us", "es-pr"}
APOSTROPHES = str.maketrans("", "", "'\u2019\u00a0\u202f \u066c")

SYMBOLS: dict[str, str] = {
    "R$": "BRL", "A$": "AUD", "C$": "CAD", "CA$": "CAD", "AU$": "AUD", "NZ$": "NZD", "HK$": "HKD", "S$": "SGD",
    "US$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "$": "USD", "₹": "INR", "₽": "RUB", "₩": "KRW",
    "₪": "ILS", "₺": "TRY", "zł": "PLN", "₴": "UAH", "₫": "VND", "Kč": "CZK", "฿": "THB", "₱": "PHP",
    "CHF": "CHF", "Fr.": "CHF", "Ft": "HUF", "лв": "BGN",
}  # fmt: skip
KRONA = {"sv": "SEK", "da": "DKK", "nb": "NOK", "nn": "NOK", "no": "NOK", "is": "ISK"}
DOLLARS = {
    "en-ca": "CAD",
    "fr-ca": "CAD",
    "en-au": "AUD",
    "en-nz": "NZD",
    "es-mx": "MXN",
    "en-sg": "SGD",
    "zh-hk": "HKD",
}
CODES: frozenset[str] = frozenset((
    "AED", "ARS", "AUD", "BGN", "BRL", "CAD", "CHF", "CLP", "CNY", "COP", "CZK", "DKK", "EGP", "EUR",
    "GBP", "HKD", "HUF", "IDR", "ILS", "INR", "ISK", "JPY", "KES", "KRW", "KWD", "MAD", "MXN", "MYR",
    "NGN", "NOK", "NZD", "PEN", "PHP", "PKR", "PLN", "RON", "RSD", "RUB", "SAR", "SEK", "SGD", "THB",
    "TRY", "TWD", "UAH", "USD", "VND", "ZAR",
))  # fmt: skip
THREE_DECIMALS = {"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"}


def decimal_mark(locale: str | None) -> str | None:
    """`.` or `,`; None when the locale is not known."""
    if not locale:
        return None
    tag = locale.lower()
    if tag in POINT_DECIMAL_TAGS:
        return "."
    return "," if tag.split("-")[0] in COMMA_DECIMAL else "."


def parse_number(text: str, locale: str | None) -> Decimal:
    """The one number in a text. ValueError when there is none, or more than one."""
    found = [match.group() for match in NUMBER.finditer(normalise(text))]
    if len(found) != 1:
        raise ValueError(f"“{normalise(text)[:60]}” {'holds no number' if not found else 'holds several numbers'}")
    sign = "-" if is_negative(normalise(text), found[0]) else ""
    return Decimal(sign + plain_digits(found[0].lstrip("-+\u2212 "), locale))


def is_negative(text: str, number: str) -> bool:
    """A minus before it, a currency sign between them or not, or bookkeepers' brackets."""
    before = text.partition(number)[0]
    return (
        number[0] in "-\u2212"
        or re.search(r"[-\u2212]\s*\W?$", before) is not None
        or (text.startswith("(") and text.endswith(")"))
    )


def plain_digits(written: str, locale: str | None) -> str:
    """Digits with a point: separators of thousands dropped, the decimal mark told by locale or by its place."""
    digits = written.translate(APOSTROPHES).replace("\u066b", ".")
    mark = decimal_mark(locale) or guessed_mark(digits)
    other = "," if mark == "." else "."
    if digits.count(mark) > 1:
        mark, other = other, mark
    whole, _, rest = digits.replace(other, "").partition(mark)
    if locale and not grouped_well(digits, mark, other):
        raise ValueError(f"“{written}” is not how {locale} writes a number")
    return f"{whole}.{rest}" if rest else whole


def grouped_well(digits: str, mark: str, other: str) -> bool:
    """Every separator of thousands is followed by three digits (two in the Indian way, but not at the end)."""
    whole, _, rest = digits.partition(mark)
    groups = whole.split(other)
    return (
        other not in rest
        and all(len(group) in (2, 3) for group in groups[1:-1])
        and (len(groups) == 1 or len(groups[-1]) == 3)
    )


def guessed_mark(digits: str) -> str:
    """Both marks: the last one. One mark once, not before exactly three digits: it is decimal. Else as in English."""
    points, commas = digits.count("."), digits.count(",")
    if points and commas:
        return "." if digits.rfind(".") > digits.rfind(",") else ","
    if commas == 1 and len(digits.partition(",")[2]) != 3:
        return ","
    return "," if points > 1 else "."


def parse_money(text: str, locale: str | None) -> dict[str, str | None]:
    """`{"amount": "1234.50", "currency": "EUR"}`; the currency is None where the text names none."""
    plain = normalise(text)
    currency = currency_of(plain, locale)
    number = NUMBER.search(plain)
    if number and locale is None and currency not in THREE_DECIMALS and is_grouped_amount(number.group()):
        amount = parse_number(plain.replace(number.group(), re.sub(r"[.,]", "", number.group())), None)
    else:
        amount = parse_number(plain, locale)
    return {"amount": f"{amount:f}", "currency": currency}


def is_grouped_amount(number: str) -> bool:
    """“1.234” of a currency with two decimals can only be one thousand and so on."""
    return re.fullmatch(r"[-+\u2212]?\s?\d{1,3}[.,]\d{3}", number) is not None


def currency_of(text: str, locale: str | None) -> str | None:
    codes: list[str] = [word for word in re.findall(r"(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])", text) if word in CODES]
    if codes:
        return codes[0]
    tag = (locale or "").lower()
    if re.search(r"(?<![A-Za-z])kr\.?(?![A-Za-z])", text, re.IGNORECASE):
        return KRONA.get(tag.split("-")[0])
    for symbol in sorted(SYMBOLS, key=len, reverse=True):
        if symbol in text:
            return DOLLARS.get(tag, "USD") if symbol == "$" else SYMBOLS[symbol]
    return None
