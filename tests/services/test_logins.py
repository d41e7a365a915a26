"""What a sign-in form wants, by the names and words of its fields."""

from typing import Any

import pytest

from recipes_app.services import logins

FORM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "email": {"type": "string"},
        "password": {"type": "string", "format": "password"},
        "authenticator_code": {"type": "string"},
        "zip_code": {"type": "string"},
        "persistent": {"type": "boolean", "description": "Keep me logged in on this computer"},
        "remember_me": {"type": "boolean"},
        "newsletter": {"type": "boolean", "description": "Keep me informed"},
    },
    "required": ["email", "password", "authenticator_code", "zip_code"],
}


def test_each_field_is_known_for_what_it_is() -> None:
    kinds = logins.needed(FORM)
    assert kinds == {"email": "username", "password": "password", "authenticator_code": "otp", "zip_code": "username"}


@pytest.mark.parametrize(
    "name", ["otp", "code", "totp_code", "one_time_password", "verification_code", "two_factor_code", "mfa"]
)
def test_a_one_time_code_goes_by_many_names(name: str) -> None:
    assert logins.is_one_time(name)


@pytest.mark.parametrize("name", ["zip_code", "coupon_code", "keyword", "shipping", "password", "country_code", "time"])
def test_what_is_none(name: str) -> None:
    assert not logins.is_one_time(name)


def test_a_login_is_meant_to_last_and_a_code_is_computed_from_its_secret() -> None:
    given = {"username": "anna", "password": "p", "otp": "SEED", "zip_code": "8001"}
    values = logins.values_for(FORM, given, lambda name, _kind: f"asked {name}", lambda secret: f"code of {secret}")
    ticked = {"persistent": True, "remember_me": True}
    typed = {"email": "anna", "password": "p", "authenticator_code": "code of SEED", "zip_code": "8001"}
    assert values == {**ticked, **typed}
