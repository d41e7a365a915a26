"""A form's field for JSON, read as strictly as a file."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.fields import InvalidJSONInput, JSONString

from recipes_app.engine.errors import DocumentError
from recipes_app.engine.plain_json import load_json


class StrictJSONField(forms.JSONField):
    def to_python(self, value: Any) -> Any:
        if self.disabled or value in self.empty_values or isinstance(value, JSONString) or not isinstance(value, str):
            return super().to_python(value)
        try:
            found = load_json(value)
        except DocumentError as error:
            raise ValidationError(f"This is not JSON: {error}.", code="invalid") from error
        return JSONString(found) if isinstance(found, str) else found

    def bound_data(self, data: Any, initial: Any) -> Any:
        """What was typed, as it was typed."""
        return initial if self.disabled else InvalidJSONInput(data) if isinstance(data, str) else data
