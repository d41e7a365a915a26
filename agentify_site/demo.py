"""The main job on the practice site, through the services the pages use: map, approve, record, verify, publish, call.

Progress goes to standard error as it comes, results to standard output. Every step that fails is counted, and the
rest goes on.
"""

from __future__ import annotations

import json
import secrets
import threading
import time
import urllib.request
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import close_old_connections, transaction
from django.urls import reverse

from agentify_site.leftovers import FINISHED
from agentify_site.runtime.terminal import say, show
from recipes_app.models import Call, Job, Membership, Proposal, Recording, Role, Site, Team, User
from recipes_app.models.job import JobKind, JobStatus
from recipes_app.models.proposal import ProposalKind
from recipes_app.services import audit, calls, people, proposals, recipes, removal, sites
from recipes_app.services.errors import ServiceError

LOOK_S = 0.25
ROLES = {"admin": Role.OWNER, "operator": Role.OPERATOR, "reviewer": Role.REVIEWER}
SHOWN_CHARACTERS = 100
MARK = len("yes (dry run)") + 2


@dataclass(frozen=True, slots=True)
class Account:
    user: User
    role: Role
    password: str  # empty: the one it had


@dataclass(slots=True)
class Row:
    """What became of one proposal."""

    tool: str
    side_effect: str
    recorded: str = "-"
    verified: str = "-"
    published: str = "-"
    called: str = "-"

    @property
    def good(self) -> bool:
        return all(each.startswith("yes") for each in (self.recorded, self.verified, self.published, self.called))


@dataclass(slots=True)
class Demo:
    """One run; `failures` are lines for a person, and the exit status."""

    address: str
    practice: str
    once: bool = False
    new_passwords: bool = False
    asked: int = 0  # how often a call asked a model
    failures: list[str] = field(default_factory=list)

    def run(self) -> bool:
        post(f"{self.practice}/__reset")
        accounts = self.accounts()
        site = self.site(accounts["admin"].user, accounts)
        found = self.map(site, accounts["operator"].user)
        chosen, left = split(found)
        for proposal in left:
            say(f"left for later: {proposal.name} (signing in is recorded with a person's password).")
        rows = {each.pk: Row(each.name, each.side_effect) for each in chosen}
        self.record(chosen, accounts["admin"].user, rows)
        self.publish_and_call(chosen, accounts, rows)
        audit.record(site.team, accounts["admin"].user, FINISHED, f"site {site.slug}")
        print_table(list(rows.values()), asked=self.asked)
        print_accounts(list(accounts.values()), "./agentify up" if self.once else self.address)
        return bool(rows) and not self.failures and not self.asked

    def accounts(self) -> dict[str, Account]:
        if removal.remove_demo(accounts=False):
            say("removed what the last demo left; its accounts stay.")
        return {name: make_account(name, role, new_password=self.new_passwords) for name, role in ROLES.items()}

    def site(self, owner: User, accounts: dict[str, Account]) -> Site:
        with transaction.atomic():
            team = people.create_team(name="Demo", owner=owner)
            for account in accounts.values():
                join(team, account)
            return sites.create_site(
                team=team, by=owner, base_url=f"{self.practice}/", name="Practice shop", slug="practice", is_demo=True
            )

    def map(self, site: Site, by: User) -> list[Proposal]:
        say(f"mapping {site.base_url} by rules.")
        mapping = sites.request_map(site=site, by=by)
        self.watch([mapping.job])
        found = list(mapping.proposals.all())
        board = f"{self.address}{reverse('board', args=[mapping.pk])}"
        say(f"{mapping.pages.count()} pages, {len(found)} proposals. The board: {board}")
        if not found:
            self.fail("the mapping proposed no tool.")
        return found

    def record(self, chosen: Sequence[Proposal], by: User, rows: dict[int, Row]) -> None:
        say(f"approving {len(chosen)} proposals; each is recorded, then verified in a fresh browser context.")
        recordings = proposals.approve(proposals=chosen, by=by) if chosen else []
        self.watch([recording.job for recording in recordings])
        numbers = [recording.pk for recording in recordings]
        for recording in Recording.objects.filter(pk__in=numbers).select_related("job", "version", "proposal"):
            if recording.proposal_id in rows:
                self.note_recording(recording, rows[recording.proposal_id])

    def note_recording(self, recording: Recording, row: Row) -> None:
        verdict = (recording.version.verdict if recording.version else None) or {}
        dry = " (dry run)" if recording.proposal and recording.proposal.dry_run else ""
        row.recorded = f"yes{dry}" if recording.version else "no"
        row.verified = f"yes{dry}" if verdict.get("passed") else "no"
        if recording.version is None:
            self.fail(f"{row.tool} was not recorded: {recording.job.error_text}")
        elif not verdict.get("passed"):
            wrong = [f"{check['name']}: {check['detail']}" for check in verdict.get("checks", []) if not check["ok"]]
            self.fail(f"{row.tool} did not pass its verification: {'; '.join(wrong) or recording.job.error_text}")

    def publish_and_call(self, chosen: Sequence[Proposal], accounts: dict[str, Account], rows: dict[int, Row]) -> None:
        say("publishing what passed, and calling each tool once.")
        opened: list[tuple[Row, Call]] = []
        for proposal in chosen:
            row = rows[proposal.pk]
            if row.verified.startswith("yes"):
                try:
                    opened.append((row, self.publish_and_open(proposal, accounts, row)))
                except ServiceError as refusal:
                    self.fail(f"{row.tool}: {refusal}")
        self.watch([call.job for _, call in opened])
        for row, call in opened:
            self.note_call(row, call)

    def publish_and_open(self, proposal: Proposal, accounts: dict[str, Account], row: Row) -> Call:
        recording = proposal.recordings.exclude(version=None).select_related("version__recipe").latest("pk")
        version = recording.version
        if version is None:
            raise LookupError(f"the recording of {proposal.name} lost its version")
        recipes.publish(version=version, by=accounts["admin"].user)
        row.published = "yes"
        version.recipe.refresh_from_db()
        arguments = version.examples or proposal.examples
        return calls.request_call(recipe=version.recipe, arguments=arguments, by=accounts["operator"].user, via="demo")

    def note_call(self, row: Row, call: Call) -> None:
        call.refresh_from_db()
        result = call.result or {}
        row.called = "yes" if result.get("ok") else "no"
        self.asked += result.get("llm_calls", 0)
        if result.get("ok"):
            show(f"  {row.tool}({shortened(call.arguments)}) -> {shortened(result.get('data'))}")
        else:
            self.fail(f"the call of {row.tool} failed: {result.get('error') or call.job.error_text}")

    def watch(self, jobs: Iterable[Job]) -> None:
        """Wait for the jobs' ends and say each time one of them gets on."""
        said: dict[int, str] = {}
        waiting = {job.pk for job in jobs}
        pause = threading.Event()
        while waiting:
            close_old_connections()
            for job in Job.objects.filter(pk__in=waiting):
                words = in_words(job)
                if said.get(job.pk) != words and job.status != JobStatus.QUEUED:
                    say(words)
                said[job.pk] = words
                if not job.is_active:
                    waiting.discard(job.pk)
                    self.note_end(job)
            pause.wait(LOOK_S)

    def note_end(self, job: Job) -> None:
        if job.status not in (JobStatus.DONE, JobStatus.FAILED):
            self.fail(f"{job.title} ended {job.status}: {job.error_text}")

    def fail(self, line: str) -> None:
        self.failures.append(line)
        say(f"FAILED: {line}")


