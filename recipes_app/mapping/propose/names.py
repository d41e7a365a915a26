"""Names (snake_case verb_noun) and one plain sentence for each proposed tool."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from urllib.parse import urlsplit

from recipes_app.mapping.facts import Context, FormFacts, PageSurvey
from recipes_app.mapping.propose.draft import Draft
from recipes_app.mapping.propose.words import SEARCH_KEYS, VAGUE_NOUNS, content_words, plural, singular, snake, verb_in
from recipes_app.mapping.risks import words_of

MAX_NOUN_WORDS = 3
MAX_NAME_WORDS = 4


def noun_from(*texts: str) -> str:
    """The first text that says something, as at most three words joined by underscores."""
    for text in texts:
        words = [snake(word) for word in content_words(text)]
        words = [word for word in words if word and word not in VAGUE_NOUNS and not word.isdigit()]
        if 0 < len(words) <= 5:
            return "_".join(words[:MAX_NOUN_WORDS])
    return ""


def path_noun(url: str) -> str:
    """The last word-like segment of the path, else of the query's values."""
    parts = urlsplit(url)
    for segment in reversed([s for s in parts.path.split("/") if s]):
        noun = noun_from(re.sub(r"\.\w+$", "", segment))
        if noun and not re.search(r"\d", noun):
            return noun
    return ""


def page_noun(page: PageSurvey) -> str:
    """One word of the heading, else one of the path: "Help desk" at /tickets is about tickets."""
    title = re.split(r"\s+[^\w\s()/]\s+", page.title)[0]
    heading, path = noun_from(page.heading), path_noun(page.final_url)
    if heading and "_" in heading and path and "_" not in path:
        return path
    return heading or path or noun_from(title) or "site"


def place_noun(context: Context, page: PageSurvey) -> str:
    """What the words around a place are about, else what the page is about."""
    above = "" if context.heading == page.heading else context.heading
    return noun_from(context.label, context.caption, above) or page_noun(page)


def form_name(submit: str, about: str) -> str:
    """send_contact_message: the button's own words where they say what is done to what, else its verb and `about`."""
    verb = plain_verb(submit)
    own = [word for word in map(snake, words_of(submit)) if word]
    if len(own) > 1 and own[0] == verb and len(own) <= MAX_NAME_WORDS:
        name = "_".join(own)
        vague = verb in {"send", "submit", "save"} and len(own) == 2 and about not in name
        return joined(verb, f"{about}_{own[1]}") if vague and about != "site" else name
    nouns = [snake(word) for word in content_words(submit)]
    return joined(verb, "_".join(word for word in nouns if word) or about)


def about_form(form: FormFacts, page: PageSurvey) -> str:
    """What a form is about: in a frame the page around it says it, else what stands above it."""
    return page_noun(page) if form.frames else place_noun(form.context, page)


def search_name(form: FormFacts, page: PageSurvey, label: str, submit: str) -> str:
    """search_products: what the button, the query field or the page says is searched."""
    verb = verb_in(submit) or verb_in(label) or "search"
    plain = " ".join(word for word in words_of(label) if word not in SEARCH_KEYS)
    noun = noun_from(submit) or noun_from(plain if verb_in(label) else "")
    if not noun and not form.chrome:
        noun = place_noun(form.context, page)
    return joined(verb if verb in {"search", "show", "filter", "check"} else "search", noun or "site")


def joined(verb: str, noun: str) -> str:
    words = [word for word in noun.split("_") if word != verb]
    return f"{verb}_{'_'.join(words)}" if words else verb


def many(noun: str) -> str:
    return "_".join([*noun.split("_")[:-1], plural(noun.rsplit("_", maxsplit=1)[-1])])


def one(noun: str) -> str:
    return "_".join([*noun.split("_")[:-1], singular(noun.rsplit("_", maxsplit=1)[-1])])


def plain_verb(text: str) -> str:
    """The English verb of a button, or its own first word."""
    verb = verb_in(text)
    if verb:
        return verb
    words = [snake(word) for word in words_of(text)]
    return next((word for word in words if word), "submit")


def words_for(name: str) -> str:
    return name.replace("_", " ")


def listed(names: Iterable[str]) -> str:
    shown = [words_for(name) for name in names]
    if len(shown) > 5:
        shown = [*shown[:4], f"{len(shown) - 4} more"]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}" if shown else ""


def column_names(wanted: Iterable[str]) -> list[str]:
    """Names for columns, unique and never empty."""
    taken: list[str] = []
    for text in wanted:
        base = snake(text) or "column"
        base = f"column_{base}" if base[0].isdigit() else base
        name, number = base, 2
        while name in taken:
            name, number = f"{base}_{number}", number + 1
        taken.append(name)
    return taken


def named_apart(drafts: Iterable[Draft]) -> tuple[Draft, ...]:
    """Unique names: a second search_products says which page it is of."""
    kept: list[Draft] = []
    taken: set[str] = set()
    for draft in drafts:
        name = draft.name
        if name in taken:
            place = path_noun(draft.page_url) or "again"
            name = f"{draft.name}_on_{place}" if place not in draft.name else f"{draft.name}_again"
        base, number = name, 2
        while name in taken:
            name, number = f"{base}_{number}", number + 1
        taken.add(name)
        kept.append(draft if name == draft.name else replace(draft, name=name))
    return tuple(kept)
