"""Forms of sites and of the request to map one."""

from dataclasses import dataclass
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.conf import settings

from recipes_app.models import Site
from recipes_app.models.mapping import Method
from recipes_app.services.private_hosts import who_may


@dataclass(frozen=True)
class MethodOffer:
    """One way of proposing tools, and whether it can be chosen here and now."""

    value: str
    label: str
    about: str
    ready: bool


def method_offers() -> list[MethodOffer]:
    models = (
        (Method.OPENAI, settings.OPENAI_API_KEY, "OPENAI_API_KEY"),
        (Method.ANTHROPIC, settings.ANTHROPIC_API_KEY, "ANTHROPIC_API_KEY"),
    )
    rules = "Free, and nothing leaves this machine. Reads forms, search boxes, lists and tables as they are."
    return [
        MethodOffer(Method.RULES, "Rules", rules, ready=True),
        *(MethodOffer(value, value.label, _why_not(key, name), ready=False) for value, key, name in models),
    ]


def _why_not(key: str, name: str) -> str:
    if key:
        return "A key is set. Mapping with a model comes in a later version."
    return f"No key is set ({name}), and mapping with a model comes in a later version."


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
        choices=[(Method.RULES.value, "Rules")],
        initial=Method.RULES.value,
        error_messages={"invalid_choice": "This method is not available here yet; choose Rules."},
    )

    @property
    def offers(self) -> list[MethodOffer]:
        return method_offers()


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
