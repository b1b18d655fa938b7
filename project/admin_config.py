"""Use our admin site with Django's admin app; admin_site.py is apart because it needs models."""

from django.contrib.admin.apps import AdminConfig


class StaffAdminConfig(AdminConfig):
    default_site = "project.admin_site.StaffAdminSite"
