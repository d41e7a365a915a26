"""The signing key of an installation that was given none: made once, readable by its owner only."""

import os
import secrets
from pathlib import Path


def read_or_make_secret_key(path: Path) -> str:
    """Return the key kept at `path`; the first caller makes it, atomically and with mode 0600."""
    if path.exists():
        return path.read_text().strip()
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_urlsafe(50))
    _publish(draft, path)
    return path.read_text().strip()


def _publish(draft: Path, path: Path) -> None:
    try:
        os.link(draft, path)  # fails where another process was first: its key stands
    except FileExistsError:
        pass
    finally:
        draft.unlink()
