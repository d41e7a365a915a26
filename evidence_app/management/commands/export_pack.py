"""`./agentify export-pack`: a pack of a run, as a file."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from evidence_app.management.asked import find_run
from evidence_app.models import Pack
from evidence_app.models.pack import Scope
from evidence_app.services import packs
from evidence_app.store.blobs import StoreError
from recipes_app import wiring
from recipes_app.jobs import inline, running
from recipes_app.management.acting import find_user
from recipes_app.management.command import AgentifyCommand
from recipes_app.management.plain import Refused
from recipes_app.models.job import JobStatus
from recipes_app.services import dispatch


class Command(AgentifyCommand):
    help = "Make a pack of a run that has ended: one ZIP that an outsider can check with verify.py alone."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("name", metavar="RUN", help="its folder or id")
        parser.add_argument("--out", default="", metavar="FILE", help="default: RUN_PACK.zip here")
        parser.add_argument("--signed", action="store_true", help="signed samples only")
        parser.add_argument("--withhold", action="store_true", help="keep originals back that have a redacted copy")

    def run(self, options: dict[str, Any]) -> int:
        self.prepare_database()
        user = find_user(options["username"])
        run = find_run(user, options["name"])
        scope = Scope.SIGNED if options["signed"] else Scope.ALL
        with dispatch.staying_here():
            pack = packs.request(run=run, by=user, scope=scope, withholds=options["withhold"])
        if pack.job is None:
            raise Refused("its job is gone.")
        with packs.signing_here():
            # No browser is started: nothing of this job needs one.
            job = inline.run_with(running.Place(running.new_name(), wiring.new_browser()), pack.job)
        if job.status != JobStatus.DONE:
            self.say(f"{(job.error or {}).get('error', job.get_status_display())}")
            return 1
        pack.refresh_from_db()
        return self.written(pack, Path(options["out"] or pack.file_name), user, on_one_line=options["json"])

    def written(self, pack: Pack, path: Path, user: Any, *, on_one_line: bool) -> int:
        try:
            with packs.opened(pack, user) as source, path.open("xb") as target:
                shutil.copyfileobj(source, target)
        except FileExistsError as error:
            raise Refused(f"{path} is there already, and is left as it is; the pack waits on its page.") from error
        except (OSError, StoreError) as error:
            raise Refused(f"{path}: {error}") from error
        key = packs.key_of_ledger()
        fingerprint = key.fingerprint if key else ""
        if on_one_line:
            made = {"pack": pack.public_id, "file": str(path), "sha256": pack.sha256, "size": pack.size}
            self.show_json({**made, "samples": pack.samples, "key": fingerprint}, on_one_line=True)
            return 0
        self.say(f"{path}: {pack.samples} sample{'' if pack.samples == 1 else 's'}, {pack.size:,} bytes.")
        self.say(f"./agentify verify-pack {path} --key {fingerprint}")
        return 0
