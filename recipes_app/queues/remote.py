"""What travels between a person's page and the remote browser they drive: pictures one way, input the other.

Pictures: the latest only, small, gone by themselves. Input: in order, never more than a little, unreadable in Redis.
Every function raises `Unreachable` where Redis does not answer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recipes_app import queues

PREFIX = "agentify:remote"
PICTURE_S = 20
INPUT_S = 60
DRIVER_S = 40
MAX_PICTURE = 3_000_000
MAX_WAITING = 400
MAX_A_SECOND = 240


@dataclass(frozen=True, slots=True)
class Picture:
    """`number` grows with each; `state` is what else the page shows (address, dialog, pages)."""

    number: int
    state: str
    data: bytes = b""


def put_picture(name: str, number: int, state: Mapping[str, Any], data: bytes) -> None:
    """One that is too large is left out; its state is told all the same."""
    key = _key(name, "picture")
    fields: dict[bytes | bytearray | memoryview[int] | str | int | float, bytes | str | int] = {
        "number": number,
        "state": json.dumps(state),
    }
    if 0 < len(data) <= MAX_PICTURE:
        fields["data"] = data
    with queues.reaching():
        pipe = queues.connection().pipeline(transaction=False)
        pipe.hset(key, mapping=fields)
        pipe.expire(key, PICTURE_S)
        pipe.execute()


def newest(name: str, after: int) -> Picture | None:
    """None where nothing is shown; without its data where it is not newer than `after`."""
    with queues.reaching():
        number, state = queues.connection().hmget(_key(name, "picture"), ["number", "state"])
        if number is None or state is None:
            return None
        data = queues.connection().hget(_key(name, "picture"), "data") if int(number) > after else b""
    return Picture(int(number), _text(state), _bytes(data))


def send(name: str, sealed: Sequence[bytes]) -> bool:
    """False where the browser does not keep up, or there was too much in this second; nothing is taken then."""
    key, pace = _key(name, "input"), _key(name, "pace")
    with queues.reaching():
        redis = queues.connection()
        pipe = redis.pipeline(transaction=False)
        pipe.llen(key)
        pipe.incrby(pace, len(sealed))
        pipe.expire(pace, 1, nx=True)
        waiting, lately, _ = pipe.execute()
        if waiting + len(sealed) > MAX_WAITING or lately > MAX_A_SECOND:
            return False
        pipe = redis.pipeline(transaction=True)
        pipe.rpush(key, *sealed)
        pipe.expire(key, INPUT_S)
        pipe.execute()
    return True


def receive(name: str, wait_s: float) -> bytes | None:
    """The oldest input, waited for at most so long."""
    with queues.reaching():
        found = queues.connection().blpop([_key(name, "input")], timeout=wait_s)
    return _bytes(found[1]) if found else None


def drive(name: str, token: str, label: str, *, take: bool = False) -> bool:
    """Whether this token drives from now on: it does already, nobody does, or (`take`) it is taken from whoever did."""
    key, mine = _key(name, "driver"), f"{token} {label}"
    with queues.reaching():
        redis = queues.connection()
        if take:
            redis.set(key, mine, ex=DRIVER_S)
            return True
        if redis.set(key, mine, ex=DRIVER_S, nx=True):
            return True
        held = redis.get(key)
        if held is None or _text(held).partition(" ")[0] != token:
            return False
        redis.expire(key, DRIVER_S)
    return True


def driver(name: str) -> tuple[str, str]:
    """Token and label of who drives; empty for nobody."""
    with queues.reaching():
        held = queues.connection().get(_key(name, "driver"))
    token, _, label = _text(held).partition(" ") if held else ("", "", "")
    return token, label


def forget(name: str) -> None:
    with queues.reaching():
        queues.connection().delete(*(_key(name, part) for part in ("picture", "input", "driver", "pace")))


def _key(name: str, part: str) -> str:
    return f"{PREFIX}:{name}:{part}"


def _bytes(value: bytes | str | None) -> bytes:
    return value.encode() if isinstance(value, str) else value or b""


def _text(value: bytes | str) -> str:
    return value.decode() if isinstance(value, bytes) else value
