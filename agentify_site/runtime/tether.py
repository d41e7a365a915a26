"""Start a program that the kernel ends when the process that started it ends (Linux).

Run as a script: `tether.py OWNER_PID PROGRAM ARGUMENTS…`. The tie survives the exec, so no code of ours runs between
fork and exec in the owner, which may have threads. It is to the *thread* that started us: start from one that lives.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main(owner: int, command: list[str]) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != owner:  # it ended before the tie was made
        sys.exit(1)
    os.execvp(command[0], command)  # noqa: S606


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
