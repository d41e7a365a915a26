"""Forms become tools: search and filter forms read, all others write, words like delete make them destructive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from recipes_app.engine.document import Step
from recipes_app.engine.naming import without_access_key
from recipes_app.mapping.facts import ButtonFacts, FormFacts, PageSurvey, Panel
from recipes_app.mapping.propose.draft import Draft, object_schema
from recipes_app.mapping.propose.fields import Param, params_of
from recipes_app.mapping.propose.in_sight import in_sight, is_of_an_empty_list
from recipes_app.mapping.propose.names import (
    about_form,
    form_name,
    joined,
    listed,
    one,
    plain_verb,
    search_name,
    words_for,
)
from recipes_app.mapping.propose.switches import as_switch, is_lone_switch, with_proof
from recipes_app.mapping.propose.targets import button_target
from recipes_app.mapping.propose.templates import Template
from recipes_app.mapping.propose.tried import as_query, harmless, is_switch, once_only, said_of, tried
from recipes_app.mapping.propose.words import (
    DELETING,
    READING,
    SEARCH_KEYS,
    SECONDARY,
    SIGN_UP,
    WRITING,
    is_destructive,
    is_leaving,
    says,
)
from recipes_app.mapping.risks import words_of

MAX_SIBLINGS = 2
ALL = frozenset({"all", "alle", "tous", "toutes", "todo", "todos", "tutti"})
SENDING = frozenset(WRITING.values()) | frozenset(READING.values()) | frozenset(DELETING.values())
CHOOSING = frozenset({"select", "choose", "check"})
MAX_POST_SEARCH = 3
ANSWERING_MS = 1000
SUBMITS = {"read": 3, "write": 2, "destructive": 1}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a form stands: its page, the kind of address that is, and words a search there would find.

    `twins` are the addresses of pages on which the same form was seen, `unlike` those of pages without it.
    """

    page: PageSurvey
    template: Template | None
    queries: tuple[str, ...]
    twins: tuple[str, ...] = ()
    unlike: tuple[str, ...] = ()


def form_draft(form: FormFacts, place: Place) -> Draft | None:
    """None where the form is no tool."""
    params = params_of(whole(form))
    submit = submit_of(form)
    if why_no_form(form, params, place.page):
        return None
    if is_lone_switch(params, submit):
        return _switch(form, place, as_switch(params[0]))
    if is_search(form, params, submit):
        return _search(form, place, params, submit)
    return _action(form, place, params, submit)


def why_no_form(form: FormFacts, params: tuple[Param, ...], page: PageSurvey) -> str:
    """Why the form is no tool, in words; "" where it is one."""
    submit = submit_of(form)
    if is_switch(params) or form.in_row or form.sibling_forms > MAX_SIBLINGS:
        return _by_its_place(form, params)
    if is_lone_switch(params, submit):
        return ""
    if submit is None and not any(param.is_text for param in params) and not sends_itself(form, params):
        return "nothing was found that sends it" if params else "it has neither fields nor a button that sends it"
    if not params and not is_act(form, submit):
        return "a button alone, and nothing says that it does something worth a tool"
    finds = bool(params) and is_search(form, params, submit)
    if (finds or _is_for_all(params, submit)) and is_of_an_empty_list(form, page):
        what = "to find or filter" if finds else "it could be done to"
        return f"there is nothing {what} yet: the page says that its list is empty"
    return ""


def _is_for_all(params: tuple[Param, ...], submit: ButtonFacts | None) -> bool:
    """“Mark all as read”, “Clear all”."""
    return not params and submit is not None and bool(set(words_of(submit.name)) & ALL)


def _by_its_place(form: FormFacts, params: tuple[Param, ...]) -> str:
    if is_switch(params):
        return "it only switches language, order or view"
    if form.in_row:
        return "it belongs to one row of a table"
    return f"{form.sibling_forms} forms of the page are the same: what each row offers is proposed from the list"


def is_search(form: FormFacts, params: tuple[Param, ...], submit: ButtonFacts | None) -> bool:
    return query_of(form, params, submit) is not None or is_filter(form, params, submit)


def whole(form: FormFacts) -> FormFacts:
    """A form of several parts with the fields of all of them."""
    if not form.earlier:
        return form
    fields = {field.place: field for part in (*form.earlier, form) for field in part.fields}
    return replace(form, fields=tuple(fields.values()))


def _outside(form: FormFacts, candidates: list[ButtonFacts]) -> list[ButtonFacts]:
    """Plain buttons send where there is no <form>, or where they say that they do: beside a form in a dialog."""
    return [b for b in candidates if b.name and plain_verb(b.name) in SENDING] if form.is_form else candidates


def sends_itself(form: FormFacts, params: tuple[Param, ...]) -> bool:
    """Choices and no button: a filter that is sent by choosing; or fields in a menu, which has none either."""
    if form.panels:
        return bool(params)
    if not params or form.method == "post" or any(param.step.op not in CHOOSING for param in params):
        return False
    return any(param.step.op in {"select", "choose"} for param in params)


