"""Which steps may send something off: where a dry run stops when nobody said which step submits."""

from __future__ import annotations

from recipes_app.engine.shapes import Step, Target

# Clicking these shows or selects; a dry run may do it.
HARMLESS_ROLES = {"link", "tab", "radio", "checkbox", "option", "combobox", "textbox", "searchbox", "listbox", "switch"}
# What is chosen from these may be an action.
ACTING_ROLES = {"button", "menu", "menubar", "menuitem", "toolbar"}
SENDING_KEYS = ("Enter", "NumpadEnter")


def submits(step: Step) -> bool:
    """Errs on the side of stopping too early."""
    if step.op in {"click", "double_click"}:
        return role_of(step.fields.get("target")) not in HARMLESS_ROLES
    if step.op == "press":
        return str(step.fields.get("key", "")).rpartition("+")[2] in (*SENDING_KEYS, "Space", " ")
    if step.op == "type":
        return bool(step.fields.get("press_enter"))
    if step.op == "choose":
        return role_of(step.fields.get("target")) in ACTING_ROLES
    return step.op in {"press_enter", "reload", "download", "drag"}


def role_of(target: object) -> str | None:
    if not isinstance(target, Target):
        return None
    return target.role or next((locator.value for locator in target.locators if locator.kind == "role"), None)
