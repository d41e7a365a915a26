"""What a call gave back, arranged for reading: tables, lists, facts, or plain values."""

from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

SIGNS = {"EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥", "INR": "₹", "KRW": "₩", "CHF": "CHF"}


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
    if isinstance(value, dict) and not is_money(value):
        return Block(name, "facts" if value else "none", value, rows=[[key, each] for key, each in value.items()])
    return Block(name, "none" if value in (None, "") else "text", value)


def is_money(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {"amount", "currency"}


def money(value: dict[str, Any]) -> str:
    """`€ 1,234.50`, with a space that does not break; an amount that is no number stands as it is."""
    currency = value["currency"] or ""
    try:
        amount = f"{Decimal(str(value['amount'])):,}"
    except InvalidOperation:
        amount = str(value["amount"] or "")
    return f"{SIGNS.get(currency, currency)}\u00a0{amount}".strip("\u00a0")