def is_act(form: FormFacts, submit: ButtonFacts | None) -> bool:
    """A form without fields is a tool if its button says what it does, to the site and not to the sign-in."""
    if submit is None or submit.disabled or not submit.name:
        return False
    return form.method == "post" and not form.chrome and not is_leaving(submit.name)


def submit_of(form: FormFacts) -> ButtonFacts | None:
    """The button that sends the form: the first submit button that does not go back or clear."""
    candidates = [b for b in form.buttons if b.type != "reset" and not b.turns_page and not b.opens]
    proper = [b for b in candidates if b.type in {"submit", "image"}] or _outside(form, candidates)
    primary = [b for b in proper if not set(words_of(b.name)) & SECONDARY and b.name]
    return next(iter(primary or proper), None)


def query_of(form: FormFacts, params: tuple[Param, ...], submit: ButtonFacts | None) -> Param | None:
    """The field one types the words to search for into, where the form is for searching."""
    if (
        form.panels
        or sends_something(params)
        or (form.method == "post" and not (len(params) <= MAX_POST_SEARCH and _reads(submit)))
    ):
        return None
    texts = [param for param in params if param.is_text and param.schema.get("format") is None]
    for param in texts:
        named = said_of(param) & SEARCH_KEYS
        if param.field.role == "searchbox" or param.field.type == "search" or named:
            return param
    searchy = form.role == "search" or form.context.landmark == "search" or _reads(submit)
    return texts[0] if texts and searchy and len(texts) == 1 else None


def sends_something(params: tuple[Param, ...]) -> bool:
    """What one would send to somebody: an address, a password, a file, a message."""
    return any(
        param.schema.get("format") in {"password", "email", "x-file"} or param.field.tag == "textarea"
        for param in params
    )


def _reads(submit: ButtonFacts | None) -> bool:
    return submit is not None and any(word in READING for word in words_of(submit.name)[:2])


def is_filter(form: FormFacts, params: tuple[Param, ...], submit: ButtonFacts | None) -> bool:
    """A form sent by GET, said so or read from its button, without anything one would send to somebody."""
    if sends_something(params) or not params or form.method == "post" or is_lone_switch(params, submit):
        return False
    if submit is not None and is_destructive(submit.name):
        return False
    return form.method == "get" or _reads(submit) or (submit is None and sends_itself(form, params))


def _search(form: FormFacts, place: Place, params: tuple[Param, ...], submit: ButtonFacts | None) -> Draft:
    params = in_sight(params, place.page)
    query = query_of(form, params, submit)
    words = submit.name if submit else ""
    name = search_name(form, place.page, query.field.name if query else "", words)
    if query is None:
        verb = plain_verb(words)
        name = joined(verb if verb in {"show", "check"} else "filter", name.partition("_")[2])
    else:
        made = as_query(query, place.queries, alone=len(params) == 1)
        params = tuple(made if param is query else param for param in params)
        query = made
    verb, _, noun = name.partition("_")
    by = listed("words" if param is query and param.name == "query" else param.name for param in params)
    return _draft(
        form, place, params, submit,
        name=name,
        description=f"{verb.capitalize()} {words_for(noun) or 'the site'} by {by}.",
        kind="search",
        side_effect="read",
        tried=tried(params, query, place.page),
    )  # fmt: skip


def _action(form: FormFacts, place: Place, params: tuple[Param, ...], submit: ButtonFacts | None) -> Draft:
    words = submit.name if submit else form.context.heading
    in_parts = submit is not None and form.method == "post" and plain_verb(words) == "continue"
    destructive = is_destructive(words)
    signs_up = says(SIGN_UP, words) and any(param.schema.get("format") == "password" for param in params)
    if signs_up or plain_verb(words) == "subscribe":
        params = tuple(once_only(param) for param in params)
    about = place.template.noun if place.template else about_form(form, place.page)
    about = one(about) if one(about) in {param.name for param in params} else about
    name = "create_account" if signs_up else form_name("submit" if in_parts else words, about)
    more = ", and whatever the parts after it ask for, to the last one" if in_parts else ""
    with_what = f" with {listed(param.name for param in params)}" if params else ""
    return _draft(
        form, place, params, submit,
        name=name,
        description=f"{words_for(name).capitalize()}{with_what}{more}.",
        kind="action",
        side_effect="destructive" if destructive else "write",
        tried=harmless(params),
    )  # fmt: skip


def _switch(form: FormFacts, place: Place, param: Param) -> Draft:
    draft = _draft(
        form, place, (param,), None,
        name=joined("set", param.name),
        description=f"Turn {words_for(param.name)} on or off.",
        kind="action",
        side_effect="write",
        tried=(param,),
    )  # fmt: skip
    return with_proof(draft, param)


