"""The three places where passwords may lie, and how they are named."""

import stat
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from recipes_app.vault.base import Reference, look_up, parse_reference
from recipes_app.vault.environment import EnvironmentVault
from recipes_app.vault.errors import BadReference, Denied, NoSuchSecret, Unreachable
from recipes_app.vault.hashicorp import HashicorpVault
from recipes_app.vault.local import LocalVault, read_or_make_keys
from recipes_app.vault.totp import code_at, one_time_password
from tests.vault.kv_double import TOKEN, vault_server

ALICE = parse_reference("vault:shop/alice#password")


def test_a_reference_names_a_path_and_a_field() -> None:
    assert Reference("shop/alice", "password") == ALICE
    assert str(ALICE) == "vault:shop/alice#password"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hunter2-secret",
        "vault:shop/bob",
        "vault:#password",
        "vault:../etc#password",
        "vault:a//b#c",
        "vault:a?b#c",
    ],
)
def test_what_is_no_reference_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(BadReference) as refusal:
        parse_reference(text)
    assert not text or text not in str(refusal.value)


def test_environment_variables_hold_secrets() -> None:
    vault = EnvironmentVault(
        {"AGENTIFY_SECRET_SHOP_ALICE__PASSWORD": "s3cret", "AGENTIFY_SECRET_SHOP_ALICE_2__PIN": "1"}
    )
    assert look_up(vault, ALICE) == "s3cret"
    assert vault.read("shop/alice") == {"password": "s3cret"}
    with pytest.raises(NoSuchSecret, match="AGENTIFY_SECRET_SHOP_BOB__"):
        vault.read("shop/bob")
    with pytest.raises(NoSuchSecret, match="no field otp; it has password"):
        look_up(vault, Reference("shop/alice", "otp"))


def test_the_local_vault_keeps_secrets_encrypted_for_its_owner_only(tmp_path: Path) -> None:
    keys = read_or_make_keys((), tmp_path / "keys")
    assert read_or_make_keys((), tmp_path / "keys") == keys
    vault = LocalVault(tmp_path / "secrets", keys)
    vault.put("shop/alice", "password", "canary-s3cret")
    vault.put("shop/alice", "otp", "GEZDGNBV")
    assert vault.names() == ["shop/alice#otp", "shop/alice#password"]
    assert look_up(vault, ALICE) == "canary-s3cret"
    assert b"canary" not in vault.file.read_bytes()
    assert b"alice" not in vault.file.read_bytes()
    assert {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("keys", "secrets")} == {0o600}
    vault.remove("shop/alice", "password")
    with pytest.raises(NoSuchSecret):
        look_up(vault, ALICE)
    with pytest.raises(NoSuchSecret):
        vault.remove("shop/alice", "password")


def test_a_new_key_takes_over_from_an_old_one(tmp_path: Path) -> None:
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    file = tmp_path / "secrets"
    LocalVault(file, (old,)).put("shop/alice", "password", "s3cret")
    with pytest.raises(Denied, match="VAULT_KEYS"):
        LocalVault(file, (new,)).read("shop/alice")
    both = LocalVault(file, (new, old))
    assert (both.rotate(), both.rotate()) == (True, False)
    assert look_up(LocalVault(file, (new,)), ALICE) == "s3cret"
    with pytest.raises(Denied, match="44 letters"):
        LocalVault(file, ("no key",)).read("shop/alice")


def test_hashicorps_vault_is_asked_by_its_api() -> None:
    with vault_server() as (address, seen):
        vault = HashicorpVault(address, TOKEN, namespace="team-a")
        assert vault.read("shop/alice") == {"password": "s3cret"}
        path, headers = seen[-1]
        assert (path, headers["X-Vault-Token"], headers["X-Vault-Namespace"]) == (
            "/v1/secret/data/shop/alice",
            TOKEN,
            "team-a",
        )


@pytest.mark.parametrize(
    ("path", "kind", "words"),
    [
        ("shop/nobody", NoSuchSecret, "no such secret"),
        ("shop/gone", NoSuchSecret, "deleted"),
        ("shop/sealed", Unreachable, "sealed"),
        ("shop/odd", NoSuchSecret, "deleted"),
        ("shop/away", Unreachable, "active node"),
    ],
)
def test_what_hashicorps_vault_refuses_is_said(path: str, kind: type[Exception], words: str) -> None:
    with vault_server() as (address, _seen), pytest.raises(kind, match=words):
        HashicorpVault(address, TOKEN).read(path)


def test_a_token_that_may_not_read_is_told_from_a_vault_that_is_not_there() -> None:
    with vault_server() as (address, _seen):
        with pytest.raises(Denied) as denied:
            HashicorpVault(address, "hvs.wrong-one").read("shop/alice")
        assert "hvs.wrong-one" not in str(denied.value)
    with pytest.raises(Unreachable, match="does not answer"):
        HashicorpVault(address, TOKEN).read("shop/alice")
    with pytest.raises(Unreachable, match="VAULT_ADDR"):
        HashicorpVault("file:///etc", TOKEN).read("shop/alice")


@pytest.mark.parametrize(
    ("unix_s", "algorithm", "length", "code"),
    [
        (59, "sha1", 20, "94287082"),
        (59, "sha256", 32, "46119246"),
        (59, "sha512", 64, "90693936"),
        (1111111109, "sha1", 20, "07081804"),
        (1111111111, "sha256", 32, "67062674"),
        (1234567890, "sha512", 64, "93441116"),
        (2000000000, "sha1", 20, "69279037"),
        (20000000000, "sha1", 20, "65353130"),
        (20000000000, "sha256", 32, "77737706"),
        (20000000000, "sha512", 64, "47863826"),
    ],
)
def test_one_time_passwords_are_those_of_the_standard(unix_s: int, algorithm: str, length: int, code: str) -> None:
    """The vectors of RFC 6238, appendix B."""
    secret = (b"1234567890" * 7)[:length]
    assert code_at(secret, unix_s, digits=8, algorithm=algorithm) == code


def test_a_one_time_password_is_made_of_what_a_site_shows() -> None:
    text = "gezd gnbv gy3t qojq gezd gnbv gy3t qojq"
    assert one_time_password(text, 59) == "287082"
    address = f"otpauth://totp/Shop:alice?secret={text.replace(' ', '').upper()}&digits=8&period=30&algorithm=SHA1"
    assert one_time_password(address, 59) == "94287082"
    for wrong in ("", "not base 32!", "otpauth://totp/x?secret=GEZD&algorithm=MD5"):
        with pytest.raises(BadReference):
            one_time_password(wrong, 59)
