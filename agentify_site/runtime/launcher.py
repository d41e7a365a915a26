"""Start everything one installation runs, say where it is, and end it all.

1. hold the folder, so that there is one of us      2. Redis, the named or a private one
3. web, workers, upkeep, practice site              4. wait for the web to answer
5. look after them until Ctrl-C, or until the `errand` has ended
"""

import os
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from agentify_site.runtime.children import Children
from agentify_site.runtime.dotenv import setting
from agentify_site.runtime.errors import StartProblem
from agentify_site.runtime.paths import make_folder
from agentify_site.runtime.ports import first_free, is_free
from agentify_site.runtime.private_redis import server_command, start_redis
from agentify_site.runtime.running import the_only_one
from agentify_site.runtime.supervisor import Service, StopFlag, Supervisor, listening_for_stop
from agentify_site.runtime.terminal import say

ANY_HOST = "0.0.0.0"  # noqa: S104 — only ever compared with
WEB_PORT = 8000
WEB_LIMIT_S = 60.0
WEB_THREADS = 8
QUEUES = ("calls", "agents", "packs")


@dataclass(frozen=True, slots=True)
class Plan:
    """What to start. `errand`: a command to run once all is up; its exit status is the result."""

    root: Path
    var: Path
    host: str = "127.0.0.1"
    port: int | None = None
    errand: tuple[str, ...] = ()
    ends_with_errand: bool = False


def launch(plan: Plan, *, prepare: Callable[[], int | None], announce: Callable[[str], None]) -> int:
    """Run the plan to its end; returns the errand's exit status, or 0 after a stop.

    `prepare` runs once the folder is ours, before anything is started; it returns the port of the practice site, or
    None for none.
    """
    port = choose_port(plan)
    address = f"http://{'127.0.0.1' if plan.host == ANY_HOST else plan.host}:{port}"
    with the_only_one(plan.var, address=address) as note_practice, listening_for_stop() as stop:
        started = Started(address, prepare())
        note_practice(started.practice_port)
        children = Children()
        try:
            return _run(plan, started, children, stop, announce)
        finally:
            children.end_all()
            if stop.event.is_set():
                say("stopped.")


@dataclass(frozen=True, slots=True)
class Started:
    """Where this one listens."""

    address: str
    practice_port: int | None

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])


def choose_port(plan: Plan) -> int:
    if plan.port is None:
        return first_free(WEB_PORT, host=plan.host)
    if not is_free(plan.port, plan.host):
        raise StartProblem(f"port {plan.port} is taken: name a free one with --port, or leave --port out.")
    return plan.port


def _run(plan: Plan, started: Started, children: Children, stop: StopFlag, announce: Callable[[str], None]) -> int:
    redis = start_redis(plan.var, children, named=setting(plan.root, "REDIS_URL"))
    env = environment(plan, started, redis_url=redis.url)
    logs = make_folder(plan.var / "log")
    supervisor = Supervisor(children, env=env, root=plan.root, logs=logs, stop=stop)
    if redis.child is not None:
        supervisor.adopt(Service("redis", tuple(server_command(plan.var)), last=True), redis.child)
    try:
        supervisor.start(services(plan, started))
        supervisor.wait_until(lambda: web_answers(started.address), limit_s=WEB_LIMIT_S, what="the web application")
        if not stop.event.is_set():
            announce(started.address)
        return _keep(plan, started, supervisor, stop)
    finally:
        supervisor.end()


def _keep(plan: Plan, started: Started, supervisor: Supervisor, stop: StopFlag) -> int:
    if not plan.errand or stop.event.is_set():
        supervisor.keep()
        return 0
    supervisor.start([Service("errand", plan.errand, once=True)])
    status = supervisor.keep(until_done="errand")
    if status is not None and not plan.ends_with_errand:
        say(f"staying up at {started.address} until Ctrl-C.")
        supervisor.keep()
    return 130 if status is None else abs(status)


def services(plan: Plan, started: Started) -> list[Service]:
    manage = (sys.executable, str(plan.root / "manage.py"))
    web = (
        *(sys.executable, "-m", "gunicorn", "agentify_site.wsgi:application"),
        *("--bind", f"{plan.host}:{started.port}", "--worker-class", "gthread", "--threads", str(WEB_THREADS)),
        *("--workers", "1", "--graceful-timeout", "3", "--access-logfile", "-", "--no-control-socket"),
        *("--logger-class", "agentify_site.access_log.AccessLog"),
    )
    wanted = [Service("web", web)]
    wanted += [Service(queue, (*manage, "worker", queue)) for queue in QUEUES]
    wanted.append(Service("upkeep", (*manage, "upkeep")))
    if started.practice_port is not None:
        practice = (sys.executable, "-m", "examples.practice", "--port", str(started.practice_port))
        wanted.append(Service("practice", practice))
    return wanted


def environment(plan: Plan, started: Started, *, redis_url: str) -> dict[str, str]:
    """The settings all our processes share; what the person set stays as it is."""
    env = {**os.environ, "AGENTIFY_VAR": str(plan.var), "REDIS_URL": redis_url, "PYTHONUNBUFFERED": "1"}
    if not setting(plan.root, "PUBLIC_URL"):
        env["PUBLIC_URL"] = started.address
    if started.practice_port is not None:
        env |= {"PRACTICE_PORT": str(started.practice_port), "PRACTICE_RUNS": "1"}
    return env


def web_answers(address: str) -> bool:
    """True once anything but a server error comes back."""
    try:
        with urllib.request.urlopen(address, timeout=5) as response:  # noqa: S310 — our own address
            return bool(response.status < 500)
    except urllib.error.HTTPError as error:
        return error.code < 500
    except OSError:
        return False
