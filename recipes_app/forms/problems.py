"""What a service refuses, shown beside the fields it is about."""

from django import forms

from recipes_app.services.errors import BadInput, ServiceError


def show_refusal(form: forms.BaseForm, error: ServiceError) -> None:
    """Problems whose path names a field go beside it, all others above the form."""
    by_path = error.by_path if isinstance(error, BadInput) else {}
    if not by_path:
        lines = error.problems if isinstance(error, BadInput) else [str(error)]
        form.add_error(None, list(lines))
    for path, text in by_path.items():
        field = path.split(".", 1)[0].split("[", 1)[0]
        form.add_error(field if field in form.fields else None, text if field in form.fields else f"{path}: {text}")
