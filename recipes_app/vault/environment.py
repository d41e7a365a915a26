"""Secrets in environment variables: AGENTIFY_SECRET_SHOP_ALICE__PASSWORD is vault:shop/alice#password."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from recipes_app.vault.base import check_path
from recipes_app.vault.errors import NoSuchSecret

PREFIX = "AGENTIFY_SECRET_"
BETWEEN = "__"  # path and field
OTHER = re.compile(r"[^A-Z0-9]")


def variable(path: str, field: str = "") -> str:
    """Letters in capitals, everything but letters and digits as _."""
    return f"{PREFIX}{OTHER.sub('_', path.upper())}{BETWEEN}{OTHER.sub('_', field.upper())}"


@dataclass(frozen=True, slots=True)
class EnvironmentVault:
    env: Mapping[str, str]

    def read(self, path: str) -> Mapping[str, str]:
        """Fields are in small letters."""
        start = variable(check_path(path))
        found = {
            name.removeprefix(start).lower(): value
            for name, value in self.env.items()
            if name.startswith(start) and BETWEEN not in name.removeprefix(start) and name != start
        }
        if not found:
            raise NoSuchSecret(f"vault:{path}: no environment variable begins with {start}.")
        return found
