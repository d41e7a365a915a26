"""What a call gave back, arranged for reading: tables, lists, facts, or plain values."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Block:
    """One key of the result. `kind` is table, list, facts, text or none."""

    name: str
    kind: str
    value: Any = None
    columns: list[str] = field(default_factory=list)
    rows: list[list[Any]] = field(default_factory=list)


def blocks(data: dict[str, Any]) -> list[Block]:
    return [block(name, value) for name, value in data.items()]


def block(name: str, value: Any) -> Block:
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        columns = list(dict.fromkeys(key for item in value for key in item))
        return Block(name, "table", value, columns, [[item.get(column) for column in columns] for item in value])
    if isinstance(value, list):
        return Block(name, "list" if value else "none", value)
    if isinstance(value, dict):
        return Block(name, "facts" if value else "none", value, rows=[[key, each] for key, each in value.items()])
    return Block(name, "none" if value in (None, "") else "text", value)
