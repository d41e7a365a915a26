"""The rows of sites, mappings, proposals, recipes and calls, and of the people and teams who own them."""

from recipes_app.models.audit import AuditEntry
from recipes_app.models.call import Call
from recipes_app.models.healing import Healing
from recipes_app.models.job import Job, JobPicture, JobStep
from recipes_app.models.mapping import Mapping, SurveyPage
from recipes_app.models.proposal import Proposal, Recording
from recipes_app.models.recipe import Recipe, RecipeVersion
from recipes_app.models.site import Site
from recipes_app.models.team import Invitation, Membership, Role, Team
from recipes_app.models.token import ApiToken
from recipes_app.models.user import SignInFailure, User

__all__ = [
    "ApiToken",
    "AuditEntry",
    "Call",
    "Healing",
    "Invitation",
    "Job",
    "JobPicture",
    "JobStep",
    "Mapping",
    "Membership",
    "Proposal",
    "Recipe",
    "RecipeVersion",
    "Recording",
    "Role",
    "SignInFailure",
    "Site",
    "SurveyPage",
    "Team",
    "User",
]
