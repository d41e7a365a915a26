"""Hypothesis strategies for whole documents."""

from typing import Any

from hypothesis import strategies as st

words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20)
css = st.sampled_from(["#cart", "button.save", "[data-testid='x']", "main > ul li"])
roles = st.sampled_from(["button", "link", "textbox", "row", "option"])
small = st.integers(0, 5000)


def without_none(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if value is not None}


def maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


def record(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(fields).map(without_none)


locators = st.one_of(
    record(role=roles, name=maybe(words), exact=maybe(st.just(False))),
    record(test_id=words),
    record(label=words, exact=maybe(st.just(False))),
    record(text=words),
    record(css=css),
    record(xpath=st.just("//main/a")),
)
fingerprints = record(
    tag=maybe(st.sampled_from(["a", "button"])),
    role=maybe(roles),
    name=maybe(words),
    attributes=maybe(st.dictionaries(st.sampled_from(["id", "type"]), words, min_size=1)),
    near=maybe(words),
    peers=maybe(small),
)
short_targets = record(role=roles, name=maybe(words), css=maybe(css), text=maybe(words))
targets = st.one_of(
    short_targets,
    record(
        locators=st.lists(locators, min_size=1, max_size=3),
        within=maybe(short_targets),
        frames=maybe(st.lists(record(name=words, src=maybe(words)), min_size=1, max_size=2)),
        page=maybe(st.sampled_from(["main", "opened_by:3"])),
        nth=maybe(small | st.just("{{_index}}")),
        fingerprint=maybe(fingerprints),
    ),
)
leaves = st.one_of(
    record(kind=st.just("page_text_contains"), value=words, case_insensitive=maybe(st.just(True))),
    record(kind=st.sampled_from(["url_contains", "url_matches"]), value=words, timeout_ms=maybe(small)),
    record(kind=st.sampled_from(["element_exists", "element_absent"]), target=targets),
    record(kind=st.just("value_is"), target=targets, value=words | st.just("")),
)
conditions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        record(all=st.lists(inner, min_size=1, max_size=3)),
        record(any=st.lists(inner, min_size=1, max_size=3), timeout_ms=maybe(small)),
        st.fixed_dictionaries({"not": inner}),
    ),
    max_leaves=4,
)
dialogs = record(
    type=maybe(st.sampled_from(["confirm", "prompt"])),
    message=maybe(words),
    answer=st.just("accept"),
    text=maybe(words),
)
expects = st.one_of(
    leaves,
    record(appears=targets, url=maybe(words)),
    record(page_opened=st.just(True), dialog=maybe(dialogs)),
)
values = words | st.integers(-5, 5) | st.booleans() | st.just("") | st.just("{{q}}")
extract_fields = st.recursive(
    record(css=maybe(css), attr=maybe(st.sampled_from(["href", "value"])), type=maybe(st.just("money"))),
    lambda inner: record(css=css, fields=st.dictionaries(st.sampled_from(["a", "b"]), inner, min_size=1)),
    max_leaves=3,
)


def step(op: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return record(
        op=st.just(op),
        optional=maybe(st.just(True)),
        timeout_ms=maybe(small),
        note=maybe(words),
        expect=maybe(expects),
        **fields,
    )


flat_steps = st.one_of(
    step("goto", url=st.sampled_from(["/", "https://x.test/?q={{q}}", "{{url}}"]), status=maybe(st.just("any"))),
    step("back"),
    step("click", target=targets, button=maybe(st.just("right")), modifiers=maybe(st.just(["Shift"]))),
    step("click", target=targets, offset=maybe(st.just({"x": 1, "y": 2.5}))),
    step("type", target=targets, text=values, press_enter=maybe(st.booleans()), keys=maybe(st.booleans())),
    step("select", target=targets, value=values | st.lists(words, min_size=1, max_size=2)),
    step("check", target=targets, value=maybe(st.booleans())),
    step("wait_for", condition=conditions),
    step("extract_list", items=targets, fields=st.dictionaries(words, extract_fields, min_size=1), key=words),
    step("extract_table", target=targets, columns=maybe(st.just({"A": {"header": "a"}, "B": {}})), key=words),
    step("js_extract", expr=words, key=words),
    step("drag", target=targets, to=targets | st.sampled_from([{"x": 3, "y": -4.5}, {"x": "{{q}}", "y": 0}])),
    step("call", tool=st.just("other"), args=maybe(st.just({"q": "{{q}}", "n": [1, {"a": None}]})), into=maybe(words)),
)
verify_steps = st.builds(lambda leaf, extra: leaf | extra, conditions, step("verify"))


def loops(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    some = st.lists(inner, min_size=1, max_size=2)
    items = st.just("{{names}}") | st.just(["a", {"b": 1}, None]) | targets
    none: dict[str, Any] = {}
    end = record(**{"while": conditions}) | record(until=conditions) | st.just(none)
    each = step(
        "for_each", items=items, steps=some, limit=maybe(small), on_error=maybe(st.just("keep")), into=maybe(words)
    )
    rounds = step("repeat", steps=some, key=maybe(words), into=maybe(words), max_rounds=maybe(st.integers(1, 9)))
    return each | st.builds(lambda head, rest: head | rest, rounds, end)


steps = st.recursive(
    flat_steps | verify_steps,
    lambda inner: (
        loops(inner)
        | st.builds(
            lambda head, rest: head | rest,
            step("if_verify", check=conditions, then=st.lists(inner, max_size=2)),
            record(
                **{
                    "else": maybe(st.lists(inner, max_size=2)),
                    "elif": maybe(st.lists(record(check=conditions, then=st.lists(inner, max_size=1)), max_size=2)),
                }
            ),
        )
    ),
    max_leaves=4,
)
schemas = st.just({"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]})
recipes = record(
    name=st.sampled_from(["search", "add_to_cart"]),
    description=maybe(words),
    parameters=maybe(schemas),
    returns=maybe(st.just({"type": "object"})),
    side_effect=maybe(st.sampled_from(["read", "write", "destructive"])),
    steps=st.lists(steps, min_size=1, max_size=4),
)
