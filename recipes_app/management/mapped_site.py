"""The site that `map` works on: the one of that name or address, or a new one."""

from dataclasses import dataclass

from recipes_app.management.acting import check_slug
from recipes_app.management.plain import Refused
from recipes_app.management.reach import private_entry, web_address
from recipes_app.models import Site, Team, User
from recipes_app.services import sites


@dataclass(frozen=True, slots=True)
class Wanted:
    user: User
    team: Team
    given_url: str
    name: str

    @property
    def url(self) -> str:
        return web_address(self.given_url)

    def existing(self) -> Site | None:
        if not self.name:
            return Site.objects.of(self.team).filter(base_url=self.url).order_by("pk").first()
        check_slug(self.name, "site")
        site = Site.objects.of(self.team).filter(slug=self.name.lower()).first()
        if site is not None and site.base_url != self.url:
            raise Refused(f"{site.slug} is the site of {site.base_url}; give another --name.")
        return site

    def needs_private(self) -> str | None:
        return private_entry(self.url, self.existing())

    def site(self) -> Site:
        """Call after a person has allowed what needs_private named."""
        site, entry = self.existing(), self.needs_private()
        if site is None:
            named = {"name": self.name, "slug": self.name}
            site = sites.create_site(team=self.team, by=self.user, base_url=self.url, **named)
        return sites.open_at_terminal(site=site, by=self.user, entries=[entry]) if entry else site
