"""Forms of sites and of the request to map one."""

from dataclasses import dataclass
from typing import Any
from zoneinfo import available_timezones

from django import forms

from recipes_app.models import Site
from recipes_app.models.mapping import Method
from recipes_app.services import estimates, model_settings
from recipes_app.services.private_hosts import who_may
from recipes_app.services.sites import MAX_CANARY_HOURS, MAX_PAGES, Asking


@dataclass(frozen=True)
class MethodOffer:
    """One way of proposing tools, whether it can be chosen here and now, and what it would cost."""

    value: str
    label: str
    about: str
    ready: bool
    cost: str = ""


RULES_ABOUT = "Free, and nothing leaves this machine. Reads forms, search boxes, lists and tables as they are."
KEYS = {Method.OPENAI: "OPENAI_API_KEY", Method.ANTHROPIC: "ANTHROPIC_API_KEY"}


def method_offers(site: Site | None = None, max_pages: int = 10) -> list[MethodOffer]:
    models = [_model_offer(method, site, max_pages) for method in KEYS]
    return [MethodOffer(Method.RULES, "Rules", RULES_ABOUT, ready=True), *models]


def _model_offer(method: Method, site: Site | None, max_pages: int) -> MethodOffer:
    """Rules propose first; the model is shown what they found, so a shortened text of the pages leaves this machine."""
    if not model_settings.is_set_up(method):
        return MethodOffer(method, f"Rules and {method.label}", f"No key is set ({KEYS[method]}).", ready=False)
    cost = estimates.of_mapping(method, max_pages=max_pages, site=site)
    about = f"A key is set. {cost.model} reviews what the rules propose, and adds what they missed."
    return MethodOffer(method, f"Rules and {method.label}", about, ready=True, cost=cost.in_words)


class LinesField(forms.CharField):
    """One entry a line, as a list."""

    widget = forms.Textarea

    def __init__(self, **options: Any) -> None:
        options.setdefault("widget", forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}))
        super().__init__(required=False, **options)

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[str]:
        return [line.strip() for line in (value or "").splitlines() if line.strip()]


class MethodForm(forms.Form):
    """`offers` are shown by the template; only those that are ready are accepted."""

    method = forms.ChoiceField(
        choices=Method.choices,
        initial=Method.RULES.value,
        error_messages={"invalid_choice": "This method is not available here; choose Rules."},
    )

    def __init__(self, data: Any = None, *, site: Site | None = None, initial: dict[str, Any] | None = None) -> None:
        super().__init__(data, initial=initial)
        self.site = site

    @property
    def offers(self) -> list[MethodOffer]:
        return method_offers(self.site, self._pages())

    @property
    def models_ready(self) -> bool:
        return any(offer.ready for offer in self.offers if offer.value != Method.RULES)

    @property
    def asking(self) -> Asking:
        return Asking(self.cleaned_data["method"], budget_tokens=self.cleaned_data.get("budget_tokens"))

    def clean_method(self) -> str:
        method = str(self.cleaned_data["method"])
        if method != Method.RULES and not model_settings.is_set_up(method):
            raise forms.ValidationError(f"No key is set ({KEYS[Method(method)]}); choose Rules.")
        return method

    def _pages(self) -> int:
        """As many as the form says just now."""
        given = str(self.data.get("max_pages") or self.initial.get("max_pages") or "")
        return min(int(given), MAX_PAGES) if given.isdecimal() and len(given) < 6 and int(given) else 10


class NewSiteForm(MethodForm):
    base_url = forms.CharField(
        label="Address of the website",
        max_length=500,
        widget=forms.TextInput(
            attrs={"inputmode": "url", "placeholder": "https://www.example.org/", "autocomplete": "url"}
        ),
    )


class MapForm(MethodForm):
    start_url = forms.CharField(
        label="Start at",
        required=False,
        max_length=500,
        help_text="A page of this site. Empty: its first page.",
        widget=forms.TextInput(attrs={"inputmode": "url"}),
    )
    max_pages = forms.IntegerField(
        label="Pages at most", initial=10, min_value=1, max_value=100, help_text="About one to two seconds each."
    )
    max_depth = forms.IntegerField(
        label="Depth", initial=2, min_value=0, max_value=6, help_text="How many links away from the start."
    )
    budget_tokens = forms.IntegerField(
        label="Tokens at most",
        required=False,
        min_value=1000,
        max_value=10_000_000,
        help_text="Of a model. Empty: the limit of this installation.",
    )

    @property
    def where(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("start_url", "max_pages", "max_depth")}


class RemoveSiteForm(forms.Form):
    typed = forms.CharField(label="Type the site's short name to remove it", max_length=60)

    def __init__(self, slug: str, data: Any = None) -> None:
        self.slug = slug
        super().__init__(data)
        self.fields["typed"].widget.attrs |= {"autocomplete": "off", "spellcheck": "false"}

    def clean_typed(self) -> str:
        typed = str(self.cleaned_data["typed"]).strip()
        if typed != self.slug:
            raise forms.ValidationError(f"That is not {self.slug}.")
        return typed


class SiteSettingsForm(forms.Form):
    name = forms.CharField(max_length=120)
    time_zone = forms.ChoiceField(help_text="The clock the website's pages see.")
    locale = forms.CharField(max_length=20, help_text="Language and region the browser asks for, such as en-US.")
    viewport_width = forms.IntegerField(label="Window width", min_value=320, max_value=4000)
    viewport_height = forms.IntegerField(label="Window height", min_value=320, max_value=4000)
    allowed_hosts = LinesField(
        label="Other hosts its pages may load from",
        help_text="One a line: cdn.example.org, *.example.org, or * for any public host. Its own host always counts.",
    )
    private_hosts = LinesField(
        label="Private addresses runs may reach",
        help_text="One host:port a line, such as intranet.local:8080.",
    )

    canary_hours = forms.IntegerField(
        label="Try each tool that reads every … hours",
        min_value=0,
        max_value=MAX_CANARY_HOURS,
        help_text="With the values it was verified with, when nobody's call waits. 0: never. "
        "You are told when one begins to drift, fails, or works again.",
    )

    def __init__(self, site: Site, data: Any = None, *, is_owner: bool) -> None:
        start = {name: getattr(site, name) for name in self.base_fields}
        super().__init__(data, initial=start)
        zones = sorted(available_timezones())
        self.fields["time_zone"] = forms.ChoiceField(
            choices=[(name, name) for name in zones], help_text=self.base_fields["time_zone"].help_text
        )
        if is_owner:
            self.fields["private_hosts"].help_text += f" Only {who_may()} adds one."
        else:
            del self.fields["private_hosts"]
