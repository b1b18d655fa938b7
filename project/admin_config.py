"""The admin as an app: Django's, on a site of ours (admin_site.py, which needs models)."""

from django.contrib.admin.apps import AdminConfig


class StaffAdminConfig(AdminConfig):
    default_site = "project.admin_site.StaffAdminSite"
