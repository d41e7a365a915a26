"""`./agentify upkeep`: dispatch waiting jobs and move on those whose worker was lost."""

import signal
import threading
from typing import Any

from recipes_app.jobs import upkeep
from recipes_app.management.plain import PlainCommand


class Command(PlainCommand):
    help = "Hand waiting jobs to the workers and look after those whose worker was lost, until stopped."

    def handle(self, *_args: Any, **_options: Any) -> None:
        stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda _signum, _frame: stop.set())
        upkeep.keep_up(stop)
