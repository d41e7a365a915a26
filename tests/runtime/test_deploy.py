"""Settings of an installation that others reach over https."""

import os
import subprocess
import sys

import pytest

from tests.runtime.processes import ROOT

SECURE = {
    "PUBLIC_URL": "https://agentify.example",
    "ALLOWED_HOSTS": "agentify.example",
    "SECRET_KEY": "b7" * 20 + "Kq-x" * 5,
}


def checked(**more: str) -> subprocess.CompletedProcess[str]:
    env = {"PATH": os.environ["PATH"], **SECURE, "DEBUG": "false", **more}
    command = [sys.executable, "manage.py", "check", "--deploy", "--tag", "security", "--fail-level", "WARNING"]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_nothing_is_wrong_behind_a_proxy_that_speaks_tls() -> None:
    done = checked(BEHIND_TLS_PROXY="true")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


@pytest.mark.slow
def test_without_https_it_is_said() -> None:
    done = checked(PUBLIC_URL="http://agentify.example")
    assert done.returncode == 1
    assert "SESSION_COOKIE_SECURE" in done.stderr
    assert "SECURE_HSTS_SECONDS" in done.stderr
