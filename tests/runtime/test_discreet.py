"""Links that make a member or set a password do not lie about in logs."""

import logging
import logging.config
import urllib.request
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

from agentify_site.discreet import shortened, without_query
from agentify_site.runtime.launcher import Plan, Started, services
from agentify_site.runtime.ports import first_free
from tests.runtime.processes import ROOT, started, wait_for

SECRET = "canary0123456789"
EMPTY = "wsgiref.simple_server:demo_app"


@pytest.mark.parametrize(
    "path",
    [
        reverse("invitation_accept", args=[SECRET]),
        reverse("password_reset_confirm", args=["MQ", SECRET]),
        f"http://127.0.0.1/invitations/{SECRET}?next=/",
        f"Not Found: /invitations/{SECRET}/extra",
    ],
)
def test_secret_parts_of_addresses_are_shortened(path: str) -> None:
    assert SECRET not in shortened(path)
    assert "…/" in shortened(path)


def test_other_addresses_stay_as_they_are() -> None:
    for path in (reverse("password_reset"), reverse("password_reset_sent"), "/calls/0123456789/", "/invitations/"):
        assert shortened(path) == path
    assert without_query("GET /calls/?q=private&x=1 HTTP/1.1") == "GET /calls/?… HTTP/1.1"


def test_the_application_s_own_log_is_as_discreet(capsys: pytest.CaptureFixture[str]) -> None:
    formatter = settings.LOGGING["formatters"]["line"]
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {"line": formatter},
            "handlers": {"here": {"class": "logging.StreamHandler", "formatter": "line", "stream": "ext://sys.stdout"}},
            "loggers": {"of_this_test": {"handlers": ["here"], "propagate": False}},
        }
    )
    trouble = ValueError(f"/invitations/{SECRET}/")
    logging.getLogger("of_this_test").error("Not Found: %s", f"/invitations/{SECRET}/", exc_info=trouble)
    written = capsys.readouterr().out
    assert "Not Found: /invitations/cana…/" in written
    assert "ValueError: /invitations/cana…/" in written
    assert SECRET not in written


def test_the_web_server_is_started_with_it_and_writes_no_secret(tmp_path: Path) -> None:
    port = first_free(18600)
    plan = Plan(ROOT, tmp_path, port=port)
    web_service = services(plan, Started(f"http://127.0.0.1:{port}", None))[0]
    command = [part.replace("agentify_site.wsgi:application", EMPTY) for part in web_service.command]
    where = f"http://127.0.0.1:{port}"
    with started(command, tmp_path) as web:
        assert wait_for(lambda: answers(f"{where}/ready"))
        request = urllib.request.Request(
            f"{where}/invitations/{SECRET}/?word={SECRET}", headers={"Referer": f"{where}/account/reset/MQ/{SECRET}/"}
        )
        urllib.request.urlopen(request).close()
        web.terminate()
        out, err = web.communicate(timeout=20)
    assert "GET /invitations/cana…/?… HTTP/1.1" in out + err
    assert SECRET not in out + err


def answers(url: str) -> bool:
    try:
        urllib.request.urlopen(url).close()
    except OSError:
        return False
    return True