def _draft(  # noqa: PLR0913 - the parts of one draft, all by name
    form: FormFacts, place: Place, params: tuple[Param, ...], submit: ButtonFacts | None, *,
    name: str, description: str, kind: str, side_effect: str, tried: tuple[Param, ...],
) -> Draft:  # fmt: skip
    start, extra = start_of(place)
    opening = (Step("goto", {"url": start}), *opening_of(form))
    filled, sending = _sent(form, params, submit)
    filled = (*opening, *filled)
    first = {param.name: param.values.first for param in tried if param.values.first is not None}
    second = {param.name: param.values.second for param in tried if param.values.second is not None}
    properties = {**extra.properties, **{param.name: param.schema for param in params}}
    return Draft(
        name=name,
        description=description,
        kind=kind,
        side_effect=side_effect,
        parameters=object_schema(properties, (*extra.properties, *(param.name for param in params if param.required))),
        examples={**extra.first, **first},
        others={**extra.second, **second},
        start_url=start,
        steps=(*filled, sending),
        submit_index=len(filled),
        reason=reason_of(form, params, submit),
        page_url=place.page.final_url,
        box=form.box,
        submits=SUBMITS[side_effect],
    )


def opening_of(form: FormFacts) -> tuple[Step, ...]:
    """What must be pressed before the form is there to be filled."""
    if form.opener is None:
        return ()
    return (Step("click", {"target": button_target(form.opener, ())}, note="opens the form"),)


def _sent(form: FormFacts, params: tuple[Param, ...], submit: ButtonFacts | None) -> tuple[tuple[Step, ...], Step]:
    """The steps that fill the form, and the one that sends it: without a button that is the last field itself.

    A field that one types into is sent by Enter, if it was not sent by typing; a choice sends itself.
    """
    steps = _stepwise(form, params)
    if submit is not None:
        return steps, Step("click", {"target": button_target(submit, form.frames)})
    if form.panels:
        return steps, Step("wait", {"ms": ANSWERING_MS}, note="the page answers each choice by itself")
    typed = [step for step in steps if step.op == "type"]
    last = typed[-1] if typed else [step for step in steps if step.op in CHOOSING][-1]
    fields = {**last.fields, "press_enter": True} if typed else last.fields
    return tuple(step for step in steps if step is not last), replace(last, fields=fields)


def _stepwise(form: FormFacts, params: tuple[Param, ...]) -> tuple[Step, ...]:
    """The fields in the order in which they are shown, with the button that leads on after each earlier part."""
    steps: list[Step] = []
    known: set[str] = set()
    for part in form.earlier:
        fields = {field.place for field in part.fields}
        known |= fields
        steps += [param.step for param in params if param.field.place in fields]
        leads_on = next_button(part)
        if leads_on is not None:
            steps.append(Step("click", {"target": button_target(leads_on, part.frames)}, note="leads to the next part"))
    behind = {field.place for panel in form.panels for field in panel.fields}
    steps += [param.step for param in params if param.field.place not in known | behind]
    return (*steps, *(step for panel in form.panels for step in _panel_steps(panel, params)))


def _panel_steps(panel: Panel, params: tuple[Param, ...]) -> Iterator[Step]:
    """Into a panel of the form's menu and back again, whether it is filled or not: the next one opens from the menu."""
    fields = {field.place for field in panel.fields}
    inside = [param.step for param in params if param.field.place in fields]
    if inside:
        yield Step("click", {"target": button_target(panel.opener, ())}, note="shows this part of the form")
        yield from inside
        if panel.back is not None:
            yield Step("click", {"target": button_target(panel.back, ())}, note="shows the other parts again")


def next_button(form: FormFacts) -> ButtonFacts | None:
    """The button that shows the next part of a form and sends nothing yet."""
    found = [button for button in form.buttons if plain_verb(button.name) == "continue" and not button.disabled]
    return next(iter(found), None)


@dataclass(frozen=True, slots=True)
class Extra:
    """The parameter in the page's own address, if it has one."""

    properties: Mapping[str, Any]
    first: Mapping[str, Any]
    second: Mapping[str, Any]


def start_of(place: Place) -> tuple[str, Extra]:
    made = place.template
    here = made.value_in(place.page.final_url) if made else None
    if made is None or here is None:
        return place.page.final_url, Extra({}, {}, {})
    alike = [value for url in place.twins if (value := made.value_in(url))]
    without = {made.value_in(url) for url in place.unlike}
    others = (value for value in (*alike, *made.values) if value != here and value not in without)
    other = next(others, None) or made.other_than(here)
    return made.url, Extra(made.properties, made.arguments(here), made.arguments(other))


def reason_of(form: FormFacts, params: Iterable[Param], submit: ButtonFacts | None) -> str:
    count = len(list(params))
    what = "no field" if not count else "one field" if count == 1 else f"{count} fields"
    kind = (
        "search form"
        if form.role == "search" or form.context.landmark == "search"
        else "form"
        if form.is_form
        else "group"
    )
    button = f" and a button “{without_access_key(submit.name)}”" if submit and submit.name else ""
    inside = " in a frame" if form.frames else ""
    under = f" under “{form.context.heading}”" if form.context.heading else ""
    return f"a {kind} with {what}{button}{under}{inside}"


def mentions(phrases: frozenset[str], form: FormFacts, page: PageSurvey) -> bool:
    texts = [button.name for button in form.buttons if button.type != "button"]
    return says(phrases, *texts, form.context.heading, form.context.label, form.element_id, page.heading, page.title)
