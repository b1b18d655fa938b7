"""Choose the model that answers a send, and the settings with a fallback that is permitted."""

from chat.accounts.principals import Principal
from chat.database import config_version
from chat.generations import model_permissions
from chat.generations.send.pair_places import PairPlace, model_for
from chat.generations.send.request import Send
from chat.lib.catalogue import Model
from chat.personas.settings import GenerationSettings
from chat.upstream import available_models


def choose_model(
    principal: Principal,
    send: Send,
    model: Model,
    wanted: GenerationSettings,
    place: PairPlace | None,
) -> tuple[Model, GenerationSettings]:
    """Return the answering model and the settings with a permitted fallback.

    A member's groups may restrict the models; a widget site's model is its owner's choice.
    """
    if principal.site:
        return available_models.find(available_models.id_of(wanted.model)), wanted
    name = model_for(place, send.resume) if place else send.model and model.id
    return choose_for_member(principal.user_id, name, wanted)


def choose_for_member(
    user_id: int, name: str | None, wanted: GenerationSettings
) -> tuple[Model, GenerationSettings]:
    """Return the model with this name, else that of the settings; and as `choose_model` does.

    Raise `UnknownModel` or `ModelNotAllowed`.
    """
    version = config_version.current()
    chosen = model_permissions.find(user_id, name, wanted.model, version)
    return chosen, model_permissions.within(user_id, wanted, version)
