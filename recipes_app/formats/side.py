"""Projects of Selenium IDE (.side): one test of them as a recipe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from recipes_app.engine.document import DocumentError
from recipes_app.engine.parsing.reader import as_integer, as_list, as_object, as_text
from recipes_app.formats.imported import Draft, Imported, Json, snake
from recipes_app.formats.recorded_scripts import as_condition
from recipes_app.formats.side_commands import HANDLERS, OF_WINDOWS
from recipes_app.formats.side_state import State, Unsaid

MAX_TIMES = 50
MAX_DEPTH = 8
MAX_COMMANDS = 2000
OPENERS = {"if", "while", "times", "do", "forEach"}
ENDS = {"end", "repeatIf"}


def read(data: object, *, name: str = "", parametrize: bool = False) -> Imported:
    """The test called `name`, else the first one. DocumentError names the place of what is wrong in the project."""
    project = as_object(data, "")
    tests = as_list(project.get("tests"), "tests")
    if not tests:
        raise DocumentError("tests", "holds no test")
    known = {f"tests[{index}]": as_object(test, f"tests[{index}]") for index, test in enumerate(tests)}
    path = next((at for at, test in known.items() if snake(str(test.get("name"))) == name), "tests[0]")
    test = known[path]
    draft = Draft(as_text(test.get("name", "Recorded test"), f"{path}.name"), name, parametrize)
    for at, other in known.items():
        if other is not test:
            draft.remark(at, f"the test “{str(other.get('name'))[:60]}” is another tool: import it under its own name")
    state = State(
        draft,
        base_url=as_text(project.get("url") or "", "url", empty=True),
        tests={str(other.get("name")): commands_of(other, at) for at, other in known.items()},
        windows={"root": "main"},
    )
    run(state, commands_of(test, path), f"{path}.commands")
    return draft.finish()


def commands_of(test: Json, path: str) -> list[Any]:
    return as_list(test.get("commands"), f"{path}.commands")


def run(state: State, commands: list[Any], path: str) -> None:
    entries = [(as_object(entry, f"{path}[{index}]"), f"{path}[{index}]") for index, entry in enumerate(commands)]
    block(state, entries)


Entries = list[tuple[Json, str]]


def block(state: State, entries: Entries) -> None:
    position = 0
    while position < len(entries):
        command, path = entries[position]
        if word_of(command, path) in OPENERS:
            end = end_of(entries, position)
            flow(state, entries[position:end], entries[min(end, len(entries) - 1)])
            position = end + 1
        else:
            one(state, command, path)
            position += 1


def word_of(command: Json, path: str) -> str:
    return as_text(command.get("command") or "", f"{path}.command", empty=True)


def one(state: State, command: Json, path: str) -> None:
    word = word_of(command, path)
    if not word or word.startswith("//"):
        state.draft.remark(path, f"{word[2:62] or 'an empty command'}: switched off in the recording, left out")
        return
    try:
        if word == "run":
            other_test(state, command, path)
        elif word in HANDLERS:
            if word not in OF_WINDOWS:
                state.draft.use(state.window, path)
            HANDLERS[word](state, command, path)
            opens_window(state, command, path)
        else:
            state.draft.lost(path, f"{word[:60]} has no counterpart among the steps of a recipe")
    except Unsaid as reason:
        told = state.draft.remark if word.startswith(("verify", "assert", "waitFor")) else state.draft.lost
        told(path, f"{word[:60]} {reason}")


def opens_window(state: State, command: Json, path: str) -> None:
    if command.get("opensWindow") is not True:
        return
    name = as_text(command.get("windowHandleName") or "", f"{path}.windowHandleName", empty=True)
    # Selenium stays in the old window until it is told to change, a recipe is in the new one at once: see `window`.
    state.draft.opened(name)
    state.windows[name] = name


def other_test(state: State, command: Json, path: str) -> None:
    name = state.text(command, "target", path)
    if name not in state.tests:
        raise Unsaid(f"names the test {name[:60]}, which the project does not hold")
    if state.depth >= MAX_DEPTH or len(state.draft.steps) > MAX_COMMANDS:
        raise Unsaid("tests that run each other too deeply")
    state.depth += 1
    run(state, state.tests[name], path)
    state.depth -= 1


# --- control flow


def end_of(entries: Entries, start: int) -> int:
    """Where the block that opens at `start` ends; the end of the test where nothing closes it."""
    depth = 0
    for index in range(start, len(entries)):
        word = word_of(*entries[index])
        depth += word in OPENERS
        depth -= word in ENDS
        if depth == 0:
            return index
    return len(entries)


def flow(state: State, entries: Entries, last: tuple[Json, str]) -> None:
    command, path = entries[0]
    word = word_of(command, path)
    inner = entries[1:]
    if word == "times" and (number := counted(state, command, path)) is not None:
        for _ in range(number):
            nested(state, inner)
    elif word == "if":
        branches(state, entries)
    elif word == "do" and word_of(*last) == "repeatIf" and str(last[0].get("target")).strip() == "false":
        nested(state, inner)
    else:
        state.draft.lost(
            path, f"{word}: a loop with a condition cannot be said; its {len(inner)} commands are left out"
        )


def nested(state: State, entries: Entries) -> None:
    if state.depth >= MAX_DEPTH:
        state.draft.lost(entries[0][1] if entries else "", "blocks nested too deeply")
        return
    state.depth += 1
    if len(state.draft.steps) <= MAX_COMMANDS:
        block(state, entries)
    state.depth -= 1


def counted(state: State, command: Json, path: str) -> int | None:
    try:
        words = state.text(command, "target", path)
    except Unsaid:
        return None
    small = words.isascii() and words.isdecimal() and len(words) < 4
    return as_integer(int(words), f"{path}.target") if small and int(words) <= MAX_TIMES else None


def branches(state: State, entries: Entries) -> None:
    """An `if` whose conditions ask for what is on the page; a constant one is decided now."""
    parts = list(split(entries))
    conditions = [as_condition(str(command.get("target") or "")) for command, _, _ in parts]
    heads = [word_of(command, path) for command, path, _ in parts]
    unsaid = [head != "else" and condition is None for head, condition in zip(heads, conditions, strict=True)]
    if any(unsaid):
        command, path, _ = parts[unsaid.index(True)]
        words = str(command.get("target"))[:120]
        state.draft.lost(path, f"the condition cannot be said, so its commands are left out: {words}")
        return
    path = parts[0][1]
    steps = [collect(state, inner) for _, _, inner in parts]
    if not steps[0] and not any(steps):
        state.draft.remark(path, "none of its branches holds a step")
        return
    step: Json = {"op": "if_verify", "check": conditions[0], "then": steps[0]}
    step["elif"] = [
        {"check": condition, "then": inner}
        for head, condition, inner in zip(heads[1:], conditions[1:], steps[1:], strict=True)
        if head != "else"
    ]
    step["else"] = next((inner for head, inner in zip(heads, steps, strict=True) if head == "else"), [])
    state.draft.put(path, {name: value for name, value in step.items() if value != []} | {"then": steps[0]})


def split(entries: Entries) -> Iterator[tuple[Json, str, Entries]]:
    """Each branch: its head, the head's place, and the commands inside."""
    depth, start = 0, 0
    for index, (command, path) in enumerate(entries[1:], start=1):
        word = word_of(command, path)
        if depth == 0 and word in {"elseIf", "else if", "else"}:
            yield (*entries[start], entries[start + 1 : index])
            start = index
        depth += word in OPENERS
        depth -= word in ENDS
    yield (*entries[start], entries[start + 1 :])


def collect(state: State, entries: Entries) -> list[Json]:
    state.draft.blocks.append([])
    nested(state, entries)
    return state.draft.blocks.pop()
