"""Tools proposed by a mapping, what a person decided about them, and their recordings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils import timezone

from recipes_app.models.job import Job, JobPicture
from recipes_app.models.mapping import Mapping
from recipes_app.models.recipe import RecipeVersion, SideEffect
from recipes_app.models.sealed import SealedJSONField
from recipes_app.models.site import Site

if TYPE_CHECKING:
    from recipes_app.models.user import User


class ProposalStatus(models.TextChoices):
    PROPOSED = "proposed", "Proposed"
    APPROVED = "approved", "Approved"
    REJECTED = "rejected", "Rejected"
    RECORDING = "recording", "Recording"
    RECORDED = "recorded", "Recorded"
    FAILED = "failed", "Failed"


class ProposalKind(models.TextChoices):
    ACTION = "action", "Action"
    SEARCH = "search", "Search"
    LIST = "list", "List"
    DETAIL = "detail", "Detail"
    LOGIN = "login", "Login"


class ProposalOrigin(models.TextChoices):
    """Who drew it up, and so who records it: the rules' plan, a model's pilot, or a person's own steps."""

    RULES = "rules", "Rules"
    MODEL = "model", "Model"
    HAND = "hand", "By hand"


class ProposalChange(models.TextChoices):
    NEW = "new", "New"
    SAME = "same", "As published"
    CHANGED = "changed", "Changed"


class ProposalQuerySet(models.QuerySet["Proposal"]):
    def visible_to(self, user: User) -> ProposalQuerySet:
        return self.filter(site__team__memberships__user=user)

    def undecided(self) -> ProposalQuerySet:
        return self.filter(status=ProposalStatus.PROPOSED)

    def waiting(self) -> ProposalQuerySet:
        """The undecided ones of each site's newest mapping that proposed something; older ones are superseded.

        What is published just so already asks nothing of anybody.
        """
        newest = Proposal.objects.filter(site=models.OuterRef("site")).order_by("-mapping").values("mapping")[:1]
        return self.undecided().filter(mapping=models.Subquery(newest)).exclude(change=ProposalChange.SAME)

    def safe(self) -> ProposalQuerySet:
        """Those that only read by their label and by their plan."""
        sends = [SideEffect.WRITE, SideEffect.DESTRUCTIVE]
        return self.filter(side_effect=SideEffect.READ).exclude(proposed_effect__in=sends)


class Proposal(models.Model):
    site = models.ForeignKey(Site, models.CASCADE, related_name="proposals")
    mapping = models.ForeignKey(Mapping, models.CASCADE, related_name="proposals")
    name = models.SlugField(max_length=80)
    description = models.TextField()
    kind = models.CharField(max_length=10, choices=ProposalKind)
    side_effect = models.CharField(max_length=12, choices=SideEffect)
    # What the mapping found its plan to do; a person's label does not change that.
    proposed_effect = models.CharField(max_length=12, choices=SideEffect, blank=True)
    parameters = models.JSONField(default=dict)  # JSON Schema, object
    examples = SealedJSONField(default=dict)  # values it will be recorded with
    others = SealedJSONField(default=dict, blank=True)  # a second set of values, for verification
    returns = models.JSONField(null=True, blank=True)
    start_url = models.URLField(max_length=2000)
    steps = models.JSONField(default=list)  # the plan, as steps of a recipe
    submit_index = models.IntegerField(null=True, blank=True)  # index of the submitting step in the plan
    submits = models.PositiveIntegerField(default=0)  # how often recording and verifying really submit
    dry_run = models.BooleanField(default=False)  # stop before the submitting step
    reason = models.TextField(blank=True)
    page = models.ForeignKey("SurveyPage", models.SET_NULL, null=True, blank=True, related_name="proposals")
    picture = models.ForeignKey(JobPicture, models.SET_NULL, null=True, blank=True, related_name="+")
    box = models.JSONField(null=True, blank=True)  # [x, y, width, height], CSS pixels of the page's picture
    status = models.CharField(max_length=10, choices=ProposalStatus, default=ProposalStatus.PROPOSED)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    origin = models.CharField(max_length=10, choices=ProposalOrigin, default=ProposalOrigin.RULES)
    # How this mapping's proposal stands to the tool of that name that is published already.
    change = models.CharField(max_length=10, choices=ProposalChange, default=ProposalChange.NEW)
    change_note = models.CharField(max_length=500, blank=True)
    hint = models.CharField(max_length=500, blank=True)  # a person's or a failed recording's word for the next one
    seconded_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    seconded_at = models.DateTimeField(null=True, blank=True)
    first_approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )  # waits for a second approver
    merged_into = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="merged")

    objects = ProposalQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["mapping", "name"], name="one_proposal_per_name")]

    def __str__(self) -> str:
        return self.name

    @property
    def plan_effect(self) -> str:
        """What its plan does, whatever it is labelled."""
        return self.proposed_effect or self.side_effect

    @property
    def is_set_aside(self) -> bool:
        """A model left it out, and no person has decided about it."""
        return self.status == ProposalStatus.REJECTED and self.decided_by_id is None

    @property
    def has_plan(self) -> bool:
        """Whether its steps do anything but open its first page; else a model's pilot finds the way."""
        return any(step.get("op") != "goto" for step in self.steps)

    @property
    def is_safe(self) -> bool:
        return self.side_effect == self.plan_effect == SideEffect.READ

    @property
    def is_destructive(self) -> bool:
        return SideEffect.DESTRUCTIVE in (self.side_effect, self.plan_effect)

    @property
    def destroys(self) -> bool:
        """Recording it really removes or overwrites something, so it needs a tick of its own."""
        return self.is_destructive and not self.dry_run

    @property
    def needs_second(self) -> bool:
        """Whether its team wants the approval of two people for this, and has not had it yet."""
        return self.is_destructive and self.seconded_by_id is None and self.site.team.two_approvers


class Recording(models.Model):
    """One run of a proposal's plan (and the verification after it), or a verification of an edited version."""

    job = models.OneToOneField(Job, models.CASCADE, related_name="recording")
    proposal = models.ForeignKey(Proposal, models.CASCADE, null=True, blank=True, related_name="recordings")
    version = models.ForeignKey(RecipeVersion, models.SET_NULL, null=True, blank=True, related_name="recordings")

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"recording of {self.proposal or self.version}"
