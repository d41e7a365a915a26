"""People, a Redis and workers' places, as other rooms of tests have them."""

from tests.evidence_jobs.conftest import evidence_root, scripted
from tests.jobs.conftest import media, place, redis, redis_server
from tests.web.conftest import signed_in

__all__ = ["evidence_root", "media", "place", "redis", "redis_server", "scripted", "signed_in"]
