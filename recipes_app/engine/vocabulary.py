"""The one table of operations, as far as it is text: names, fields, help.

It imports nothing of the browser, so that parsers, forms and documents can use it;
`recipes_app.engine.ops.OPS` joins each entry with the function that runs it.
"""

from __future__ import annotations

from dataclasses import dataclass

VALUE_TYPES = ("string", "integer", "number", "boolean", "date", "datetime", "money", "url")


@dataclass(frozen=True, slots=True)
class Field:
    """`type` names how the value is read: see recipes_app.engine.parsing.fields.READERS."""

    name: str
    type: str
    required: bool = False
    help: str = ""
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OpSpec:
    """`value_field` names the field whose omitted argument makes the step a no-op; `nests`: it runs further steps.

    Of `one_of` exactly one field is given, of `at_most_one` one or none.
    """

    name: str
    help: str
    fields: tuple[Field, ...] = ()
    writes: bool = False
    timeout_ms: int = 4000
    value_field: str | None = None
    one_of: tuple[str, ...] = ()
    at_most_one: tuple[str, ...] = ()
    nests: bool = False

    def field(self, name: str) -> Field | None:
        return next((field for field in self.fields if field.name == name), None)


TARGET = Field("target", "target", True, "the element")
MAYBE_TARGET = Field("target", "target", False, "the element; left out: the focused one")
KEY = Field("key", "key", True, "under which name the value enters the result")
STEPS = Field("steps", "steps", True, "the steps")
TYPE = Field("type", "choice", False, "how the text is read", VALUE_TYPES)
LOCALE = Field("locale", "text", False, "a BCP 47 tag for numbers and dates, or `@lang` for the item's own")
POINTER = (
    TARGET,
    Field("button", "choice", False, "mouse button, left if not given", ("left", "right", "middle")),
    Field("modifiers", "modifiers", False, "keys held: Alt, Control, ControlOrMeta, Meta, Shift"),
    Field("offset", "offset", False, "`{x, y}` in CSS pixels from the element's corner"),
)
DIALOG_TYPES = ("alert", "confirm", "prompt", "beforeunload")

MAX_ROUNDS = 500
MAX_SECONDS = 300

