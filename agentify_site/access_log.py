"""What gunicorn writes of each request; it names this class (`--logger-class`)."""

from gunicorn.config import Config
from gunicorn.glogging import Logger

from agentify_site.discreet import DiscreetFormatter, without_query


class AccessLog(Logger):  # type: ignore[misc] # gunicorn is not typed
    """gunicorn's own, but for secrets in addresses: in paths, in queries, and in the referer, which is one as well."""

    def setup(self, cfg: Config) -> None:
        super().setup(cfg)
        for handler in self.error_log.handlers:
            handler.setFormatter(DiscreetFormatter(self.error_fmt, self.datefmt))

    def atoms(self, *request: object) -> dict[str, object]:
        parts = super().atoms(*request)
        discreet = {name: without_query(part) if isinstance(part, str) else part for name, part in parts.items()}
        return {**discreet, "q": "…" if parts.get("q") else ""}
