"""The rows of the access matrix for collections and their documents."""

#: As in access_matrix.py: GET and POST as (anonymous, owner, another member, staff).
COLLECTION_ROUTES: dict[str, tuple[tuple[int, int, int, int], tuple[int, int, int, int]]] = {
    "collections/": ((302, 200, 200, 200), (405, 405, 405, 405)),
    "collections/new/": ((302, 200, 200, 200), (302, 422, 422, 422)),
    "collections/files/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "collections/{collection}/": ((302, 200, 404, 404), (405, 405, 405, 405)),
    "collections/{collection}/settings/": ((302, 200, 404, 404), (302, 422, 404, 404)),
    "collections/{collection}/deletion/": ((302, 200, 404, 404), (302, 302, 404, 404)),
    "collections/{collection}/documents/": ((302, 200, 404, 404), (405, 405, 405, 405)),
    "collections/{collection}/failed/": ((405, 405, 405, 405), (302, 302, 404, 404)),
    "collections/documents/{document}/": ((302, 200, 404, 404), (405, 405, 405, 405)),
    "collections/documents/{document}/file/": ((302, 200, 404, 404), (405, 405, 405, 405)),
    "collections/documents/{document}/page/": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "collections/documents/{document}/retry/": ((405, 405, 405, 405), (302, 302, 404, 404)),
    "collections/documents/{document}/deletion/": ((302, 200, 404, 404), (302, 302, 404, 404)),
}
