"""Addresses of signing in, accounts, teams and tokens."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from recipes_app.views import accounts, notices, team, webhooks

urlpatterns = [
    path("login/", accounts.SignIn.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("account/", accounts.account, name="account"),
    path("account/password/", accounts.PasswordChange.as_view(), name="password_change"),
    path("account/reset/", accounts.PasswordReset.as_view(), name="password_reset"),
    path("account/reset/sent/", accounts.PasswordResetSent.as_view(), name="password_reset_sent"),
    path(
        "account/reset/<str:uidb64>/<str:token>/",
        accounts.PasswordResetConfirm.as_view(),
        name="password_reset_confirm",
    ),
    path("invitations/<str:secret>/", accounts.invitation_accept, name="invitation_accept"),
    path("team/", team.team_current, name="team_current"),
    path("teams/new/", team.team_new, name="team_new"),
    path("teams/switch/", team.team_switch, name="team_switch"),
    path("teams/members/<int:pk>/role/", team.member_role, name="member_role"),
    path("teams/members/<int:pk>/remove/", team.member_remove, name="member_remove"),
    path("teams/members/<int:pk>/reset-link/", team.member_reset_link, name="member_reset_link"),
    path("teams/tokens/<int:pk>/revoke/", team.token_revoke, name="token_revoke"),
    path("teams/webhooks/<int:pk>/", webhooks.webhook_detail, name="webhook_detail"),
    path("teams/webhooks/<int:pk>/do/", webhooks.webhook_do, name="webhook_do"),
    path("teams/deliveries/<int:pk>/again/", webhooks.delivery_again, name="delivery_again"),
    path("notices/", notices.notice_list, name="notice_list"),
    path("notices/read/", notices.notice_read_all, name="notice_read_all"),
    path("notices/<int:pk>/open/", notices.notice_open, name="notice_open"),
    path("teams/<slug:slug>/", team.team_detail, name="team_detail"),
    path("teams/<slug:slug>/invitations/", team.invite, name="invite"),
    path("teams/<slug:slug>/invitations/<int:pk>/withdraw/", team.invitation_withdraw, name="invitation_withdraw"),
    path("teams/<slug:slug>/approvers/", team.two_approvers, name="two_approvers"),
    path("teams/<slug:slug>/webhooks/", webhooks.webhook_list, name="webhook_list"),
    path("teams/<slug:slug>/tokens/", team.token_list, name="token_list"),
    path("teams/<slug:slug>/tokens/new/", team.token_new, name="token_new"),
]
