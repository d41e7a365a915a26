"""A recipe's digest: SHA-256 over its canonical JSON."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from recipes_app.engine.dump import dump_recipe
from recipes_app.engine.shapes import Recipe


def canonical_json(value: Any) -> bytes:
    """Sorted keys, no spaces, UTF-8, no escapes but the needed ones."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "surrogatepass")


def digest(recipe: Recipe) -> str:
    """Two recipes that read the same have the same digest, however their files were laid out.

    The format takes part where it is not 2: the same steps may be found differently then.
    """
    plain = dump_recipe(recipe)
    if recipe.format != 2:
        plain["format"] = recipe.format
    return "sha256:" + hashlib.sha256(canonical_json(plain)).hexdigest()