def split(found: Sequence[Proposal]) -> tuple[list[Proposal], list[Proposal]]:
    """Those to approve, and log-ins, which are recorded with a person's own password."""
    left = [proposal for proposal in found if proposal.kind == ProposalKind.LOGIN]
    return [proposal for proposal in found if proposal.kind != ProposalKind.LOGIN], left


def make_account(name: str, role: Role, *, new_password: bool = False) -> Account:
    """The account of the last demo with the password it has, else a new one with a random password; under another
    name where a person has this one."""
    email = f"{name}@{removal.DEMO_DOMAIN}"
    user = User.objects.filter(email=email).first() or User(username=free_username(name), email=email)
    keeps = bool(user.pk) and user.is_active and user.has_usable_password() and not new_password
    password = "" if keeps else secrets.token_urlsafe(9)
    user.is_active = True
    user.is_staff = user.is_superuser = role == Role.OWNER
    if password:
        user.set_password(password)
    user.save()
    return Account(user, role, password)


def free_username(name: str) -> str:
    taken = set(User.objects.filter(username__contains=name).values_list("username", flat=True))
    candidates = [name, f"demo-{name}", *(f"demo-{name}-{number}" for number in range(2, len(taken) + 3))]
    return next(candidate for candidate in candidates if candidate not in taken)


def join(team: Team, account: Account) -> None:
    Membership.objects.get_or_create(team=team, user=account.user, defaults={"role": account.role})


def in_words(job: Job) -> str:
    """`Map Practice shop: crawl 3 of 10`, or how it ended. The steps of a recording are left to its page."""
    if not job.is_active:
        seconds = (job.finished_at - job.started_at).total_seconds() if job.finished_at and job.started_at else 0
        return f"{job.title}: {job.status} after {seconds:.1f} s"
    if job.status == JobStatus.QUEUED:
        return f"{job.title}: waiting for a worker"
    if job.kind != JobKind.MAP:
        return f"{job.title}: {job.phase or 'running'}"
    count = f" {job.done_count} of {job.total_count}" if job.total_count else ""
    return f"{job.title}: {job.phase or 'running'}{count} {job.note}".rstrip()


def shortened(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[: SHOWN_CHARACTERS - 1]}…"


def print_table(rows: Sequence[Row], *, asked: int) -> None:
    width = max((len(row.tool) for row in rows), default=4) + 2
    show()
    show(f"{'tool':<{width}}{'effect':<13}{'recorded':<{MARK}}{'verified':<{MARK}}{'published':<11}called")
    for row in rows:
        marks = f"{row.recorded:<{MARK}}{row.verified:<{MARK}}{row.published:<11}{row.called}"
        show(f"{row.tool:<{width}}{row.side_effect:<13}{marks}")
    good = sum(row.good for row in rows)
    show(f"\n{good} of {len(rows)} tools are published and answered a call; a model was asked {asked} times.")


def print_accounts(accounts: Collection[Account], where: str) -> None:
    show(f"\nThree people who can sign in ({where}); new passwords are shown this once:")
    for account in accounts:
        password = account.password or "(as before)"
        show(f"  {account.user.username:<12} {password:<14} {account.role.label.lower()}")
    if not all(account.password for account in accounts):
        show("  Forgotten? ./agentify changepassword NAME sets another.")


def post(url: str) -> None:
    """Bring the practice site to its first state; waits for it to listen."""
    pause = threading.Event()
    limit = time.monotonic() + 30
    while True:
        try:
            urllib.request.urlopen(urllib.request.Request(url, method="POST"), timeout=5).close()  # noqa: S310
        except OSError:
            if time.monotonic() > limit:
                raise
            pause.wait(LOOK_S)
        else:
            return
