"""The form one signs in with: at most one per site, never recorded when it is proposed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from recipes_app.mapping.facts import FormFacts, PageSurvey
from recipes_app.mapping.propose.draft import Draft
from recipes_app.mapping.propose.forms import Place, form_draft, mentions, submit_of
from recipes_app.mapping.propose.words import IDENTITY, SIGN_IN, SIGN_UP, says
from recipes_app.mapping.risks import words_of
from recipes_app.mapping.urls import path_words

MAX_FIELDS = 4


def secrets_in(form: FormFacts) -> int:
    return sum(1 for field in form.fields if field.type == "password")


def is_login(form: FormFacts, page: PageSurvey) -> bool:
    """One password, few fields, words of signing in on its button, heading or address, none of signing up there."""
    if secrets_in(form) != 1 or len(form.fields) > MAX_FIELDS:
        return False
    submit = submit_of(form)
    button = submit.name if submit else ""
    if says(SIGN_UP, button) or any(f.autocomplete == "new-password" for f in form.fields):
        return False
    if _is_bare(form) and not mentions(SIGN_UP, form, page):
        return True
    in_path = says(SIGN_IN, " ".join(path_words(form.action or page.final_url)))
    return in_path or says(SIGN_IN, button) or mentions(SIGN_IN, form, page)


def _is_bare(form: FormFacts) -> bool:
    """A name or address and a password, nothing else: one signs in by that, whatever the words."""
    typed = [field for field in form.fields if field.type not in {"checkbox", "password"}]
    said = {word for field in typed for word in (*words_of(field.attribute_name), *words_of(field.name))}
    return len(typed) == 1 and bool(said & IDENTITY)


def _needed(draft: Draft) -> list[str]:
    """Who one is and the password, whatever the markup says; a tick such as “remember me” is not."""
    properties = draft.parameters["properties"]
    must = set(draft.parameters.get("required", ()))
    return [name for name, schema in properties.items() if name in must or _is_typed(schema)]


def _is_typed(schema: Mapping[str, Any]) -> bool:
    return schema.get("type") == "string" and "enum" not in schema


def login_draft(pages: Iterable[PageSurvey]) -> Draft | None:
    """The sign-in form of the page that is most about signing in."""
    found = [(form, page) for page in pages for form in page.forms if is_login(form, page)]
    if not found:
        return None
    form, page = min(found, key=lambda pair: (pair[0].chrome, len(pair[0].fields)))
    draft = form_draft(form, Place(page, None, ()))
    if draft is None:
        return None
    return replace(
        draft,
        parameters={**draft.parameters, "required": _needed(draft)},
        name="log_in",
        kind="login",
        side_effect="write",
        description="Sign in with an account of the site.",
        examples={},
        others={},
        submits=0,
        reason=f"{draft.reason}: one of them is a password, and the words are about signing in",
    )
