"""The lines of a Playwright script for each step: one function for each op."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from recipes_app.engine.document import (
    VOCABULARY,
    Condition,
    Expect,
    Offset,
    Step,
    Target,
    condition_words,
    step_sentence,
)
from recipes_app.engine.dump import dump_column, dump_extract_field
from recipes_app.engine.substitution import placeholders
from recipes_app.engine.vocabulary import default_timeout_ms
from recipes_app.formats.playwright_words import (
    arguments,
    condition,
    dialog_arguments,
    find_arguments,
    text,
    url,
    value,
)

INDENT = "    "
STILL_OPS = {"extract", "extract_list", "extract_table", "js_extract", "screenshot", "verify", "wait", "wait_for"}
MAX_ROUNDS = 500


@dataclass(slots=True)
class Script:
    """The lines so far; `not_said` are the places of steps that plain Playwright cannot do."""

    lines: list[str] = field(default_factory=list)
    depth: int = 1
    not_said: list[tuple[str, str]] = field(default_factory=list)
    loops: int = 0

    def line(self, words: str) -> None:
        self.lines.append(INDENT * self.depth + words)

    def steps(self, steps: tuple[Step, ...], path: str) -> None:
        for index, step in enumerate(steps):
            self.step(step, f"{path}[{index}]")
        if not steps:
            self.line("pass")

    def step(self, step: Step, path: str) -> None:
        depth = self.depth
        spec = VOCABULARY[step.op]
        needed = sorted(placeholders(step.fields.get(spec.value_field or "")))
        if needed:
            self.line(f"if run.given({', '.join(map(repr, needed))}):")
            self.depth += 1
        timeout = step.timeout_ms
        timeout = default_timeout_ms(step.op, optional=step.optional) if timeout is None else timeout
        optional = ", optional=True" if step.optional else ""
        self.line(f"with run.step({path!r}, {step_sentence(step)!r}, {timeout}{optional}):")
        self.depth += 1
        self.opening(step.expect)
        self.body(step, path)
        self.depth = depth + 1 + bool(needed)
        self.closing(step.expect)
        self.depth = depth

    def body(self, step: Step, path: str) -> None:
        nested = NESTED.get(step.op)
        if nested is not None:
            nested(self, step, path)
            return
        write = WRITERS.get(step.op)
        if write is None:
            self.not_said.append((path, step.op))
            self.line(f"cannot({path!r}, {step.op!r})")
            return
        self.line(write(step))

    def opening(self, expect: Expect | None) -> None:
        """What is watched while the step acts."""
        if expect is None:
            return
        for is_wanted, words in (
            (expect.page_opened, "page_opens()"),
            (expect.download, "file_comes()"),
            (expect.dialog is not None, f"dialog_comes({dialog_arguments(expect.dialog) if expect.dialog else ''})"),
        ):
            if is_wanted:
                self.line(f"with run.{words}:")
                self.depth += 1

    def closing(self, expect: Expect | None) -> None:
        """What must be seen afterwards."""
        if expect is None:
            return
        if expect.url:
            self.wait_until(f"fits(run.page.url, {text(expect.url)})", f"the address is like {expect.url}")
        if expect.appears:
            self.wait_until(f"run.is_there({find_arguments(expect.appears)})", "what should appear is there")
        if expect.disappears:
            self.wait_until(f"not run.is_there({find_arguments(expect.disappears)})", "what should go away is gone")
        if expect.condition:
            self.wait_until(condition(expect.condition), condition_words(expect.condition))

    def wait_until(self, words: str, sentence: str) -> None:
        self.line(f"run.wait_until(lambda: {words}, {sentence!r})")

    # --- steps in steps

    def if_verify(self, step: Step, path: str) -> None:
        check = cast(Condition, step.fields["check"])
        limit = "run.timeout_ms" if check.timeout_ms is None else str(check.timeout_ms)
        self.line(f"if run.comes_true(lambda: {condition(check)}, {limit}):")
        self.block(step.fields.get("then"), f"{path}.then")
        for index, branch in enumerate(cast(tuple[Any, ...], step.fields.get("elif", ()))):
            self.line(f"elif run.comes_true(lambda: {condition(branch.check)}, {branch.check.timeout_ms or 0}):")
            self.block(branch.then, f"{path}.elif[{index}].then")
        if step.fields.get("else"):
            self.line("else:")
            self.block(step.fields["else"], f"{path}.else")

    def block(self, steps: object, path: str) -> None:
        self.depth += 1
        self.steps(cast(tuple[Step, ...], steps or ()), path)
        self.depth -= 1

    def for_each(self, step: Step, path: str) -> None:
        self.loops += 1
        entries, items, into = f"entries_{self.loops}", step.fields["items"], step.fields.get("into")
        listed = f"list({value(items)})"
        if isinstance(items, Target):
            listed = f"[plain(words) for words in nodes.all_inner_texts()] if (nodes := {all_of(items)}()) else []"
        limit = f"[: int({value(step.fields['limit'])})]" if "limit" in step.fields else ""
        self.line(f"{entries} = []")
        self.line(f"for index, item in enumerate(({listed}){limit}):")
        self.depth += 1
        keeps_on = step.fields.get("on_error") == "keep"
        if keeps_on:
            self.line("try:")
            self.depth += 1
        self.line(f"with run.item(index, item, {into!r}, {entries}):")
        self.block(step.fields["steps"], f"{path}.steps")
        if keeps_on:
            self.depth -= 1
            self.line("except Problem as error:")
            self.line(f"{INDENT}run.warnings.append(str(error))")
        self.depth -= 1
        if into:
            self.line(f"run.keep({into!r}, {entries})")

    def repeat(self, step: Step, path: str) -> None:
        """What reads first, then the condition, then what moves the page and what reads last."""
        self.loops += 1
        rows, done = f"rows_{self.loops}", f"complete_{self.loops}"
        steps = cast(tuple[Step, ...], step.fields["steps"])
        moves = [index for index, inner in enumerate(steps) if inner.op not in STILL_OPS]
        split = moves[0] if moves else len(steps)
        self.line(f"{rows}, {done}, barren, started = [], False, 0, monotonic()")
        self.line(f"for _ in range(int({value(step.fields.get('max_rounds', MAX_ROUNDS))})):")
        self.depth += 1
        self.line(f"if monotonic() - started > float({value(step.fields.get('max_seconds', 300))}):")
        self.line(f"{INDENT}break")
        self.line(f"known = len({rows})")
        self.round(step, steps[:split], rows, f"{path}.steps", 0)
        self.ending(step, done)
        self.round(step, steps[split:], rows, f"{path}.steps", split)
        if "while" not in step.fields and "until" not in step.fields:
            self.line(f"barren = barren + 1 if len({rows}) == known else 0")
            self.line("if barren >= 3:")
            self.line(f"{INDENT}{done} = True")
            self.line(f"{INDENT}break")
        self.line("run.page.wait_for_timeout(300)")
        self.depth -= 1
        if step.fields.get("into"):
            self.line(f"run.keep({step.fields['into']!r}, {rows})")
        self.line(f"run.keep('complete', {done})")

    def round(self, step: Step, steps: tuple[Step, ...], rows: str, path: str, first: int) -> None:
        if not steps:
            return
        depth = self.depth
        if step.fields.get("into"):
            self.line(f"with run.round({rows}, {step.fields.get('key')!r}):")
            self.depth += 1
        for index, inner in enumerate(steps, start=first):
            self.step(inner, f"{path}[{index}]")
        self.depth = depth

    def ending(self, step: Step, done: str) -> None:
        going, until = step.fields.get("while"), step.fields.get("until")
        if isinstance(until, Condition):
            self.line(f"if run.comes_true(lambda: {condition(until)}, {until.timeout_ms or 0}):")
        elif isinstance(going, Condition):
            words = condition(going)
            if going.kind == "element_exists" and going.target is not None:
                words = f"run.goes_on({find_arguments(going.target)})"
            limit = 1000 if going.timeout_ms is None else going.timeout_ms
            self.line(f"if not run.comes_true(lambda: {words}, {limit}):")
        else:
            return
        self.line(f"{INDENT}{done} = True")
        self.line(f"{INDENT}break")


NESTED: dict[str, Callable[[Script, Step, str], None]] = {
    "if_verify": Script.if_verify,
    "for_each": Script.for_each,
    "repeat": Script.repeat,
}


# --- one expression for each op


def found(step: Step, *, visible: bool = True, name: str = "target") -> str:
    target = cast(Target, step.fields[name])
    return f"run.find({find_arguments(target)}{'' if visible else ', visible=False'})"


def all_of(items: Target) -> str:
    return f"(lambda: run.all({find_arguments(items)}))"


def goto(step: Step) -> str:
    return f"run.goto({url(step.fields['url'])}{arguments(any_status=True if 'status' in step.fields else None)})"


def pointer(method: str) -> Callable[[Step], str]:
    def write(step: Step) -> str:
        offset = step.fields.get("offset")
        given = arguments(
            button=repr(step.fields["button"]) if "button" in step.fields else None,
            modifiers=repr(list(cast(tuple[str, ...], step.fields["modifiers"])))
            if "modifiers" in step.fields
            else None,
            position="{{'x': {}, 'y': {}}}".format(*pixels(offset)) if isinstance(offset, Offset) else None,
        )
        return f"{found(step)}.{method}(timeout=run.timeout_ms{given})"

    return write


def pixels(offset: Offset) -> list[str]:
    given = ((offset.x, offset.x_argument), (offset.y, offset.y_argument))
    return [f"float({value(argument)})" if argument else repr(number) for number, argument in given]


def type_text(step: Step) -> str:
    given = arguments(**{name: value(step.fields[name]) for name in ("keys", "press_enter") if name in step.fields})
    return f"run.type({found(step)}, words({value(step.fields['text'])}){given})"


def press(step: Step) -> str:
    key = text(str(step.fields.get("key", "Enter")))
    if "target" in step.fields:
        return f"{found(step)}.press({key}, timeout=run.timeout_ms)"
    return f"run.page.keyboard.press({key})"


def set_date(step: Step) -> str:
    return f"run.type({found(step)}, words({value(step.fields['value'])}))"


def by_value(method: str, name: str, *, visible: bool = True) -> Callable[[Step], str]:
    def write(step: Step) -> str:
        given = step.fields.get(name, True)
        return f"run.{method}({found(step, visible=visible)}, {value(given)})"

    return write


def drag(step: Step) -> str:
    to = step.fields["to"]
    if isinstance(to, Offset):
        return f"run.drag({found(step)}, {', '.join(pixels(to))})"
    return f"{found(step)}.drag_to({found(step, name='to')}, timeout=run.timeout_ms)"


def scroll(step: Step) -> str:
    given = {"direction": step.fields.get("direction", "down")}
    if "target" in step.fields:
        return f"{found(step)}.evaluate(JS['scroll'], {given!r}, timeout=run.timeout_ms)"
    return f"run.page.evaluate(f\"(given) => ({{JS['scroll']}})(null, given)\", {given!r})"


def wait(step: Step) -> str:
    return f"run.page.wait_for_timeout(int({value(step.fields['ms'])}))"


def wait_for(step: Step) -> str:
    wanted = step.fields.get("condition")
    if isinstance(wanted, Condition):
        return until(wanted)
    target = step.fields.get("target")
    if not isinstance(target, Target):
        target = Target(css=str(step.fields["selector"]))
    return f"run.wait_until(lambda: run.is_there({find_arguments(target)}), 'it is there')"


def verify(step: Step) -> str:
    return until(cast(Condition, step.fields["condition"]))


def until(wanted: Condition) -> str:
    limit = arguments(timeout_ms=None if wanted.timeout_ms is None else repr(wanted.timeout_ms))
    return f"run.wait_until(lambda: {condition(wanted)}, {condition_words(wanted)!r}{limit})"


def dialog(step: Step) -> str:
    given = ", ".join(
        f"{name}={step.fields[name]!r}" for name in ("type", "message", "answer", "text") if name in step.fields
    )
    return f"run.allow_dialog({given})"


def download(step: Step) -> str:
    if "target" in step.fields:
        start = f"{found(step)}.click(timeout=run.timeout_ms)"
    else:
        start = f"run.page.goto({url(step.fields['url'])}, timeout=run.timeout_ms)"
    return keep(step, f"run.download(lambda: {start})")


def extract(step: Step) -> str:
    attr = str(step.fields.get("attr", "text"))
    given = arguments(attr=repr(attr), kind=quoted(step, "type"), locale=quoted(step, "locale"))
    return keep(step, f"run.read({found(step, visible=attr == 'text')}{given})")


def extract_list(step: Step) -> str:
    fields = cast(Mapping[str, Any], step.fields["fields"])
    plain = {name: dump_extract_field(entry) for name, entry in fields.items()}
    limit = value(step.fields["limit"]) if "limit" in step.fields else None
    given = arguments(limit=limit, locale=quoted(step, "locale"))
    return keep(step, f"run.read_list({all_of(cast(Target, step.fields['items']))}, {plain!r}{given})")


def extract_table(step: Step) -> str:
    columns = cast("Mapping[str, Any] | None", step.fields.get("columns"))
    plain = {name: dump_column(column) for name, column in columns.items()} if columns else None
    given = arguments(columns=repr(plain) if plain else None, locale=quoted(step, "locale"))
    return keep(step, f"run.read_table({found(step)}{given})")


def js_extract(step: Step) -> str:
    return keep(step, f"run.page.evaluate({str(step.fields['expr'])!r}, run.arguments)")


def screenshot(step: Step) -> str:
    node = found(step) if "target" in step.fields else None
    return (
        f"run.screenshot({text(str(step.fields['label']))}{arguments(node=node, full_page=quoted(step, 'full_page'))})"
    )


def quoted(step: Step, name: str) -> str | None:
    return value(step.fields[name]) if name in step.fields else None


def keep(step: Step, words: str) -> str:
    return f"run.keep({str(step.fields.get('key', 'result'))!r}, {words})"


WRITERS: dict[str, Callable[[Step], str]] = {
    "goto": goto,
    "back": lambda _step: "run.page.go_back(timeout=run.timeout_ms, wait_until='domcontentloaded')",
    "reload": lambda _step: "run.page.reload(timeout=run.timeout_ms, wait_until='domcontentloaded')",
    "switch_page": lambda step: f"run.switch({text(str(step.fields['to']))})",
    "dialog": dialog,
    "click": pointer("click"),
    "double_click": pointer("dblclick"),
    "hover": pointer("hover"),
    "type": type_text,
    "press": press,
    "press_enter": press,
    "set_date": set_date,
    "select": by_value("select", "value"),
    "choose": by_value("choose", "value", visible=False),
    "check": by_value("check", "value", visible=False),
    "upload": by_value("upload", "files", visible=False),
    "drag": drag,
    "scroll": scroll,
    "download": download,
    "wait": wait,
    "wait_for": wait_for,
    "verify": verify,
    "extract": extract,
    "extract_list": extract_list,
    "extract_table": extract_table,
    "js_extract": js_extract,
    "screenshot": screenshot,
}