SPECS: tuple[OpSpec, ...] = (
    OpSpec(
        "goto",
        "Opens a page. Fails on HTTP 400 and above unless `status` is `any`.",
        (
            Field("url", "url", True, "absolute, or relative to the site's base; values are percent-encoded"),
            Field("status", "choice", False, "`any` accepts error pages", ("any",)),
        ),
        timeout_ms=30_000,
    ),
    OpSpec("back", "Goes back one page in the history.", timeout_ms=30_000),
    OpSpec("reload", "Loads the page again.", writes=True, timeout_ms=30_000),
    OpSpec("click", "Clicks the one element meant, after a hit test.", POINTER, writes=True),
    OpSpec("double_click", "Double-clicks the one element meant, after a hit test.", POINTER, writes=True),
    OpSpec("hover", "Moves the pointer over the element.", POINTER),
    OpSpec(
        "type",
        "Sets a field's text and reads it back; sliders, spin buttons and rich text editors too.",
        (
            TARGET,
            Field("text", "value", True, "what to type; an empty text clears the field"),
            Field("press_enter", "boolean", False, "press Enter afterwards"),
            Field("keys", "boolean", False, "key by key, for pages that listen to single keys"),
        ),
        writes=True,
        value_field="text",
    ),
    OpSpec(
        "press",
        "Presses a key, or keys joined by `+`.",
        (Field("key", "text", True, "a key's name, such as `Escape` or `Control+A`"), MAYBE_TARGET),
        writes=True,
    ),
    OpSpec("press_enter", "Presses Enter.", (MAYBE_TARGET,), writes=True),
    OpSpec(
        "select",
        "Picks options of a native list, by value, then by label.",
        (TARGET, Field("value", "values", True, "one value, or a list of them")),
        writes=True,
        value_field="value",
    ),
    OpSpec(
        "choose",
        "Picks one offered choice: radio group, list box, combo box, menu or native list.",
        (TARGET, Field("value", "value", True, "the choice, as the page words it")),
        writes=True,
        value_field="value",
    ),
    OpSpec(
        "check",
        "Sets a check box, radio button or switch to a state, whatever it was before.",
        (TARGET, Field("value", "flag", False, "true (if not given) or false")),
        writes=True,
        value_field="value",
    ),
    OpSpec(
        "set_date",
        "Sets a date, time, month or week: native controls, masked text, several fields, calendars; also ranges.",
        (
            Field("target", "target", True, "the field, the group of fields, or what opens the calendar"),
            Field("value", "value", True, "an ISO date, date-time or time, or a range as `2026-02-03/2026-02-10`"),
        ),
        writes=True,
        value_field="value",
    ),
    OpSpec(
        "upload",
        "Gives files to a file input, also a hidden one.",
        (TARGET, Field("files", "values", True, "an argument of format x-file, or a list of them")),
        writes=True,
        value_field="files",
    ),
    OpSpec(
        "drag",
        "Drags an element to another one, or by a distance.",
        (
            Field("target", "target", True, "what is dragged"),
            Field("to", "place", True, "the target to drop it on, or `{x, y}` in CSS pixels from where it is"),
        ),
        writes=True,
    ),
    OpSpec(
        "scroll",
        "Scrolls the page or a container.",
        (
            Field("direction", "choice", False, "down if not given", ("up", "down", "top", "bottom")),
            Field("target", "target", False, "the container; left out: the page"),
        ),
    ),
    OpSpec("wait", "Waits the time written.", (Field("ms", "integer", True, "milliseconds, at most 60000"),)),
    OpSpec(
        "wait_for",
        "Waits until something is there.",
        (
            Field("selector", "text", False, "a CSS selector of a visible element"),
            Field("target", "target", False, "a visible element"),
            Field("condition", "condition", False, "any condition"),
        ),
        one_of=("selector", "target", "condition"),
    ),
    OpSpec(
        "dialog",
        "Allows a native dialog in the steps that follow, and says how it is answered.",
        (
            Field("type", "choice", False, "which kind; any if not given", DIALOG_TYPES),
            Field("message", "text", False, "its whole text, or a pattern with `*`"),
            Field("answer", "choice", True, "what is pressed", ("accept", "dismiss")),
            Field("text", "text", False, "what is entered into a prompt"),
        ),
    ),
    OpSpec(
        "switch_page",
        "Continues in another page.",
        (Field("to", "page", True, "`main`, or `opened_by:<step>`"),),
    ),
    OpSpec(
        "download",
        "Fetches a file; the result is `{name, size, sha256, media_type, url}`.",
        (
            Field("target", "target", False, "what to click"),
            Field("url", "url", False, "what to open"),
            KEY,
        ),
        writes=True,
        timeout_ms=30_000,
        one_of=("target", "url"),
    ),
    OpSpec(
        "extract",
        "Reads one value.",
        (
            TARGET,
            Field("attr", "text", False, "`text` (if not given), `value`, or any attribute"),
            TYPE,
            LOCALE,
            KEY,
        ),
    ),
    OpSpec(
        "extract_list",
        "Reads a list of objects, one for each item; none only where the page shows that there are none.",
        (
            Field("items", "target", True, "what every item matches"),
            Field("fields", "fields", True, "for each name: css, role and name, or text; attr; type; fields"),
            Field("limit", "integer", False, "at most so many items"),
            LOCALE,
            KEY,
        ),
    ),
    OpSpec(
        "extract_table",
        "Reads a table as a list of objects; merged cells are repeated, foot rows left out.",
        (
            TARGET,
            Field("columns", "columns", False, "for each name: header, type; left out: every column as text"),
            LOCALE,
            KEY,
        ),
    ),
    OpSpec(
        "js_extract",
        "Runs a function in the page and keeps what it returns.",
        (Field("expr", "code", True, "`(args) => …`; placeholders are not replaced in it"), KEY),
    ),
    OpSpec(
        "screenshot",
        "Takes a picture.",
        (
            Field("label", "text", True, "the picture's name"),
            Field("target", "target", False, "only this element"),
            Field("full_page", "boolean", False, "the whole page, not only what is in view"),
        ),
    ),
    OpSpec(
        "verify",
        "Waits until a condition holds, and fails if it does not.",
        (Field("condition", "inline_condition", True, "the condition's own fields, beside `op`"),),
    ),
    OpSpec(
        "if_verify",
        "Runs the first branch whose condition holds within `timeout_ms`.",
        (
            Field("check", "condition", True, "the condition"),
            Field("then", "steps", True, "steps if it holds"),
            Field("elif", "branches", False, "further `{check, then}` pairs, looked at in turn"),
            Field("else", "steps", False, "steps if none holds"),
        ),
        timeout_ms=1000,
        nests=True,
    ),
    OpSpec(
        "for_each",
        "Runs steps once for each item; in them `{{_item}}`, `{{_item.field}}` and `{{_index}}` stand for it.",
        (
            Field("items", "items", True, "an array argument, a list, or a target: what every item matches"),
            STEPS,
            Field("limit", "integer", False, "at most so many items"),
            Field(
                "on_error", "choice", False, "`keep` goes on with the next item and notes `_error`", ("stop", "keep")
            ),
            Field("into", "key", False, "under which name each item's values enter the result, as a list of objects"),
        ),
        value_field="items",
        nests=True,
    ),
    OpSpec(
        "repeat",
        "Runs steps again and again, and says by `complete` whether it came to the end.",
        (
            STEPS,
            Field("while", "condition", False, "goes on while it holds; what is there but disabled counts as gone"),
            Field("until", "condition", False, "ends once it holds; without either: when nothing new comes"),
            Field("key", "text", False, "the field by which a row that was read before is known again"),
            Field("into", "key", False, "under which name the rows of all rounds enter the result, as one list"),
            Field("max_rounds", "integer", False, f"at most so many rounds, {MAX_ROUNDS} if not given"),
            Field("max_seconds", "integer", False, f"at most so long, {MAX_SECONDS} seconds if not given"),
        ),
        at_most_one=("while", "until"),
        nests=True,
    ),
    OpSpec(
        "call",
        "Runs another tool of the same site, at most 5 calls deep.",
        (
            Field("tool", "tool", True, "its name"),
            Field("args", "args", False, "its arguments"),
            Field("into", "key", False, "under which name its result is kept; left out: beside this tool's own"),
        ),
        nests=True,
    ),
)

VOCABULARY: dict[str, OpSpec] = {spec.name: spec for spec in SPECS}
OPTIONAL_TIMEOUT_MS = 1000


def default_timeout_ms(op: str, *, optional: bool) -> int:
    spec = VOCABULARY[op]
    return OPTIONAL_TIMEOUT_MS if optional and spec.timeout_ms <= 4000 else spec.timeout_ms
