"""`./agentify up`: the web application, its workers and what they need, until Ctrl-C."""

from typing import Any

from django.conf import settings

from agentify_site.management.start import StartCommand
from agentify_site.runtime.launcher import Plan, launch
from agentify_site.runtime.terminal import show
from recipes_app.models import User


class Command(StartCommand):
    help = "Start the web application, one worker for each queue, upkeep and a private Redis; Ctrl-C ends all."

    def run(self, options: dict[str, Any]) -> int:
        plan = Plan(
            root=settings.BASE_DIR,
            var=settings.VAR_DIR,
            host=options["host"],
            port=options["port"],
        )
        return launch(plan, prepare=self.prepare, announce=self.announce)

    def prepare(self) -> int:
        """The practice shop is there to be tried, and tools made of it go on working."""
        self.migrate()
        return self.practice_port()

    def announce(self, address: str) -> None:
        show(f"Agentify is up at {address}; Ctrl-C ends it. Logs: {settings.VAR_DIR / 'log'}")
        if not User.objects.exists():
            show("Nobody can sign in yet: ./agentify createsuperuser")
