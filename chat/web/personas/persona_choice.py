"""Choose the persona for a new chat, and list the available ones."""

from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest

from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.conversations.generation_settings import settings_of
from chat.conversations.models import Conversation
from chat.database.prepared import PreparedQuery
from chat.personas import access
from chat.personas.models import Persona
from chat.projects.access import project_of
from chat.projects.models import Project
from chat.upstream import available_models
from chat.web.personas.starters import Starter, starters_for

MAX_OFFERED = 100  # in the command palette
MAX_VISIBLE = 8  # on the empty page


def new_chat_context(request: HttpRequest, user: User) -> dict[str, Any]:
    """Return the context of an empty chat.

    Its project is that of `?project=`. Its persona is that of `?persona=`, else the project's, else
    the user's default.
    """
    project = _project(request, user)
    persona = _persona(request, user, project)
    personas = offered_personas(user.pk)
    context: dict[str, Any] = {
        "project": project,
        "personas": personas,
        "personas_in_sight": (in_sight := personas[:MAX_VISIBLE]),
        "is_persona_in_sight": persona and str(persona.pk) in {each["id"] for each in in_sight},
        "persona": persona,
        "persona_name": persona.name if persona else "",
        "starters": [Starter("", x) for x in persona.starters] if persona else starters_for(user),
    }
    if persona and (model := available_models.id_of(persona.model)):
        context["chosen_model"] = model
    return context


def chat_context(conversation: Conversation) -> dict[str, Any]:
    return {
        "personas": offered_personas(conversation.owner_id),
        "persona_name": settings_of(conversation).name,
        "project": conversation.project,
    }


def offered_personas(user_id: int) -> list[dict[str, str]]:
    return [{"id": str(persona_id), "name": name} for persona_id, name in _offered.all(user_id)]


_offered = PreparedQuery(
    lambda user_id: access.usable(Persona, user_id).values_list("id", "name")[:MAX_OFFERED]
)


def _project(request: HttpRequest, user: User) -> Project | None:
    project_id = request.GET.get("project")
    return project_of(user.pk, project_id) if project_id else None


def _persona(request: HttpRequest, user: User, project: Project | None) -> Persona | None:
    persona_id = request.GET.get("persona")
    if persona_id is not None:
        return access.persona_of(user.pk, persona_id) if persona_id else None
    of_project = project.persona_id if project else None
    wanted = of_project or Preferences.of(user).default_persona
    try:
        return access.usable(Persona, user.pk).filter(pk=wanted).first() if wanted else None
    except ValidationError:  # the stored value is not a valid ID
        return None
