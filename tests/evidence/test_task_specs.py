"""Task specs: files of the first format load as they are, what is wrong is named by its path, and nothing is lost."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_app.spec.dump import declared_type, dump_spec, spec_digest
from evidence_app.spec.parse import parse_spec
from evidence_app.spec.values import check_value, is_empty, leaves
from recipes_app.engine.errors import DocumentError

FIRST_FORMAT: dict[str, Any] = {
    "task_id": "people_audit",
    "phase": "execution",
    "start_url": "https://people.example.com/",
    "system_prompt": "You read people pages. Set what is missing to null.",
    "goal": "Open the person's page and take down name, title and manager.",
    "keywords": ["name", "title", "manager"],
    "output_schema": {"name": "string", "title": "string | null", "reports": "list[string]", "age": "integer or null"},
    "required_fields": ["name"],
    "required_artifacts": ["person_page"],
    "max_steps": 30,
    "max_time_seconds": 240,
    "expected_items": 3,
    "max_consecutive_network_errors": 4,
    "judgment_required": True,
    "judgment_question": "Was access removed in time?",
    "judgment_output_schema": {"removed_in_time": "boolean", "reasoning": "string"},
    "pagination": {"type": "next_button"},
    "stop_condition": "All rows were seen.",
    "input_schema": {"sample_id": "string", "department": "string", "note": "string | null"},
    "auth_profile": "auth/people.json",
}


def changed(**changes: Any) -> dict[str, Any]:
    return {**FIRST_FORMAT, **changes}


class TestReading:
    def test_every_field_of_the_first_format_is_read(self) -> None:
        spec = parse_spec(FIRST_FORMAT)
        assert spec.max_steps == 30
        assert spec.max_time_seconds == 240
        assert spec.judgment
        assert spec.judgment.question == "Was access removed in time?"
        assert spec.counted_field
        assert spec.counted_field.name == "reports"
        assert spec.auth_profile == "auth/people.json"
        assert [(each.name, each.type, each.nullable) for each in spec.output] == [
            ("name", "str", False),
            ("title", "str", True),
            ("reports", "list", False),
            ("age", "int", True),
        ]

    def test_what_is_written_back_reads_the_same(self) -> None:
        spec = parse_spec(FIRST_FORMAT)
        assert parse_spec(dump_spec(spec)) == spec
        assert dump_spec(spec) == FIRST_FORMAT
        assert spec_digest(spec) == spec_digest(parse_spec(dict(reversed(FIRST_FORMAT.items()))))

    def test_named_checkpoints_are_milestones(self) -> None:
        spec = parse_spec(changed(checkpoints=["logged in", {"name": "exported", "required": False}]))
        assert [(each.id, each.required) for each in spec.milestones] == [("logged in", True), ("exported", False)]

    def test_a_word_that_names_no_type_stands_for_any_value(self) -> None:
        spec = parse_spec(changed(output_schema={"name": "whatever is shown", "age": "integer"}))
        assert [each.type for each in spec.output] == ["any", "int"]

    def test_types_can_say_more_than_a_word(self) -> None:
        spec = parse_spec(
            changed(
                required_fields=[],
                output_schema={
                    "state": {"type": "enum", "choices": ["open", "closed"]},
                    "key": {"type": "str", "pattern": "^[A-Z]+-[0-9]+$", "nullable": True},
                    "rows": [{"id": "integer", "title": "string"}],
                },
            )
        )
        assert declared_type(spec.output[0]) == "one of “open”, “closed”"
        assert declared_type(spec.output[2]) == "list of object {id: int, title: str}"
        assert parse_spec(dump_spec(spec)) == spec


WRONG: list[tuple[dict[str, Any], str]] = [
    (changed(goal=""), "goal: must not be empty"),
    (changed(golas="x"), "golas: unknown field, did you mean goal?"),
    (changed(max_steps="30"), "max_steps: must be a whole number, not a text"),
    (changed(max_steps=0), "max_steps: must be between 1 and 1000, not 0"),
    (changed(required_fields=["nmae"]), "required_fields[0]: 'nmae' is not in output_schema, did you mean name?"),
    (changed(judgment_question=""), "judgment_question: a judgment is required, so it needs its question"),
    (changed(start_url="javascript:alert(1)"), "start_url: must be an http or https address"),
    (changed(task_id="../evil"), "task_id: letters, digits, dots, dashes and underscores only, 80 at most"),
    (changed(allowed_hosts=["https://x.example"]), "allowed_hosts[0]: 'https://x.example' is no host; write it like"),
    (changed(output_schema={"a": {"type": "enum"}}, required_fields=[]), "output_schema.a: an enum needs its choices"),
    (changed(output_schema={"a": {"type": "srt"}}, required_fields=[]), "output_schema.a.type: unknown type 'srt'"),
    (changed(output_schema={"a": {"type": "str", "pattern": "("}}, required_fields=[]), "output_schema.a.pattern: "),
    (changed(phase="excution"), "phase: unknown value 'excution', did you mean execution?"),
    (changed(milestones=[{"id": "a"}, "a"]), "milestones[1]: 'a' stands there twice"),
    (changed(keywords=["a", "a"]), "keywords[1]: 'a' stands there twice"),
    (changed(expected_items_field="name"), "expected_items_field: 'name' is no list in output_schema"),
    (changed(capture={"overlays": "smash"}), "capture.overlays: unknown value 'smash'"),
]


@pytest.mark.parametrize(("data", "message"), WRONG)
def test_what_is_wrong_is_named_by_its_path(data: dict[str, Any], message: str) -> None:
    with pytest.raises(DocumentError) as caught:
        parse_spec(data)
    assert str(caught.value).startswith(message)


VALUES: list[tuple[Any, Any, Any, str]] = [
    ("integer", "1,204", 1204, ""),
    ("integer", "12.5", "12.5", "is not a whole number"),
    ("integer", True, True, "is not a whole number"),
    ("number", "3.50", 3.5, ""),
    ("boolean", "Yes", True, ""),
    ("boolean", "perhaps", "perhaps", "is not true or false"),
    ("date", "30 Nov 2026", "2026-11-30", ""),
    ("date", "04/05/2026", "04/05/2026", "day and month could be either; write it as YYYY-MM-DD"),
    ("url", "/people/7", "/people/7", "is not a whole http(s) address"),
    ("string", 7, "7", ""),
    ("string", ["a"], ["a"], "is not a text"),
    ("string", None, None, "is null"),
    ("string | null", None, None, ""),
    ({"type": "enum", "choices": ["Open"]}, "open", "Open", ""),
    ({"type": "str", "pattern": "^[A-Z]+-[0-9]+$"}, "AB-x", "AB-x", "does not match ^[A-Z]+-[0-9]+$"),
    (["integer"], ["1", "two"], [1, "two"], "[1] is not a whole number"),
    ({"id": "integer"}, {"id": "4", "other": 1}, {"id": 4, "other": 1}, ""),
    ({"id": "integer"}, {}, {"id": None}, "id is null"),
]


@pytest.mark.parametrize(("declared", "value", "kept", "problem"), VALUES)
def test_a_value_is_made_to_fit_its_type_or_called_wrong(
    declared: object, value: object, kept: object, problem: str
) -> None:
    spec = parse_spec({"task_id": "t", "goal": "g", "output_schema": {"value": declared}})
    checked = check_value(value, spec.output[0])
    assert (checked.value, checked.problem) == (kept, problem)


def test_zero_and_false_are_values_while_blank_is_none() -> None:
    values: list[object] = [0, False, "", "  ", [], {}, None]
    assert [is_empty(value) for value in values] == [False, False, *[True] * 5]


def test_every_scalar_has_its_path() -> None:
    rows = {"rows": [{"title": "a"}, {"title": "b"}], "n": 2}
    assert list(leaves(rows, "")) == [("rows[0].title", "a"), ("rows[1].title", "b"), ("n", 2)]


TYPE_WORDS = st.sampled_from(["string", "integer | null", "list[string]", "date", "array of objects", "number or null"])
SPECS = st.fixed_dictionaries(
    {
        "task_id": st.from_regex(r"[a-z][a-z0-9_]{0,20}", fullmatch=True),
        "goal": st.text(min_size=1, max_size=60),
        "max_steps": st.integers(1, 1000),
        "output_schema": st.dictionaries(st.from_regex(r"[a-z]{1,8}", fullmatch=True), TYPE_WORDS, max_size=5),
        "milestones": st.lists(st.from_regex(r"[a-z]{1,8}", fullmatch=True), unique=True, max_size=3),
        "capture": st.fixed_dictionaries({"pdf": st.booleans(), "overlays": st.sampled_from(["dismiss", "keep"])}),
    }
)


@given(SPECS)
def test_reading_what_was_written_gives_the_same(data: dict[str, Any]) -> None:
    spec = parse_spec(data)
    assert parse_spec(dump_spec(spec)) == spec
