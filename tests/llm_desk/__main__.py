"""``python3 -m tests.llm_desk ...`` (or ``python3 path/to/llm_desk ...``)."""

import sys
from pathlib import Path

if not __package__:  # started as a folder: make the package importable under its own name
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from tests.llm_desk.cli import main

sys.exit(main())
