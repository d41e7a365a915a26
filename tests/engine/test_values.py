"""Numbers, money and dates as people write them."""

from typing import Any

import pytest

from recipes_app.engine.values.dates import Ambiguous, parse_date, parse_datetime
from recipes_app.engine.values.numbers import parse_money, parse_number
from recipes_app.engine.values.typed import Read, typed


@pytest.mark.parametrize(
    ("text", "locale", "amount", "currency"),
    [
        ("€ 24.90", None, "24.90", "EUR"),
        ("1.234,50 €", None, "1234.50", "EUR"),
        ("$1,234.50", None, "1234.50", "USD"),
        ("1.234 €", None, "1234", "EUR"),
        ("£1,234", None, "1234", "GBP"),
        ("KWD 1.234", None, "1.234", "KWD"),
        ("CHF 1'234.50", "de-CH", "1234.50", "CHF"),
        ("1 234,50 zł", "pl", "1234.50", "PLN"),
        ("R$ 1.234,50", "pt-BR", "1234.50", "BRL"),
        ("1.234,50 kr", "sv-SE", "1234.50", "SEK"),
        ("$5", "en-CA", "5", "CAD"),
        ("-€3.00", None, "-3.00", "EUR"),
        ("($3.00)", None, "-3.00", "USD"),
        ("Total: 12,5 EUR", None, "12.5", "EUR"),
        ("₹12,34,567.00", "en-IN", "1234567.00", "INR"),
        ("12.00", None, "12.00", None),
    ],
)
def test_money(text: str, locale: str | None, amount: str, currency: str | None) -> None:
    assert parse_money(text, locale) == {"amount": amount, "currency": currency}


@pytest.mark.parametrize(
    ("text", "locale", "wanted"),
    [
        ("1.234", "de", "1234"),
        ("1.234", "en", "1.234"),
        ("1,234", None, "1234"),
        ("1,5", None, "1.5"),
        ("1 234", "fr", "1234"),
        ("1\u202f234,5", "fr-FR", "1234.5"),
        ("\u22125", None, "-5"),
        ("47 comments", None, "47"),
        ("1.234.567", None, "1234567"),
    ],
)
def test_numbers(text: str, locale: str | None, wanted: str) -> None:
    assert str(parse_number(text, locale)) == wanted


@pytest.mark.parametrize(
    ("text", "locale"), [("none", None), ("3 of 7", None), ("12 34", None), ("1,23", "en"), ("1.2,3", "en")]
)
def test_what_is_no_single_number_is_refused(text: str, locale: str | None) -> None:
    with pytest.raises(ValueError):
        parse_number(text, locale)


@pytest.mark.parametrize(
    ("text", "locale", "wanted"),
    [
        ("2026-02-03", None, "2026-02-03"),
        ("3 February 2026", None, "2026-02-03"),
        ("Feb 3rd, 2026", None, "2026-02-03"),
        ("3. März 2026", "de", "2026-03-03"),
        ("3 de febrero de 2026", "es", "2026-02-03"),
        ("03.02.2026", None, "2026-02-03"),
        ("02/03/2026", "en-US", "2026-02-03"),
        ("02/03/2026", "en-GB", "2026-03-02"),
        ("02/17/2026", None, "2026-02-17"),
        ("2026年2月3日", None, "2026-02-03"),
    ],
)
def test_dates(text: str, locale: str | None, wanted: str) -> None:
    assert parse_date(text, locale).isoformat() == wanted


def test_a_date_that_could_be_two_is_refused() -> None:
    with pytest.raises(Ambiguous):
        parse_date("02/03/2026", None)


def test_times_of_day() -> None:
    assert parse_datetime("2026-02-03T10:00:00Z", None).isoformat() == "2026-02-03T10:00:00+00:00"
    assert parse_datetime("Feb 3, 2026, 2:05 PM", None).isoformat() == "2026-02-03T14:05:00"
    assert parse_datetime("03.02.2026 00:30", "de").isoformat() == "2026-02-03T00:30:00"


@pytest.mark.parametrize(
    ("text", "kind", "wanted"),
    [
        ("  a ", "string", "a"),
        ("", "number", None),
        ("yes", "boolean", True),
        ("/a?b", "url", "https://x.test/a?b"),
        ("5.0", "integer", 5),
    ],
)
def test_types(text: str, kind: str, wanted: Any) -> None:
    assert typed(Read(text, base="https://x.test/c/"), kind, None) == wanted
    assert typed(Read(None), kind, None) is None


def test_the_language_of_the_item_can_decide() -> None:
    assert typed(Read("1.234", lang="de-DE"), "integer", "@lang") == 1234
