"""Tools a model adds to the rules' drafts: each stands on a part of a page that was surveyed.

A form, a list and a table are planned by the rules, whatever name the model gives them. A link or a page gets no plan
but its address: such a tool is recorded by a model's pilot. What it does is judged by the part, never below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from recipes_app.engine.document import Step
from recipes_app.mapping.facts import FormFacts, LinkFacts, ListFacts, PageSurvey, TableFacts
from recipes_app.mapping.propose.columns import list_columns, table_columns
from recipes_app.mapping.propose.draft import Draft, object_schema
from recipes_app.mapping.propose.forms import SUBMITS, Place, form_draft, submit_of
from recipes_app.mapping.propose.lists import draft_of_list, draft_of_table
from recipes_app.mapping.propose.login import is_login
from recipes_app.mapping.propose.model_answer import Field, Wanted
from recipes_app.mapping.propose.model_changes import value_of
from recipes_app.mapping.propose.model_guard import Guard, NotTaken, effect_of_words, graver
from recipes_app.mapping.propose.model_view import Part, View, is_made_of, short
from recipes_app.mapping.propose.rules import frequent_words
from recipes_app.mapping.propose.words import snake
from recipes_app.mapping.risks import why_risky
from recipes_app.mapping.urls import same_site

READS = frozenset({"list", "detail", "search"})
MAX_FIELDS = 12


@dataclass(frozen=True, slots=True)
class Adding:
    view: View
    guard: Guard

    def draft(self, wanted: Wanted, drafts: Sequence[Draft]) -> Draft:
        """The new draft; NotTaken says why there is none."""
        page, part = self.view.pages.get(wanted.page), self._part(wanted)
        if page is None or part is None:
            raise NotTaken(f"no page {wanted.page} with “{short(wanted.part, 30)}” was surveyed")
        if twin := next((draft for draft in drafts if _stands_on(draft, part, page)), None):
            raise NotTaken(f"{twin.name} is made of the same {wanted.part.split()[0]}")
        name = self.guard.name(wanted.name, (draft.name for draft in drafts))
        if not wanted.description:
            raise NotTaken("it says nothing of what it does")
        named = replace(
            self._planned(wanted, part, page),
            name=name,
            description=self.guard.text(wanted.description),
            origin="model",
        )
        if named.kind == "login" and any(draft.kind == "login" for draft in drafts):
            raise NotTaken("the site has its login already")
        return _weighed(replace(named, reason=self._reason(named, wanted)), wanted, part)

    def _part(self, wanted: Wanted) -> Part | None:
        if wanted.part == "page":
            return self.view.pages.get(wanted.page)
        return self.view.parts.get((wanted.page, wanted.part))

    def _planned(self, wanted: Wanted, part: Part, page: PageSurvey) -> Draft:
        match part:
            case FormFacts():
                return self._of_form(wanted, part, page)
            case ListFacts() if _is_told(part):
                return draft_of_list(part, page, _noun(wanted))
            case ListFacts():
                raise NotTaken("its entries say more than can be read off them one by one")
            case TableFacts() if table_columns(part):
                return draft_of_table(part, page, _noun(wanted))
            case LinkFacts():
                return self._of_link(wanted, part, page)
            case PageSurvey() if wanted.kind in READS and wanted.side_effect == "read":
                return self._unplanned(wanted, page, page.final_url)
        raise NotTaken(f"{wanted.part} gives nothing to do or to read")

    def _of_form(self, wanted: Wanted, form: FormFacts, page: PageSurvey) -> Draft:
        if (wanted.kind == "login") != is_login(form, page):
            raise NotTaken("one signs in with a form for a name and a password, and with nothing else")
        draft = form_draft(form, Place(page, None, frequent_words(self.guard.survey.pages)))
        if draft is None:
            raise NotTaken("there is nothing in that form to fill in or to send")
        examples: dict[str, Any] = {} if wanted.kind == "login" else dict(draft.examples)
        return replace(draft, kind="login" if wanted.kind == "login" else draft.kind, examples=examples)

    def _of_link(self, wanted: Wanted, link: LinkFacts, page: PageSurvey) -> Draft:
        if not same_site(link.url, page.final_url) or link.download:
            raise NotTaken("that link leads out of the site's pages")
        reads = wanted.kind in READS and wanted.side_effect == "read" and not why_risky(link)
        there = link.url.split("#", 1)[0]
        draft = self._unplanned(wanted, page, there if reads else page.final_url)
        return replace(draft, behind="" if why_risky(link) else there)

    def _unplanned(self, wanted: Wanted, page: PageSurvey, start: str) -> Draft:
        if wanted.kind == "login":
            raise NotTaken("one signs in with a form")
        properties, required, first, second = self._fields(wanted.fields)
        return Draft(
            name="",
            description="",
            kind=wanted.kind,
            side_effect=wanted.side_effect,
            parameters=object_schema(properties, required),
            examples=first,
            others=second,
            start_url=start,
            steps=(Step("goto", {"url": start}),),
            reason="",
            page_url=page.final_url,
        )

    def _fields(
        self, fields: Iterable[Field]
    ) -> tuple[dict[str, Any], tuple[str, ...], dict[str, Any], dict[str, Any]]:
        """(properties, required names, first values, second values), each value of its type and of this site."""
        made = [self._field(each) for each in fields][:MAX_FIELDS]
        if len({name for name, *_ in made}) < len(made):
            raise NotTaken("two of its parameters have one name")
        needed = tuple(name for name, _, _, _, required in made if required)
        return (
            {name: schema for name, schema, *_ in made},
            needed,
            {name: first for name, _, first, _, _ in made},
            {name: second for name, _, _, second, _ in made},
        )

    def _field(self, each: Field) -> tuple[str, dict[str, Any], Any, Any, bool]:
        name = snake(each.name)
        if not name or not name[0].isalpha() or len(name) > 40:
            raise NotTaken(f"“{short(each.name, 30)}” is no name for a parameter")
        schema: dict[str, Any] = {"type": each.type, **({"minLength": 1} if each.type == "string" else {})}
        first = value_of(self.guard.text(each.example), schema)
        second = value_of(self.guard.text(each.other or each.example), schema)
        described = {**schema, "description": self.guard.text(each.description)} if each.description else schema
        return name, described, first, second, each.required

    def _reason(self, draft: Draft, wanted: Wanted) -> str:
        why = "" if not wanted.why or self.guard.foreign_address(wanted.why) else f": {short(wanted.why, 200)}"
        return f"{draft.reason or f'added from {wanted.part} of this page'}{why}"


def _is_told(facts: ListFacts) -> bool:
    """Whether its columns say what its items say: of an item with a menu of its own in it they tell any part."""
    said = [column.field.values for column in list_columns(facts) if column.field.attr == "text"]
    texts = [text for text in facts.texts if text]
    if not said or len(set(texts)) < len(texts):
        return False
    told = [
        sum(len(values[index] or "") for values in said if index < len(values)) for index in range(len(facts.texts))
    ]
    return all(told[index] * 2 >= len(text) for index, text in enumerate(facts.texts) if text)


def _noun(wanted: Wanted) -> str:
    """list_opening_hours -> opening_hours"""
    return snake(wanted.name).partition("_")[2] or "items"


def _stands_on(draft: Draft, part: Part, page: PageSurvey) -> bool:
    """What is done in a row of a list leaves the list itself to be read."""
    return is_made_of(draft, part, page) and (isinstance(part, FormFacts) or draft.kind != "action")


def _weighed(draft: Draft, wanted: Wanted, part: Part) -> Draft:
    """The gravest of what the model says, what the rules found, and what the words of the tool and its part say."""
    effect = graver(
        graver(draft.side_effect, wanted.side_effect), effect_of_words(draft.name.replace("_", " "), *_words(part))
    )
    if draft.kind in {"action", "login"} and effect == "read":
        effect = "write"
    submits = draft.submits if effect == draft.side_effect and draft.submits else SUBMITS[effect]
    return replace(draft, side_effect=effect, submits=0 if draft.kind == "login" else submits)


def _words(part: Part) -> list[str]:
    match part:
        case FormFacts():
            submit = submit_of(part)
            return [submit.name] if submit else []
        case LinkFacts():
            return [part.text]
    return []
