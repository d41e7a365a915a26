"""`./agentify up`: the web application, its workers and what they need, until Ctrl-C."""

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

from agentify_site.management.start import StartCommand
from agentify_site.runtime.launcher import Plan, launch
from agentify_site.runtime.terminal import show
from recipes_app.models import Site, User


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

    def prepare(self) -> int | None:
        """A demo's tools go on working: its practice site is started where it was."""
        self.migrate()
        demo = Site.objects.filter(is_demo=True).order_by("-pk").first()
        return urlsplit(demo.base_url).port if demo else None

    def announce(self, address: str) -> None:
        show(f"Agentify is up at {address}; Ctrl-C ends it. Logs: {settings.VAR_DIR / 'log'}")
        if not User.objects.exists():
            show("Nobody can sign in yet: ./agentify createsuperuser")
