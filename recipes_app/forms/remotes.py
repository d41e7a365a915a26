"""Forms of recording by hand."""

from django import forms


class RecordForm(forms.Form):
    start_url = forms.CharField(
        label="Start at",
        required=False,
        max_length=500,
        help_text="A page of this site. Empty: its first page.",
        widget=forms.TextInput(attrs={"inputmode": "url"}),
    )


class FinishForm(forms.Form):
    name = forms.CharField(
        label="Name of the tool",
        max_length=64,
        help_text="Small letters, digits and _, such as find_products.",
        widget=forms.TextInput(attrs={"spellcheck": "false", "autocomplete": "off"}),
    )
    description = forms.CharField(
        label="What it does",
        required=False,
        max_length=500,
        help_text="One sentence for whoever, or whatever, calls it.",
    )
