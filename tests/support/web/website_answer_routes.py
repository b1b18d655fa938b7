"""The rows of the access matrix for the answers of a website's team."""

#: As in access_matrix.py: GET and POST as (anonymous, owner, another member, staff).
WEBSITE_ANSWER_ROUTES: dict[str, tuple[tuple[int, int, int, int], tuple[int, int, int, int]]] = {
    "sites/{key}/answers/": ((302, 200, 404, 404), (405, 405, 405, 405)),
    "sites/{key}/answers/new/": ((302, 200, 404, 404), (302, 422, 404, 404)),
    "sites/{key}/answers/{snippet}/": ((302, 200, 404, 404), (302, 422, 404, 404)),
    "sites/{key}/answers/{snippet}/deletion/": ((302, 200, 404, 404), (302, 302, 404, 404)),
    "sites/{key}/answers/{snippet}/dismissal/": ((405, 405, 405, 405), (302, 302, 404, 404)),
    "sites/{key}/try/": ((302, 200, 404, 404), (302, 422, 404, 404)),
    "sites/{key}/try/cases/": ((405, 405, 405, 405), (302, 422, 404, 404)),
    "sites/{key}/try/runs/": ((405, 405, 405, 405), (302, 302, 404, 404)),
    "sites/{key}/try/runs/schedule/": ((405, 405, 405, 405), (302, 302, 404, 404)),
    "sites/{key}/try/cases/{case}/deletion/": ((405, 405, 405, 405), (302, 302, 404, 404)),
    "sites/{key}/gaps/": ((302, 200, 404, 404), (405, 405, 405, 405)),
    "sites/{key}/gaps/{gap}/draft/": ((405, 405, 405, 405), (302, 404, 404, 404)),
    "sites/{key}/gaps/{gap}/answer/": ((405, 405, 405, 405), (302, 404, 404, 404)),
    "sites/{key}/gaps/{gap}/dismissal/": ((405, 405, 405, 405), (302, 302, 404, 404)),
}
