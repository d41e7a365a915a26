"""Everything the shop remembers. One object, in memory, reset to the same beginning every time."""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import asdict, dataclass, field, fields
from datetime import date, timedelta
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
# The shop's calendar stands still, so that two recordings of one page are the same.
TODAY = date(2026, 3, 2)
CATEGORIES = ("Desks", "Lighting", "Chairs", "Paper", "Pens", "Storage")
TICKET_STATUSES = ("open", "waiting", "closed")
PRIORITIES = ("low", "normal", "high")


@dataclass(frozen=True)
class Review:
    author: str
    stars: int
    text: str


@dataclass(frozen=True)
class Product:
    slug: str
    name: str
    category: str
    cents: int
    rating: float
    stock: int
    description: str
    specs: dict[str, str]
    reviews: tuple[Review, ...]


@dataclass(frozen=True)
class Store:
    city: str
    name: str
    address: str
    phone: str
    hours: str


@dataclass
class Ticket:
    id: int
    subject: str
    customer: str
    status: str
    priority: str
    created: str
    description: str


@dataclass
class Message:
    ref: str
    name: str
    email: str
    fields: dict[str, str]
    attachment: str = ""
    attachment_bytes: int = 0


@dataclass
class Subscription:
    email: str
    frequency: str


@dataclass
class Reservation:
    offer: str
    name: str


@dataclass
class StoredFile:
    filename: str
    size: int
    sha256: str
    description: str


@dataclass
class Order:
    number: str
    username: str
    date: str
    status: str
    cents: int


@dataclass(frozen=True)
class Engraving:
    text: str
    script: str
    email: str


@dataclass(frozen=True)
class Guest:
    name: str
    words: str


@dataclass
class Account:
    username: str
    password: str
    name: str
    email: str


def rows(filename: str) -> list[dict[str, str]]:
    with (DATA / filename).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="|"))


def slugify(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _products() -> list[Product]:
    return [_product(index, row) for index, row in enumerate(rows("products.csv"))]


def _product(index: int, row: dict[str, str]) -> Product:
    specs = {"Material": row["material"], "Size": row["size"], "Colour": row["colour"]}
    specs |= {"Item number": f"IO-{1001 + index}", "Guarantee": "2 years"}
    cents = round(float(row["price"]) * 100)
    return Product(
        slug=slugify(row["name"]),
        name=row["name"],
        category=row["category"],
        cents=cents,
        rating=float(row["rating"]),
        stock=int(row["stock"]),
        description=row["description"],
        specs=specs,
        reviews=_reviews(index),
    )


def _reviews(index: int) -> tuple[Review, ...]:
    pool = [Review(row["author"], int(row["stars"]), row["text"]) for row in rows("reviews.csv")]
    return tuple(pool[(index * 3 + step) % len(pool)] for step in range(2 + index % 3))


def _tickets() -> dict[int, Ticket]:
    return {number: Ticket(id=number, **row) for number, row in enumerate(rows("tickets.csv"), start=1)}


def _accounts() -> dict[str, Account]:
    return {
        "anna": Account("anna", "secret-anna", "Anna Berg", "anna@example.com"),
        "ben": Account("ben", "secret-ben", "Ben Ruiz", "ben@example.com"),
    }


def _orders() -> list[Order]:
    return [*_orders_of("anna", 4100, 9), *_orders_of("ben", 4200, 8)]


def _orders_of(username: str, first_number: int, count: int) -> list[Order]:
    statuses = ("delivered", "delivered", "returned", "delivered", "shipped", "paid")
    return [
        Order(
            number=f"IO-{first_number + index * 7}",
            username=username,
            date=str(TODAY - timedelta(days=(count - index) * 17)),
            status=statuses[index * len(statuses) // count],
            cents=1290 + (index * 3797 + first_number) % 40000,
        )
        for index in range(count)
    ]


@dataclass
class State:
    products: list[Product] = field(default_factory=_products)
    tickets: dict[int, Ticket] = field(default_factory=_tickets)
    messages: list[Message] = field(default_factory=list)
    newsletter: list[Subscription] = field(default_factory=list)
    reservations: list[Reservation] = field(default_factory=list)
    files: list[StoredFile] = field(default_factory=list)
    engravings: list[Engraving] = field(default_factory=list)
    guests: list[Guest] = field(default_factory=list)
    orders: list[Order] = field(default_factory=_orders)
    carts: dict[str, dict[str, int]] = field(default_factory=dict)
    accounts: dict[str, Account] = field(default_factory=_accounts)
    sessions: dict[str, str] = field(default_factory=dict)
    access: list[dict[str, str]] = field(default_factory=list)
    submissions: Counter[str] = field(default_factory=Counter)
    requests: list[str] = field(default_factory=list)
    last_ticket: int = 15

    def reset(self) -> None:
        """Back to the beginning, in place: whoever holds this object sees the fresh shop."""
        fresh = State()
        for item in fields(self):
            setattr(self, item.name, getattr(fresh, item.name))

    def product(self, slug: str) -> Product | None:
        return next((product for product in self.products if product.slug == slug), None)

    def next_ticket_id(self) -> int:
        self.last_ticket += 1
        return self.last_ticket

    def as_json(self) -> dict[str, Any]:
        """The whole state without passwords."""
        data = asdict(self)
        for account in data["accounts"].values():
            del account["password"]
        # asdict() spoils a Counter.
        data["submissions"] = dict(self.submissions)
        return data


STORES = [Store(**row) for row in rows("stores.csv")]
CITIES = sorted({store.city for store in STORES})
FAQ = [(row["question"], row["answer"]) for row in rows("faq.csv")]
