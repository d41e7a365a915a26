"""Values that people type for recordings: among them may be a password, so the column holds them encrypted."""

from __future__ import annotations

import json
from typing import Any

from cryptography.fernet import InvalidToken
from django.db import models

from recipes_app.keys import fernet

SEALED = "sealed"
PURPOSE = "examples"


class SealedJSONField(models.JSONField):
    """Reads and writes like a JSONField of an object; cannot be searched. Empty where no key opens it any more."""

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        if isinstance(value, dict) and value:
            value = {SEALED: fernet(PURPOSE).encrypt(json.dumps(value).encode()).decode()}
        return super().get_db_prep_value(value, connection, prepared)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        stored = super().from_db_value(value, expression, connection)
        if not isinstance(stored, dict) or stored.keys() != {SEALED}:
            return stored
        try:
            return json.loads(fernet(PURPOSE).decrypt(str(stored[SEALED]).encode()))
        except InvalidToken:
            return {}
