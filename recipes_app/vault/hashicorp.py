"""HashiCorp Vault, the KV engine version 2, by its HTTP API: GET /v1/MOUNT/data/PATH."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from recipes_app.vault.base import check_path
from recipes_app.vault.errors import Denied, NoSuchSecret, Unreachable

TIMEOUT_S = 10
MOST_BYTES = 1_000_000


class _NoRedirects(HTTPRedirectHandler):
    """A standby redirects to the active node; the token is handed to nobody but the address that was set."""

    def redirect_request(self, *_args: Any, **_more: Any) -> None:
        return None


@dataclass(frozen=True, slots=True)
class HashicorpVault:
    """`address` such as https://vault.example.com:8200."""

    address: str
    token: str
    mount: str = "secret"
    namespace: str = ""

    def read(self, path: str) -> Mapping[str, str]:
        """Values that are no text are left out. A secret that was deleted is not there."""
        answer = self._get(f"/v1/{check_path(self.mount)}/data/{check_path(path)}", path)
        values = (answer.get("data") or {}).get("data") if isinstance(answer.get("data"), dict) else None
        if values is None:
            raise NoSuchSecret(f"vault:{path}: the newest version of this secret was deleted in Vault.")
        if not isinstance(values, dict):
            raise Unreachable(f"{self.address} does not answer like the KV engine, version 2.")
        return {name: value for name, value in values.items() if isinstance(value, str)}

    def _get(self, address: str, path: str) -> dict[str, Any]:
        if urlsplit(self.address).scheme not in ("http", "https"):
            raise Unreachable("VAULT_ADDR is an address such as https://vault.example.com:8200.")
        headers = {"X-Vault-Token": self.token, "X-Vault-Request": "true"}
        if self.namespace:
            headers["X-Vault-Namespace"] = self.namespace
        request = Request(self.address.rstrip("/") + address, headers=headers)  # noqa: S310 - http or https, as looked at
        try:
            with build_opener(_NoRedirects, ProxyHandler({})).open(request, timeout=TIMEOUT_S) as response:
                return self._parsed(response.read(MOST_BYTES + 1))
        except HTTPError as error:
            with error:
                raise self._refusal(error, path) from None
        except (URLError, HTTPException, OSError) as error:
            reason = getattr(error, "reason", error)
            raise Unreachable(f"Vault at {self.address} does not answer: {reason}.") from None

    def _parsed(self, body: bytes) -> dict[str, Any]:
        try:
            answer = json.loads(body) if len(body) <= MOST_BYTES else None
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise Unreachable(f"{self.address} does not answer like Vault.")
        return answer

    def _refusal(self, error: HTTPError, path: str) -> Exception:
        if error.code == 404:
            return NoSuchSecret(f"vault:{path}: Vault has no such secret under {self.mount}, or it was deleted.")
        if error.code in (400, 401, 403):
            return Denied(f"Vault does not let this token read {self.mount}/{path} (HTTP {error.code}).")
        if error.code == 503:
            return Unreachable(f"Vault at {self.address} is sealed or under maintenance.")
        if 300 <= error.code < 400:
            return Unreachable(
                f"Vault at {self.address} sends elsewhere: put the address of its active node in VAULT_ADDR."
            )
        return Unreachable(f"Vault at {self.address} answered HTTP {error.code}.")
