"""Route accounts, groups and invitations."""

from django.urls import path

from chat.web.review.members import group_views, invitation_views, views

urlpatterns = [
    path("people/", views.people, name="review_people"),
    path("people.csv", views.people_file, name="review_people_file"),
    path("people/<int:user_id>/account/", views.account, name="review_account"),
    path("people/<int:user_id>/approval/", views.approval, name="review_approval"),
    path("people/<int:user_id>/refusal/", views.refusal, name="review_refusal"),
    path("people/<int:user_id>/password-reset/", views.reset, name="review_password_reset"),
    path("people/<int:user_id>/email-address/", views.address, name="review_email_address"),
    path("people/<int:user_id>/deletion/", views.deletion, name="review_account_deletion"),
    path("people/<int:user_id>/second-factor/", views.second_factor, name="review_second_factor"),
    path("people/<int:user_id>/sessions/", views.sessions, name="review_sessions"),
    path(
        "people/<int:user_id>/api-keys/<int:api_key_id>/revocation/",
        views.api_key_revocation,
        name="review_revoke_api_key",
    ),
    path("invitations/", invitation_views.invitations, name="review_invitations"),
    path(
        "invitations/<int:invitation_id>/withdrawal/",
        invitation_views.withdrawal,
        name="review_invitation_withdrawal",
    ),
    path("groups/", group_views.all_groups, name="review_groups"),
    path("groups/<int:group_id>/", group_views.group, name="review_group"),
    path("groups/<int:group_id>/deletion/", group_views.deletion, name="review_group_deletion"),
    path("groups/<int:group_id>/members/", group_views.members, name="review_group_members"),
    path("groups/<int:group_id>/scopes/", group_views.scopes, name="review_group_scopes"),
    path("groups/<int:group_id>/access/", group_views.access, name="review_group_access"),
]
