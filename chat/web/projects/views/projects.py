"""Serve a member's projects as pages with plain forms."""

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count, Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat.errors import BadRequest
from chat.generations.delivery import notifications
from chat.knowledge.access import collections_of
from chat.projects import access
from chat.projects.models import Project
from chat.web.chat.sidebar import project_context
from chat.web.http.typed_requests import MemberRequest
from chat.web.projects.forms import ProjectForm


@require_safe
@never_cache
@login_required
def show_all(request: MemberRequest) -> HttpResponse:
    """List the member's projects, with how many chats each has."""
    return render(request, "projects/list.html", {"projects": _listed(request)})


@require_safe
@never_cache
@login_required
def archive(request: MemberRequest) -> HttpResponse:
    """List archived projects, which can be opened, unarchived or deleted."""
    return render(request, "projects/archive.html", {"projects": _listed(request, archived=True)})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def new(request: MemberRequest) -> HttpResponse:
    return _form(request)


@require_safe
@never_cache
@login_required
def show(request: MemberRequest, project_id: uuid.UUID) -> HttpResponse:
    """Show a project: its instructions, its persona and a page of its chats."""
    project = access.project_of(request.user.pk, project_id)
    usable = collections_of(request.user.pk).filter(projects=project)
    context = project_context(request, project) | {"collections": usable}
    return render(request, "projects/show.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def change(request: MemberRequest, project_id: uuid.UUID) -> HttpResponse:
    """Edit a project. Changes apply to the next message in each of its chats."""
    return _form(request, access.project_of(request.user.pk, project_id))


@require_POST
@never_cache
@login_required
def move(request: MemberRequest, project_id: uuid.UUID) -> HttpResponse:
    """Archive or unarchive a project, as `state` says. Its chats stay as they are."""
    project = access.project_of(request.user.pk, project_id)
    if (state := request.POST.get("state")) not in {"archive", "list"}:
        raise BadRequest
    project.is_archived = state == "archive"
    project.save(update_fields=["is_archived"])
    if project.is_archived:
        messages.success(request, _("Project archived."))
        return redirect("projects")
    messages.success(request, _("Project unarchived."))
    if request.POST.get("from") == "archive":
        return redirect("project_archive")
    return redirect("project", project.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def deletion(request: MemberRequest, project_id: uuid.UUID) -> HttpResponse:
    """Delete a project after confirmation. Its chats stay."""
    project = access.project_of(request.user.pk, project_id)
    if request.method != "POST":
        return render(request, "projects/deletion.html", {"project": project})
    project.delete()
    notifications.notify_from_thread(request.user.pk, "list")
    messages.success(request, _("Project deleted. Its chats were kept."))
    return redirect("projects")


def _listed(request: MemberRequest, *, archived: bool = False) -> QuerySet[Project]:
    present = Count("conversations", filter=Q(conversations__purge_after=None))
    projects = access.projects_of(request.user.pk, archived=archived).defer("instructions")
    return projects.annotate(chats=present)


def _form(request: MemberRequest, changed: Project | None = None) -> HttpResponse:
    sent = request.POST if request.method == "POST" else None
    form = ProjectForm(sent, request.user.pk, changed)
    if form.is_bound and form.is_valid():
        project = form.save()
        messages.success(request, _("Saved."))
        return redirect("project", project.pk)
    context = {"form": form, "changed": changed}
    return render(request, "projects/form.html", context, status=422 if form.errors else 200)
