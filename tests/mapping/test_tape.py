"""Deeds fold into steps; what a person changes of them afterwards holds."""

from typing import Any

from recipes_app.browser.listening import Heard
from recipes_app.formats.taped import Edits, lines, write
from recipes_app.mapping.tape import Tape

FIELD = {"tag": "input", "kind": "text", "type": "text", "label": "Search", "name": "q"}
URL = "http://shop.test/"


def target(name: str, role: str = "button", **more: Any) -> dict[str, Any]:
    return {
        "locators": [{"role": role, "name": name, "exact": True}],
        "fingerprint": {"role": role, "name": name},
        **more,
    }


def heard(kind: str, node: str = "", name: str = "", facts: Any = None, **more: Any) -> Heard:
    made = target(name) if name else None
    return Heard(kind, more.pop("page", 0), URL, node, made, facts or {"words": name}, more)


def typed(text: str, node: str = "d:1", **facts: Any) -> Heard:
    return heard("type", node, "Search", {**FIELD, **facts}, value=text)


def tape_of(*deeds: Heard) -> Tape:
    tape = Tape()
    for deed in (heard("goto", to=URL), *deeds):
        tape.add(deed)
    return tape


def ops(tape: Tape) -> list[str]:
    return [step["op"] for step in write(tape.entries, Edits()).steps]


def test_keys_become_one_value_and_enter_belongs_to_it() -> None:
    tape = tape_of(typed("l"), typed("lamp"), heard("enter", "d:1", "Search"), typed("lamp"))
    made = write(tape.entries, Edits())
    assert [step["op"] for step in made.steps] == ["goto", "type"]
    assert (made.steps[1]["text"], made.steps[1]["press_enter"]) == ("{{search}}", True)
    assert made.examples == {"search": "lamp"}


def test_an_address_left_again_and_a_link_gone_back_from_are_forgotten() -> None:
    assert ops(tape_of(heard("goto", to=f"{URL}other"))) == ["goto"]
    assert ops(tape_of(heard("click", "d:2", "About"), heard("back"))) == ["goto"]
    sent = tape_of(heard("click", "d:2", "Buy"))
    sent.note_sent("POST http://shop.test/buy")
    sent.add(heard("back"))
    assert ops(sent) == ["goto", "click", "back"]


def test_an_arrival_is_an_address_only_where_nothing_led_to_it() -> None:
    tape = tape_of(heard("arrive", how="navigate", at=1000.0))
    tape.add(heard("click", "d:2", "Next", at=2000.0))
    tape.add(heard("arrive", how="navigate", at=2400.0))
    assert ops(tape) == ["goto", "click"]
    tape.add(heard("arrive", how="navigate", at=60_000.0))
    assert ops(tape) == ["goto", "click", "goto"]
    tape.add(heard("arrive", how="back_forward", at=61_000.0))
    assert ops(tape)[-1] == "back"


def test_a_choice_takes_in_what_opened_the_list_and_what_was_typed_for_it() -> None:
    option = Heard(
        "click", 0, URL, "d:9", None, {"words": "Amsterdam", "offered": ["Amsterdam", "Antwerp"]},
        {"doc": "d", "owner": 1}, target("City", "combobox"), None, "nothing lasting",
    )  # fmt: skip
    made = write(tape_of(typed("Ams"), option).entries, Edits())
    assert [step["op"] for step in made.steps] == ["goto", "choose"]
    assert (made.examples, made.others, made.problems) == ({"city": "Amsterdam"}, {"city": "Antwerp"}, ())


def test_a_secret_is_a_parameter_whatever_the_person_says() -> None:
    tape = tape_of(typed("hunter2", secret=True, type="password", label="Password"))
    made = write(tape.entries, Edits(fixed=frozenset({2})))
    assert made.steps[1]["text"] == "{{password}}"
    assert made.parameters["properties"]["password"]["format"] == "password"
    assert "hunter2" not in repr(made.steps) + repr(lines(tape.entries, Edits()))


def test_steps_are_left_out_renamed_and_fixed() -> None:
    tape = tape_of(typed("lamp"), typed("oak", "d:2", label="Material"), heard("click", "d:3", "Find"))
    made = write(tape.entries, Edits(frozenset({4}), {2: "words"}, frozenset({3})))
    assert [(step["op"], step.get("text")) for step in made.steps] == [
        ("goto", None), ("type", "{{words}}"), ("type", "oak"),
    ]  # fmt: skip
    assert list(made.parameters["properties"]) == ["words"]


def test_a_row_is_found_by_the_argument() -> None:
    row = target("Delete", within={"role": "row", "text": "Ada"})
    rows = {"own": ["7", "Ada"], "others": [["8", "Bob"]], "heads": ["No", "Name"]}
    tape = tape_of(Heard("click", 0, URL, "d:4", row, {"words": "Delete", "rows": rows}))
    tape.note_sent("POST http://shop.test/delete")
    tape.entries[-1]["destroys"] = True
    made = write(tape.entries, Edits())
    assert made.steps[1]["target"]["within"] == {"role": "row", "text": "{{name}}"}
    assert (made.side_effect, made.examples, made.others) == ("destructive", {"name": "Ada"}, {"name": "Bob"})


def test_a_page_that_was_opened_is_followed_and_left_again() -> None:
    tape = tape_of(heard("click", "d:2", "Open"), heard("opened", page=1), heard("click", "e:1", "Buy", page=1))
    tape.add(heard("click", "d:3", "Done"))
    made = write(tape.entries, Edits())
    assert [step["op"] for step in made.steps] == ["goto", "click", "click", "switch_page", "click"]
    assert made.steps[1]["expect"] == {"page_opened": True}
    assert made.steps[3]["to"] == "main"


def test_what_was_refused_and_sent_again_is_one_sending() -> None:
    tape = tape_of(typed("nobody"), heard("click", "d:3", "Send"))
    tape.note_sent("POST http://shop.test/send")
    tape.entries[-1]["refused"] = "Please enter a valid email address."
    tape.add(typed("ada@shop.test", "e:1"))
    tape.add(heard("click", "e:3", "Send"))
    made = write(tape.entries, Edits())
    assert [step["op"] for step in made.steps] == ["goto", "type", "click"]
    assert made.examples == {"search": "ada@shop.test"}


def test_a_step_that_cannot_be_found_again_is_named() -> None:
    lost = Heard("click", 0, URL, "d:5", None, {"words": "Delete"}, {}, None, None, "Nothing lasting tells it apart.")
    made = write(tape_of(lost).entries, Edits())
    assert made.problems == ("Click “Delete”: Nothing lasting tells it apart.",)
