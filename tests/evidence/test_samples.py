"""Lists of samples: as many out as in, or a refusal that names the rows."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_app.spec.samples import SamplesRefused, from_items, one_sample, read_csv, read_json, safe_name


def refusal(text: str, **more: object) -> tuple[str, ...]:
    with pytest.raises(SamplesRefused) as caught:
        read_csv(text.encode(), **more)  # type: ignore[arg-type]
    return caught.value.problems


class TestTables:
    def test_rows_keep_their_order_ids_and_other_columns(self) -> None:
        samples = read_csv("\ufeffsample_id,url,team\n007,https://a.example/7,Blue\n8,,\n".encode())
        assert [(each.sample_id, each.url, dict(each.extra)) for each in samples] == [
            ("007", "https://a.example/7", {"team": "Blue"}),
            ("8", "", {"team": ""}),
        ]

    def test_a_column_named_id_will_do(self) -> None:
        assert [each.sample_id for each in read_csv(b"id,url\na,\nb,\n")] == ["a", "b"]

    def test_semicolons_and_line_breaks_inside_quotes_are_text(self) -> None:
        samples = read_csv(b'sample_id,note\n"a; b","two\nlines"\n')
        assert samples[0].sample_id == "a; b"
        assert samples[0].extra["note"] == "two\nlines"

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("", "the file is empty; its first row names the columns"),
            ("sample_id,url\n", "there is no sample in it"),
            ("name,url\na,\n", "no column is named sample_id or id"),
            ("Sample_ID\na\n", "no column is named sample_id or id; 'Sample_ID' is written otherwise"),
            ("sample_id,Url,url\na,,\n", "column 3: 'url' is the name of column 2 too"),
            ("sample_id,\na,b\n", "column 2: has no name"),
            ("sample_id,url\na\n", "row 2: 1 cells, the header names 2"),
            ("sample_id\n a\n\nb\n a\n", "row 5: 'a' stands there twice; see row 2"),
            ("sample_id,url\n,https://a.example\n", "row 2: the sample_id is blank"),
            ("sample_id\n007\n7\n", "row 3: '7' and '007' can be taken for one another; see row 2"),
            ("sample_id\nAnna\nanna\n", "row 3: 'anna' and 'Anna' can be taken for one another; see row 2"),
            ("sample_id,url\na,file:///etc/passwd\n", "row 2: 'file:///etc/passwd' is no http(s) address"),
        ],
    )
    def test_what_would_lose_or_merge_a_sample_is_refused(self, text: str, problem: str) -> None:
        assert refusal(text) == (problem,)

    def test_every_wrong_row_is_named_at_once(self) -> None:
        problems = refusal("sample_id,url\n,https://a.example\na,x\na,\n")
        assert [problem.split(":")[0] for problem in problems] == ["row 2", "row 3"]

    def test_a_needed_column_that_is_blank_is_refused(self) -> None:
        problems = refusal("sample_id,dept,note\na,,\n", input_schema={"dept": "string", "note": "string | null"})
        assert problems == ("row 2: dept is blank",)

    def test_another_encoding_is_refused_with_its_line(self) -> None:
        with pytest.raises(SamplesRefused, match="line 2: this is not UTF-8"):
            read_csv("sample_id\nJosé\n".encode("latin-1"))


class TestOtherWays:
    def test_json_objects_and_texts(self) -> None:
        samples = read_json(json.dumps([{"id": 7, "url": "https://a.example"}, "b"]).encode())
        assert [each.sample_id for each in samples] == ["7", "b"]

    def test_one_address_is_one_sample(self) -> None:
        assert [(each.sample_id, each.folder) for each in one_sample("https://a.example")] == [
            ("sample_001", "sample_001")
        ]


class TestFolders:
    @pytest.mark.parametrize(
        "name", ["../x", "", "...", "/etc/passwd", ".hidden", "con", "a" * 400, "日本", "a/b\\c", "\x00"]
    )
    def test_a_folder_never_leaves_its_place(self, name: str) -> None:
        folder = safe_name(name)
        assert folder
        assert not folder.startswith((".", "-"))
        assert "/" not in folder
        assert "\\" not in folder
        assert len(folder) <= 80

    @given(st.lists(st.text(min_size=1, max_size=30), min_size=1, max_size=30))
    def test_as_many_samples_as_items_each_with_its_own_folder_or_a_refusal(self, ids: list[str]) -> None:
        try:
            samples = from_items(ids)
        except SamplesRefused:
            return  # said so, and why
        assert [each.sample_id for each in samples] == [name.strip() for name in ids]
        assert len({each.folder.lower() for each in samples}) == len(ids)
