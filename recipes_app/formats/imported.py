"""What an importer hands back, and the draft it writes a recording into, step by step."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from recipes_app.engine.document import DocumentError, Recipe, dump_step, parse_recipe, parse_step
from recipes_app.engine.naming import PLACEHOLDER
from recipes_app.engine.parameters import SECRET_WORDS
from recipes_app.engine.substitution import step_placeholders

# Words that say the same as SECRET_WORDS in other languages.
MORE_SECRETS = {"passwort", "kennwort", "wachtwoord", "contraseña", "clave", "senha", "haslo", "hasło", "pwd", "pass"}
SHORTEST_HIDDEN = 4
MAX_DESCRIPTION = 300
NOT_A_NAME = re.compile(r"[^a-z0-9]+")
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Remark:
    """What could not be carried over as it was; `path` is the place in the recording."""

    path: str
    message: str


@dataclass(frozen=True, slots=True)
class Imported:
    """`complete` is false when a step that acted could not be said. `examples`: the values typed in the recording."""

    recipe: Recipe
    report: tuple[Remark, ...] = ()
    complete: bool = True
    examples: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Draft:
    """Steps as plain JSON, so that what follows may still change what went before (a page opened, a dialog answered).

    With `parametrize` every typed value becomes a parameter; secrets and files always do.
    """

    title: str
    name: str = ""
    parametrize: bool = False
    steps: list[Json] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    properties: dict[str, Json] = field(default_factory=dict)
    examples: dict[str, Any] = field(default_factory=dict)
    secrets: dict[str, str] = field(default_factory=dict)
    lost_steps: int = 0
    page: str = "main"
    pages: dict[str, str] = field(default_factory=lambda: {"main": "main"})
    blocks: list[list[Json]] = field(default_factory=list)

    # --- steps

    def add(self, path: str, op: str, **fields: Any) -> bool:
        """False, with a remark, when the recipe has no way to say it."""
        step = {"op": op} | {name: value for name, value in fields.items() if value is not None}
        return self.put(path, step)

    def put(self, path: str, step: Json) -> bool:
        try:
            parsed = parse_step(step)
        except DocumentError as error:
            self.lost(path, f"cannot be said as a step: {error}")
            return False
        strange = sorted(step_placeholders(parsed) - set(self.properties))
        if strange:
            self.lost(path, f"holds {{{{{strange[0]}}}}}, which a recipe would take for a parameter")
            return False
        self.into.append(step)
        return True

    @property
    def into(self) -> list[Json]:
        return self.blocks[-1] if self.blocks else self.steps

    @property
    def last(self) -> Json | None:
        return self.into[-1] if self.into else None

    def expect(self, **what: Any) -> None:
        """What must be seen after the last step."""
        if self.last is not None:
            self.last["expect"] = {**self.last.get("expect", {}), **what}

    # --- the report

    def remark(self, path: str, message: str) -> None:
        remark = Remark(path, message[:500])
        if remark not in self.remarks:
            self.remarks.append(remark)

    def lost(self, path: str, message: str) -> None:
        """A step that did something and cannot be said: what follows may depend on it."""
        self.lost_steps += 1
        self.remark(path, message)

    # --- pages

    def opened(self, page: str) -> None:
        """The last step opened this page, which from then on is the one in use."""
        if self.blocks or not self.steps:
            return
        self.expect(page_opened=True)
        self.pages[page] = f"opened_by:{len(self.steps) - 1}"
        self.page = page

    def use(self, page: str, path: str) -> None:
        if page == self.page:
            return
        if page not in self.pages:
            self.lost(path, "works in a page that no step of the recording opened")
            return
        if self.add(path, "switch_page", to=self.pages[page]):
            self.page = page

    # --- values

    def value(self, text: str, label: str, *, hidden: bool = False) -> str:
        """The literal, or the placeholder of the parameter that stands for it."""
        if hidden or is_secret(label):
            return self.secret(text, label)
        if not self.parametrize and not PLACEHOLDER.search(text):
            return text
        name = self.declare(label, {"type": "string", "examples": [text]})
        self.examples[name] = text
        return f"{{{{{name}}}}}"

    def secret(self, text: str, label: str) -> str:
        """One parameter for each secret; what was typed is forgotten when the draft is finished."""
        if text not in self.secrets:
            name = self.declare(label if is_secret(label) else "password", {"type": "string", "format": "password"})
            self.secrets[text] = name
        return f"{{{{{self.secrets[text]}}}}}"

    def file(self, label: str, *, several: bool = False) -> str:
        one = {"type": ["string", "object"], "format": "x-file"}
        name = self.declare(label or "file", {"type": "array", "items": one} if several else one)
        return f"{{{{{name}}}}}"

    def declare(self, label: str, schema: Json) -> str:
        base = snake(label) or "value"
        base = base if base[0].isalpha() else f"value_{base}"
        name, number = base[:60], 2
        while name in self.properties:
            name, number = f"{base[:57]}_{number}", number + 1
        self.properties[name] = schema | ({"description": label[:200]} if label else {})
        return name

    # --- the end

    def finish(self) -> Imported:
        """DocumentError when nothing of the recording can be said."""
        if not self.steps:
            raise DocumentError("", "no step of this recording can be said as a recipe")
        if self.steps[0]["op"] != "goto":
            self.remark("", "the recording does not say on which page it begins: add a goto step")
        if self.lost_steps:
            words = "1 step that acts is" if self.lost_steps == 1 else f"{self.lost_steps} steps that act are"
            self.remark("", f"the recipe is incomplete: {words} missing from it")
        recipe = parse_recipe(self.document())
        return Imported(recipe, tuple(map(self.clean, self.remarks)), not self.lost_steps, dict(self.examples))

    def document(self) -> Json:
        given = self.name or snake(self.title)[:64].rstrip("_")
        title = self.forget(" ".join(self.title.split())[:MAX_DESCRIPTION])
        steps = [self.without_secrets(step) for step in self.steps]
        return {
            "name": given if given[:1].isalpha() else f"recorded_{given}".rstrip("_")[:64],
            "description": f"Recorded as “{title}”." if title else "Recorded by a person.",
            "parameters": {"type": "object", "properties": self.properties, "required": list(self.properties)},
            "steps": [dump_step(parse_step(step)) for step in steps],
        }

    def clean(self, remark: Remark) -> Remark:
        return Remark(remark.path, self.forget(remark.message))

    def forget(self, text: str) -> str:
        for secret in sorted(self.secrets, key=len, reverse=True):
            if len(secret) >= SHORTEST_HIDDEN:
                text = text.replace(secret, "••••••")
        return text

    def without_secrets(self, value: Any) -> Any:
        """A secret that also stands elsewhere (an address, a text looked for) becomes its placeholder there too."""
        if isinstance(value, str):
            return self.hidden_in(value)
        if isinstance(value, list):
            return [self.without_secrets(entry) for entry in value]
        if isinstance(value, dict):
            return {key: self.without_secrets(entry) for key, entry in value.items()}
        return value

    def hidden_in(self, text: str) -> str:
        for secret, name in self.secrets.items():
            if text == secret or (len(secret) >= SHORTEST_HIDDEN and secret in text):
                text = text.replace(secret, f"{{{{{name}}}}}") if secret else text
        return text


def snake(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", plain)
    return NOT_A_NAME.sub("_", spaced.lower()).strip("_")


def is_secret(label: str) -> bool:
    words = set(re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", label).lower()))
    return not words.isdisjoint(SECRET_WORDS | MORE_SECRETS)
