"""A PostgreSQL server for the length of a block: a new cluster in a temporary folder, on a unix socket only."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from agentify_site.runtime.children import Child, Children
from agentify_site.runtime.errors import DatabaseProblem

UNPRIVILEGED = ("postgres", "nobody")  # initdb refuses root
START_LIMIT_S = 30.0
NAME = "agentify"
QUICK = ("-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off", "-c", "listen_addresses=")


@contextmanager
def throwaway_postgres() -> Iterator[str]:
    """The DATABASE_URL of an empty database; server and files are gone afterwards."""
    programs = find_programs()
    owner = unprivileged_user() if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="agentify-pg-"))
    children = Children()
    try:
        if owner is not None:
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        make_cluster(programs, folder, owner)
        server = start_server(programs, folder, owner, children)
        yield f"postgres://{NAME}@/{folder}/postgres"  # an empty host and a path: a socket's folder
        stop_quickly(server)
    finally:
        children.end_all()
        shutil.rmtree(folder, ignore_errors=True)


def find_programs() -> Path:
    """The folder of initdb and postgres; Debian keeps the versions side by side, off PATH."""
    versions = [path for path in Path("/usr/lib/postgresql").glob("*/bin") if path.parent.name.isdigit()]
    newest = sorted(versions, key=lambda path: int(path.parent.name), reverse=True)
    on_path = [Path(found).resolve().parent for found in [shutil.which("initdb")] if found]
    programs = next((path for path in [*on_path, *newest] if (path / "postgres").exists()), None)
    if programs is None:
        raise DatabaseProblem("found no PostgreSQL server: apt-get install postgresql, or brew install postgresql.")
    return programs


def unprivileged_user() -> pwd.struct_passwd:
    if not shutil.which("setpriv"):
        raise DatabaseProblem("PostgreSQL does not run as root, and setpriv (util-linux) is missing: use another user.")
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    found = next((known[name] for name in UNPRIVILEGED if name in known), None)
    if found is None:
        raise DatabaseProblem("PostgreSQL does not run as root, and there is no user postgres or nobody to run it.")
    return found


def make_cluster(programs: Path, folder: Path, owner: pwd.struct_passwd | None) -> None:
    command = [str(programs / "initdb"), "--pgdata", str(folder / "data"), "--username", NAME, "--auth", "trust"]
    command = [*as_user(owner), *command, "--encoding", "UTF8", "--locale", "C", "--no-sync"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise DatabaseProblem(f"PostgreSQL could not make a database: {last}")


def start_server(programs: Path, folder: Path, owner: pwd.struct_passwd | None, children: Children) -> Child:
    command = [*as_user(owner), str(programs / "postgres"), "-D", str(folder / "data"), "-k", str(folder), *QUICK]
    child = children.start("postgres", command, cwd=folder, log=folder / "server.log")
    ready = [str(programs / "pg_isready"), "-q", "-h", str(folder), "-U", NAME]
    pause = threading.Event()
    limit = time.monotonic() + START_LIMIT_S
    while subprocess.run(ready, check=False).returncode != 0:
        if child.ended() is not None or time.monotonic() > limit:
            raise DatabaseProblem(f"PostgreSQL did not start: {(folder / 'server.log').read_text()[-300:]}")
        pause.wait(0.1)
    return child


def stop_quickly(server: Child) -> None:
    """SIGINT is PostgreSQL's "fast": it does not wait for clients, and gives its shared memory back."""
    server.process.send_signal(signal.SIGINT)
    try:
        server.process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        server.process.kill()


def as_user(owner: pwd.struct_passwd | None) -> list[str]:
    if owner is None:
        return []
    return ["setpriv", f"--reuid={owner.pw_uid}", f"--regid={owner.pw_gid}", "--clear-groups", "--"]
