"""The rows of the access matrix for projects, tags and several chats at once."""

#: As in access_matrix.py: GET and POST as (anonymous, owner, another member, staff).
PROJECT_ROUTES: dict[str, tuple[tuple[int, int, int, int], tuple[int, int, int, int]]] = {
    "projects/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "projects/new/": ((302, 200, 200, 200), (302, 422, 422, 422)),
    "projects/archive/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "projects/{project}/": ((302, 200, 404, 404), (405, 405, 405, 405)),
    "projects/{project}/settings/": ((302, 200, 404, 404), (302, 422, 404, 404)),
    "projects/{project}/state/": ((405, 405, 405, 405), (302, 400, 404, 404)),
    "projects/{project}/deletion/": ((302, 200, 404, 404), (302, 302, 404, 404)),
    "tags/": ((302, 200, 200, 200), (302, 422, 422, 422)),
    "tags/{tag}/": ((302, 200, 404, 404), (302, 422, 404, 404)),
    "tags/{tag}/deletion/": ((302, 200, 404, 404), (302, 302, 404, 404)),
    "chat/selection/": ((302, 200, 200, 200), (302, 400, 400, 400)),
    "chat/selection/targets/": ((302, 400, 400, 400), (405, 405, 405, 405)),
    "chat/{conversation}/project/": ((302, 200, 404, 404), (405, 405, 405, 405)),
    "chat/{conversation}/tags/": ((302, 200, 404, 404), (302, 302, 404, 404)),
}
