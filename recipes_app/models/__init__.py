"""The rows of sites, mappings, proposals, recipes and calls, and of the people and teams who own them."""

from recipes_app.models.audit import AuditEntry
from recipes_app.models.call import Call
from recipes_app.models.healing import Healing
from recipes_app.models.health import HealthCheck
from recipes_app.models.job import Job, JobFile, JobPicture, JobStep
from recipes_app.models.login import Login
from recipes_app.models.mapping import Mapping, SurveyPage
from recipes_app.models.model_use import ModelUse
from recipes_app.models.notice import Notice
from recipes_app.models.once import AskedOnce
from recipes_app.models.proposal import Proposal, Recording
from recipes_app.models.recipe import Recipe, RecipeVersion
from recipes_app.models.remote import RemoteBrowser
from recipes_app.models.session import Session
from recipes_app.models.site import Site
from recipes_app.models.team import Invitation, Membership, Role, Team
from recipes_app.models.token import ApiToken
from recipes_app.models.user import SignInFailure, User
from recipes_app.models.webhook import Webhook, WebhookDelivery

__all__ = [
    "ApiToken",
    "AskedOnce",
    "AuditEntry",
    "Call",
    "Healing",
    "HealthCheck",
    "Invitation",
    "Job",
    "JobFile",
    "JobPicture",
    "JobStep",
    "Login",
    "Mapping",
    "Membership",
    "ModelUse",
    "Notice",
    "Proposal",
    "Recipe",
    "RecipeVersion",
    "Recording",
    "RemoteBrowser",
    "Role",
    "Session",
    "SignInFailure",
    "Site",
    "SurveyPage",
    "Team",
    "User",
    "Webhook",
    "WebhookDelivery",
]
