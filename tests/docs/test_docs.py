"""What the documents name exists, and what exists is named in them."""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest
from django.core.management import get_commands

from agentify_site.runtime.overview import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
OURS = {"agentify_site", "recipes_app", "evidence_app"}
OF_THE_SCRIPT = {"test", "check", "help", "prepare"}
INTERNAL = {"run_demo"}  # `demo` starts it
# By the script, before there is any Python; by the module of functions that is exported.
READ_ELSEWHERE = {"AGENTIFY_PYTHON", "AGENTIFY_URL", "AGENTIFY_TOKEN"}
HOP = re.compile(r"`([\w./-]+\.(?:py|js)):(\w+(?:\.\w+)?)`")
COMMAND = re.compile(r"(?:^|[`\s])\./agentify +([a-z][a-z_-]*)")
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#]+)")
SETTING = re.compile(r"`([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:=[^`]*)?`")


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def example_settings() -> set[str]:
    return set(re.findall(r"^# ?([A-Z][A-Z0-9_]+)=", text_of(ROOT / ".env.example"), re.MULTILINE))


def read_settings() -> set[str]:
    """Every name that settings.py takes from the environment."""
    tree = ast.parse(text_of(ROOT / "agentify_site" / "settings.py"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    of_env = [node for node in calls if isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "env"]
    return {str(node.args[0].value) for node in of_env if isinstance(node.args[0], ast.Constant)}


def our_commands() -> set[str]:
    return {name for name, app in get_commands().items() if str(app) in OURS} - INTERNAL


def defined_in(path: Path) -> set[str]:
    """Functions, classes and methods (`Class.method`) of a Python file."""
    tree = ast.parse(text_of(path))
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    outer = [node for node in tree.body if isinstance(node, kinds)]
    inner = {f"{node.name}.{part.name}" for node in outer for part in node.body if isinstance(part, kinds)}
    return {node.name for node in outer} | inner


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_hop_names_a_function_that_is_there(path: Path) -> None:
    missing = []
    for file, name in HOP.findall(text_of(path)):
        if not (ROOT / file).exists():
            missing.append(file)
        elif file.endswith(".py") and name not in defined_in(ROOT / file):
            missing.append(f"{file}:{name}")
    assert missing == []


def test_each_attempt_on_the_page_of_attacks_names_its_test() -> None:
    """That the test exists is looked at above."""
    part = text_of(ROOT / "docs/security.md").partition("## Who has a website, a file")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in part.splitlines() if line.startswith("| ")][1:]
    attempts = [row for row in rows if not row[0].startswith("**")]
    assert len(attempts) >= 25
    assert [row[0] for row in attempts if not HOP.findall(row[-1])] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_command_and_link_in_a_document_leads_somewhere(path: Path) -> None:
    known = set(get_commands()) | OF_THE_SCRIPT
    named = {name.rstrip("-").replace("-", "_") for name in COMMAND.findall(text_of(path))}
    assert named - known == set()
    links = {link for link in LINK.findall(text_of(path)) if not (path.parent / link).exists()}
    assert links == set()


def test_the_overview_and_the_operating_guide_name_every_command() -> None:
    overview = {name.split()[0].replace("-", "_") for group in COMMANDS.values() for name in group} - {"NAME"}
    guide = {name.replace("-", "_") for name in COMMAND.findall(text_of(ROOT / "docs" / "operating.md"))}
    assert overview <= our_commands() | OF_THE_SCRIPT
    assert our_commands() - guide == set()


def test_every_setting_is_in_the_example_and_every_example_is_a_setting() -> None:
    assert example_settings() == read_settings()


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_setting_a_document_names_is_one(path: Path) -> None:
    known = (
        example_settings() | READ_ELSEWHERE | set(re.findall(r"^([A-Z][A-Z0-9_]+)\b", _all_settings(), re.MULTILINE))
    )
    assert set(SETTING.findall(text_of(path))) - known == set()


def _all_settings() -> str:
    return text_of(ROOT / "agentify_site" / "settings.py")


def test_each_dependency_has_its_reason_and_each_reason_its_dependency() -> None:
    lines = "\n".join(text_of(ROOT / name) for name in ("requirements.txt", "requirements-dev.txt")).splitlines()
    wanted = {re.split(r"[\[<>=; ]", line)[0].lower() for line in lines if line and line[0] not in "#-"}
    rows = re.findall(r"^\| `([\w.-]+)` \| \S.+ \|$", text_of(ROOT / "docs" / "dependencies.md"), re.MULTILINE)
    assert set(rows) == wanted
    assert len(rows) == len(wanted)


def test_the_change_log_starts_with_the_version_of_the_project() -> None:
    version = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]["version"]
    first = re.search(r"^## (\S+)", text_of(ROOT / "CHANGELOG.md"), re.MULTILINE)
    assert first
    assert first[1] in (version, "Unreleased")


def test_every_queue_and_every_room_of_the_runtime_is_explained() -> None:
    guide = text_of(ROOT / "docs" / "operating.md")
    assert [name for name in ("calls", "agents", "packs", "upkeep", "var/log", "var/run") if name not in guide] == []
