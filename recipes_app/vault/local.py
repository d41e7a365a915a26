"""Secrets in one encrypted file. The first key encrypts; the others still open it."""

from __future__ import annotations

import fcntl
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from recipes_app.vault.base import check_path
from recipes_app.vault.errors import Denied, NoSuchSecret, Unreachable

Secrets = dict[str, dict[str, str]]


def read_or_make_keys(given: Sequence[str], file: Path) -> tuple[str, ...]:
    """The given ones, else those in the file, one a line; a file that is not there is made, for its owner only."""
    if given:
        return tuple(given)
    try:
        if not file.exists():
            _make_key(file)
        return tuple(file.read_text(encoding="ascii").split())
    except OSError as error:
        raise Unreachable(
            f"The key of the local vault in {file} can neither be read nor made: {error.strerror}."
        ) from error


def _make_key(file: Path) -> None:
    """Whole or not at all; of two that make one at once, the first one's stands."""
    handle, name = tempfile.mkstemp(dir=file.parent)  # 0600
    draft = Path(name)
    with os.fdopen(handle, "wb") as new:
        new.write(Fernet.generate_key() + b"\n")
    with suppress(FileExistsError):
        file.hardlink_to(draft)
    draft.unlink()


@dataclass(frozen=True, slots=True)
class LocalVault:
    file: Path
    keys: tuple[str, ...]

    def read(self, path: str) -> Mapping[str, str]:
        found = self._load().get(check_path(path))
        if found is None:
            raise NoSuchSecret(f"vault:{path}: there is no such secret in the local vault.")
        return found

    def names(self) -> list[str]:
        """`path#field` of everything that is in it."""
        return sorted(f"{path}#{field}" for path, values in self._load().items() for field in values)

    def put(self, path: str, field: str, value: str) -> None:
        check_path(path)

        def change(secrets: Secrets) -> None:
            secrets.setdefault(path, {})[field] = value

        self._change(change)

    def remove(self, path: str, field: str) -> None:
        def change(secrets: Secrets) -> None:
            if field not in secrets.get(path, {}):
                raise NoSuchSecret(f"vault:{path}#{field}: there is no such secret in the local vault.")
            del secrets[path][field]
            if not secrets[path]:
                del secrets[path]

        self._change(change)

    def rotate(self) -> bool:
        """All of it under the first key; False where it was so already, or there is nothing."""
        if not self.file.exists() or self._opens_with(self.keys[0]):
            return False
        self._change(lambda _secrets: None)
        return True

    def _opens_with(self, key: str) -> bool:
        try:
            _fernet(key).decrypt(self.file.read_bytes())
        except InvalidToken:
            return False
        return True

    def _load(self) -> Secrets:
        try:
            sealed = self.file.read_bytes()
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise Unreachable(f"The local vault {self.file} cannot be read: {error.strerror}.") from error
        try:
            secrets: Secrets = json.loads(MultiFernet([_fernet(key) for key in self.keys]).decrypt(sealed))
        except InvalidToken as error:
            raise Denied(
                f"No key opens the local vault {self.file}: add the one it was made with to VAULT_KEYS."
            ) from error
        return secrets

    def _change(self, change: Callable[[Secrets], None]) -> None:
        """One at a time, and wholly or not at all: a new file takes the place of the old one."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self._alone():
            secrets = self._load()
            change(secrets)
            sealed = _fernet(self.keys[0]).encrypt(json.dumps(secrets).encode())
            handle, name = tempfile.mkstemp(dir=self.file.parent)  # 0600
            with os.fdopen(handle, "wb") as new:
                new.write(sealed)
                new.flush()
                os.fsync(new.fileno())
            Path(name).replace(self.file)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with self.file.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def _fernet(key: str) -> Fernet:
    try:
        return Fernet(key)
    except ValueError as error:
        raise Denied("A key of the local vault is 32 bytes in URL-safe base64, 44 letters.") from error
