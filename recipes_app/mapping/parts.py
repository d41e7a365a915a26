"""Later parts of a form that the site shows only once an earlier one was sent: found while a tool is recorded."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from recipes_app.browser.api import Page
from recipes_app.engine.document import Step, Target
from recipes_app.mapping.errors import RecordingFailed
from recipes_app.mapping.facts import FieldFacts, FormFacts, PageSurvey
from recipes_app.mapping.propose.fields import Param, params_of, renamed
from recipes_app.mapping.propose.forms import submit_of
from recipes_app.mapping.propose.names import plain_verb
from recipes_app.mapping.propose.targets import button_target
from recipes_app.mapping.propose.tried import harmless
from recipes_app.mapping.propose.words import is_destructive
from recipes_app.mapping.survey import survey_page

MAX_PARTS = 6


def leads_on(step: Step) -> bool:
    """Whether its button says that there is more to come."""
    target = step.fields.get("target")
    if step.op != "click" or not isinstance(target, Target):
        return False
    names = (target.name, *(way.name for way in target.locators if way.kind == "role"))
    return plain_verb(next((name for name in names if name), "")) == "continue"


def next_part(sent: Step, before: PageSurvey, page: Page) -> FormFacts | None:
    """The form that came up after a part was sent; None where that was the last one."""
    if not leads_on(sent):
        return None
    known = {_key(field) for form in before.forms for field in form.fields}
    known |= {("", button.name) for form in before.forms for button in form.buttons}
    found = [form for form in survey_page(page, picture=False).forms if _is_new(form, known)]
    return max(found, key=lambda form: len(form.fields), default=None)


def _is_new(form: FormFacts, known: Collection[tuple[str, str]]) -> bool:
    """With fields of its own; or with none, where it only asks to confirm what was given."""
    fields = [field for field in form.fields if not field.disabled and not field.read_only]
    button = submit_of(form)
    if form.chrome or button is None:
        return False
    asked = [_key(field) for field in fields] or ([("", button.name)] if form.method == "post" else [])
    return any(key not in known for key in asked)


def _key(field: FieldFacts) -> tuple[str, str]:
    return (field.attribute_name or field.label, field.label)


def params_beside(form: FormFacts, taken: Collection[str]) -> Iterator[Param]:
    """What the part is filled in with, under names of its own."""
    names = set(taken)
    for param in harmless(params_of(form)):
        if param.values.first is None:
            continue
        name, number = param.name, 2
        while name in names:
            name, number = f"{param.name}_{number}", number + 1
        names.add(name)
        yield param if name == param.name else renamed(param, name)


def sending_step(form: FormFacts) -> Step:
    """RecordingFailed where what was approved as a change would remove something in the end."""
    button = submit_of(form)
    if button is None or is_destructive(button.name):
        words = button.name if button else ""
        raise RecordingFailed(f"its last part would do more than was approved: “{words}”")
    return Step("click", {"target": button_target(button, form.frames)})
