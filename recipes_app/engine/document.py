"""The recipe document: its shapes, and the functions that read and write them.

Loads nothing of a browser; whoever only reads, edits or shows recipes imports this.
"""

from recipes_app.engine.digest import canonical_json, digest
from recipes_app.engine.dump import (
    dump_condition,
    dump_recipe,
    dump_registry,
    dump_step,
    dump_target,
)
from recipes_app.engine.errors import DocumentError
from recipes_app.engine.parsing.recipes import (
    may_write,
    parse_condition,
    parse_recipe,
    parse_registry,
    parse_step,
    parse_target,
)
from recipes_app.engine.sentences import condition_words, expect_words, step_sentence, target_words
from recipes_app.engine.shapes import (
    Branch,
    Column,
    Condition,
    DialogRule,
    Expect,
    ExtractField,
    Fingerprint,
    FrameRef,
    Locator,
    Offset,
    Recipe,
    Registry,
    Step,
    Target,
)
from recipes_app.engine.vocabulary import VOCABULARY, Field, OpSpec

__all__ = [
    "VOCABULARY",
    "Branch",
    "Column",
    "Condition",
    "DialogRule",
    "DocumentError",
    "Expect",
    "ExtractField",
    "Field",
    "Fingerprint",
    "FrameRef",
    "Locator",
    "Offset",
    "OpSpec",
    "Recipe",
    "Registry",
    "Step",
    "Target",
    "canonical_json",
    "condition_words",
    "digest",
    "dump_condition",
    "dump_recipe",
    "dump_registry",
    "dump_step",
    "dump_target",
    "expect_words",
    "may_write",
    "parse_condition",
    "parse_recipe",
    "parse_registry",
    "parse_step",
    "parse_target",
    "step_sentence",
    "target_words",
]
