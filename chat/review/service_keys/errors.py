from django.utils.functional import lazystr

from chat.errors import BadRequest, Forbidden


class MissingScope(Forbidden):
    code = "missing_scope"
    text = lazystr("This service key doesn't have the scope that this address needs.")


class CreatorWithoutRights(Forbidden):
    code = "creator_without_rights"
    text = lazystr(
        "This service key doesn't work, because its creator is no longer an administrator, or has "
        "no second factor."
    )


class MissingReason(BadRequest):
    code = "reason_required"
    text = lazystr(
        "Give a reason of at least three words, in the header Runnel-Reason or the parameter "
        "access_reason."
    )
