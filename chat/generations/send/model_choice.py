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
    version = config_version.current()
    name = model_for(place, send.resume) if place else send.model and model.id
    chosen = model_permissions.find(principal.user_id, name, wanted.model, version)
    return chosen, model_permissions.within(principal.user_id, wanted, version)
