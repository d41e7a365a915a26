"""`./agentify test [--postgres] [--processes N] [pytest's arguments]`: with folders and databases of their own."""

import argparse
import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from agentify_site.runtime.errors import RuntimeProblem
from agentify_site.runtime.postgres import throwaway_postgres
from agentify_site.runtime.terminal import say

ROOT = Path(__file__).resolve().parents[2]


def main(arguments: list[str]) -> int:
    options, for_pytest = read(arguments)
    try:
        with ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="agentify-test-"))
            env = {**os.environ, **settings_of_a_test(Path(folder))}
            if options.postgres:
                env["DATABASE_URL"] = stack.enter_context(throwaway_postgres())
                say("a PostgreSQL of our own is up.")
            return run_pytest([*apart(options.processes), *for_pytest], env)
    except RuntimeProblem as problem:
        say(str(problem))
        return 1
    except KeyboardInterrupt:
        return 130


def settings_of_a_test(folder: Path) -> dict[str, str]:
    """What a person set for this installation, in the environment or in `.env`, must not reach the tests."""
    return {
        "AGENTIFY_VAR": str(folder),
        "MEDIA_ROOT": str(folder / "media"),
        "DATABASE_URL": f"sqlite:///{folder / 'agentify.sqlite3'}",
        "REDIS_URL": "",
        "PUBLIC_URL": "http://127.0.0.1:8000",
        "ALLOWED_PRIVATE_HOSTS": "",
        "OPENAI_API_KEY": "",
        "ANTHROPIC_API_KEY": "",
    }


def read(arguments: list[str]) -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser(
        prog="./agentify test",
        description="Run the tests, on SQLite unless --postgres. All other arguments go to pytest.",
    )
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL started for this run")
    parser.add_argument(
        "--processes", type=int, default=1, help="so many beside each other, each with a folder and database of its own"
    )
    return parser.parse_known_args(arguments)


def apart(processes: int) -> list[str]:
    """The tests of a file stay together: what they share is made once."""
    return ["-n", str(processes), "--dist", "loadfile"] if processes > 1 else []


def run_pytest(arguments: list[str], env: dict[str, str]) -> int:
    command = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.run(command, cwd=ROOT, env=env, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
