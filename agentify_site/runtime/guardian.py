"""End what a killed owner left behind: reads process groups on standard input until the owner's end of it closes.

Run as a script by `children.Children`. Lines are `+GROUP` and `-GROUP`. It works where the kernel has no tie between
processes (macOS), and for programs that take their time to end after SIGTERM or have children of their own.
"""

import os
import signal
import sys
import threading

GRACE_S = 4.0
STEP_S = 0.05


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    groups: set[int] = set()
    for line in sys.stdin:
        group = int(line[1:])
        if line.startswith("+"):
            groups.add(group)
        else:
            groups.discard(group)
    end_groups(groups, grace_s=GRACE_S)


def end_groups(groups: set[int], *, grace_s: float) -> None:
    """SIGTERM to each process group, SIGKILL to those that are still there after `grace_s`."""
    left = {group for group in groups if send(group, signal.SIGTERM)}
    pause = threading.Event()
    for _ in range(int(grace_s / STEP_S)):
        left = {group for group in left if send(group, 0)}
        if not left:
            return
        pause.wait(STEP_S)
    for group in left:
        send(group, signal.SIGKILL)


def send(group: int, number: int) -> bool:
    """Signal the group; False where nothing is left of it."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):  # macOS says EPERM of a group of zombies
        return False
    return True


if __name__ == "__main__":
    main()
