"""Loaded before Django's settings: each of several test processes has a folder of its own for all that is kept."""

import os
from pathlib import Path

WORKER = os.environ.get("PYTEST_XDIST_WORKER")

if WORKER and os.environ.get("AGENTIFY_VAR"):
    folder = Path(os.environ["AGENTIFY_VAR"]) / WORKER
    folder.mkdir(parents=True, exist_ok=True)
    os.environ |= {
        "AGENTIFY_VAR": str(folder),
        "MEDIA_ROOT": str(folder / "media"),
    }
    if os.environ.get("DATABASE_URL", "").startswith("sqlite:"):
        os.environ["DATABASE_URL"] = f"sqlite:///{folder / 'agentify.sqlite3'}"
