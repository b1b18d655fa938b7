"""The rows of the access matrices for the pages of evaluation."""

Statuses = tuple[int, int, int, int]

#: As in review_routes.py.
EVALUATION_ROUTES: dict[str, tuple[Statuses, Statuses]] = {
    "review/evaluation/": ((302, 404, 404, 404), (401, 404, 404, 404)),
    "review/evaluation/{dataset}/": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "review/evaluation/{dataset}/items/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/evaluation/{dataset}/upload/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/evaluation/{dataset}/items/{item}/removal/": (
        (405, 405, 405, 405),
        (401, 404, 404, 404),
    ),
    "review/evaluation/{dataset}/items.jsonl": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "review/evaluation/{dataset}/runs/": ((302, 404, 404, 404), (401, 404, 404, 404)),
    "review/evaluation/{dataset}/runs/{run}/": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "review/evaluation/{dataset}/runs/{run}/cancellation/": (
        (405, 405, 405, 405),
        (401, 404, 404, 404),
    ),
    "review/evaluation/{dataset}/runs/{run}/resumption/": (
        (405, 405, 405, 405),
        (401, 404, 404, 404),
    ),
    "review/evaluation/{dataset}/runs/{run}/answers.jsonl": (
        (302, 404, 404, 404),
        (405, 405, 405, 405),
    ),
    "review/evaluation/{dataset}/comparison/": ((302, 404, 404, 404), (405, 405, 405, 405)),
    "review/evaluation/{dataset}/votes/{one}/{other}/": (
        (302, 404, 404, 404),
        (401, 404, 404, 404),
    ),
    "review/evaluation/{dataset}/runs/{run}/deletion/": (
        (405, 405, 405, 405),
        (401, 404, 404, 404),
    ),
    "review/evaluation/{dataset}/deletion/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/{conversation}/messages/{message}/copy/": ((405, 405, 405, 405), (401, 404, 404, 404)),
    "review/cases/{case}/copy/": ((405, 405, 405, 405), (401, 404, 404, 404)),
}
#: As in tests/review/test_access.py.
STAFF_ROUTES: dict[str, tuple[Statuses, Statuses]] = {
    "review/evaluation/": ((404, 404, 404, 200), (404, 404, 404, 422)),
    "review/evaluation/{dataset}/": ((404, 404, 404, 200), (405, 405, 405, 405)),
    "review/evaluation/{dataset}/items/": ((405, 405, 405, 405), (404, 404, 404, 422)),
    "review/evaluation/{dataset}/upload/": ((405, 405, 405, 405), (404, 404, 404, 422)),
    "review/evaluation/{dataset}/items/{item}/removal/": (
        (405, 405, 405, 405),
        (404, 404, 404, 302),
    ),
    "review/evaluation/{dataset}/items.jsonl": ((404, 404, 404, 200), (405, 405, 405, 405)),
    "review/evaluation/{dataset}/runs/": ((404, 404, 404, 200), (404, 404, 404, 422)),
    "review/evaluation/{dataset}/runs/{run}/": ((404, 404, 404, 200), (405, 405, 405, 405)),
    "review/evaluation/{dataset}/runs/{run}/cancellation/": (
        (405, 405, 405, 405),
        (404, 404, 404, 302),
    ),
    "review/evaluation/{dataset}/runs/{run}/resumption/": (
        (405, 405, 405, 405),
        (404, 404, 404, 302),
    ),
    "review/evaluation/{dataset}/runs/{run}/answers.jsonl": (
        (404, 404, 404, 200),
        (405, 405, 405, 405),
    ),
    "review/evaluation/{dataset}/comparison/": ((404, 404, 404, 302), (405, 405, 405, 405)),
    "review/evaluation/{dataset}/votes/{one}/{other}/": (
        (404, 404, 404, 200),
        (404, 404, 404, 404),
    ),
    "review/evaluation/{dataset}/runs/{run}/deletion/": (
        (405, 405, 405, 405),
        (404, 404, 404, 302),
    ),
    "review/evaluation/{dataset}/deletion/": ((405, 405, 405, 405), (404, 404, 404, 302)),
    "review/{conversation}/messages/{message}/copy/": ((405, 405, 405, 405), (404, 404, 404, 404)),
    "review/cases/{case}/copy/": ((405, 405, 405, 405), (404, 404, 404, 404)),
}
