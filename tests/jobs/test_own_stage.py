"""A remote browser in which somebody signs in is theirs: the rest of the team sees how far it is."""

import pytest
from django.test import Client
from django.urls import reverse

from recipes_app.models import Job, RemoteBrowser, Role, User
from recipes_app.models.job import JobStatus
from recipes_app.models.remote import RemotePurpose
from recipes_app.queues import remote as wire
from recipes_app.services import remotes
from recipes_app.services.errors import NotAllowed
from tests.jobs.redis_server import RedisServer
from tests.people import make_site, make_team, make_user

pytestmark = pytest.mark.django_db

PICTURE = b"a picture of a code"


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def seen(user: User, remote: RemoteBrowser) -> tuple[int, int, int, bool]:
    """Status of picture, of input and of taking the wheel; whether the page holds the remote one."""
    client, args = client_of(user), [remote.pk]
    picture = client.get(reverse("remote_picture", args=args))
    sent = client.post(reverse("remote_input", args=args), '{"events": [{"kind": "back"}]}', "application/json")
    wheel = client.post(reverse("remote_drive", args=args))
    page = client.get(reverse("remote_detail", args=args)).content.decode()
    return picture.status_code, sent.status_code, wheel.status_code, 'id="stage"' in page


@pytest.mark.parametrize("purpose", RemotePurpose.values)
def test_a_sign_in_is_watched_and_driven_by_nobody_else(redis: RedisServer, purpose: str) -> None:
    team = make_team()
    olga, otto = (make_user(name, team, Role.OPERATOR) for name in ("olga", "otto"))
    remote = remotes.start(site=make_site(team, olga), by=olga, purpose=purpose)
    Job.objects.filter(pk=remote.job_id).update(status=JobStatus.RUNNING)
    wire.put_picture(remote.job.public_id, 1, {}, PICTURE)
    signs_in = purpose == RemotePurpose.SIGN_IN
    picture, sent, wheel, has_stage = seen(otto, remote)
    assert ((picture, sent, wheel) == (403, 403, 403)) is signs_in
    assert has_stage is not signs_in
    assert client_of(olga).get(reverse("remote_picture", args=[remote.pk])).content == PICTURE
    if signs_in:
        remote.refresh_from_db()
        with pytest.raises(NotAllowed, match="Somebody else signs in here"):
            remotes.signed_in(remote=remote, by=otto)
        live = client_of(otto).get(reverse("remote_live", args=[remote.pk])).content.decode()
        assert "keep it" not in live
        assert "Sign in to" in client_of(otto).get(reverse("remote_detail", args=[remote.pk])).content.decode()
