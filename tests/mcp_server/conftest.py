"""A shop with published tools, in a database file that processes share."""

from tests.jobs.conftest import migrated_file, processes, redis, redis_server

__all__ = ["migrated_file", "processes", "redis", "redis_server"]
