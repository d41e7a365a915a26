"""Where a running installation keeps what is not data: sockets, locks and logs under `var/`."""

import hashlib
import os
import tempfile
from pathlib import Path

from agentify_site.runtime.errors import SetupProblem

SOCKET_LIMIT = 100  # bytes; the kernel's own limit is 108 on Linux, 104 on macOS


def redis_socket(var: Path) -> Path:
    """The private Redis's socket; in a folder of the temporary directory where its path would be too long."""
    usual = var / "run" / "redis.sock"
    if len(os.fsencode(usual)) < SOCKET_LIMIT:
        return usual
    digest = hashlib.sha256(os.fsencode(var)).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"agentify-{os.getuid()}-{digest}" / "redis.sock"


def socket_url(socket: Path) -> str:
    return f"unix://{socket}?db=0"


def make_folder(path: Path) -> Path:
    """Make `path`, for its owner only."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise SetupProblem(
            f"cannot make {path} ({error.strerror}): make its folder writable, or set AGENTIFY_VAR."
        ) from error
    if not os.access(path, os.W_OK):
        raise SetupProblem(f"cannot write in {path}: make the folder writable, or set AGENTIFY_VAR to one that is.")
    return path


def make_private_folder(path: Path) -> Path:
    """Make `path` and refuse one that another user made: the temporary directory is everybody's."""
    make_folder(path)
    found = path.stat()
    if found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise SetupProblem(f"{path} belongs to someone else or is open to others: remove it, or set AGENTIFY_VAR.")
    return path
