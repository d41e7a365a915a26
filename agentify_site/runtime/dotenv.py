"""The few values of `.env` that matter before any package is installed."""

import os
from pathlib import Path


def setting(root: Path, name: str) -> str:
    """The value of `name` from the environment, else from `.env`, else empty."""
    if os.environ.get(name):
        return os.environ[name]
    try:
        lines = (root / ".env").read_text().splitlines()
    except OSError:
        return ""
    pairs = (line.partition("=") for line in lines if not line.lstrip().startswith("#"))
    found = [value.strip().strip("'\"") for key, _, value in pairs if key.removeprefix("export ").strip() == name]
    return found[-1] if found else ""
