import re

import pytest

from chat.emulator.common.faults import FAULTS, Refusal, envelope, html_page

REQUEST_ID = "df1159f0-0e44-40d5-b6ba-66bfec32483f"

# The codes of the protocol, with the status each comes with.
DOCUMENTED = {
    400: {9106, 6003, 7000, 5007, 5004, 3003, 3039, 5006, 8001, 8006, 8007, 3030, 2001},
    401: {10000, 2009},
    402: {2021},
    403: {9109, 5016, 5018, 3041, 3023, 5035},
    404: {7003, 3042},
    405: {5005, 5019},
    408: {3007, 3046, 3008},
    413: {5021, 3006},
    424: {2016, 2017},
    429: {4006, 3036, 3040, 2003},
    500: {3043, 5028, 8005},
    503: {7013},
}


@pytest.mark.parametrize(("status", "codes"), DOCUMENTED.items())
def test_every_documented_code_has_its_status(status: int, codes: set[int]) -> None:
    assert {FAULTS[str(code)].status for code in codes} == {status}


def test_workers_ai_errors_have_a_double_prefix_and_the_request_id() -> None:
    assert envelope(Refusal("3046"), REQUEST_ID) == {
        "errors": [{"message": f"AiError: AiError: Request timeout ({REQUEST_ID})", "code": 3046}],
        "success": False,
        "result": {},
        "messages": [],
    }


def test_edge_errors_have_neither() -> None:
    assert envelope(Refusal("10000"), REQUEST_ID) == {
        "result": None,
        "success": False,
        "errors": [{"code": 10000, "message": "Authentication error"}],
        "messages": [],
    }


def test_a_bad_authorization_header_has_a_chain() -> None:
    error = envelope(Refusal("6003"), REQUEST_ID)["errors"][0]
    assert error["error_chain"][0]["code"] == 6111


def test_the_inference_servers_own_error_is_json_in_the_message() -> None:
    message = envelope(Refusal("8007", limit=9), REQUEST_ID)["errors"][0]["message"]
    assert '{"object": "error", "message": "This model\'s maximum context length is 9' in message


@pytest.mark.parametrize("name", FAULTS)
def test_no_message_has_an_unfilled_placeholder(name: str) -> None:
    assert not re.search(r"\{\w+\}", Refusal(name).message)


def test_details_fill_the_message() -> None:
    assert Refusal("5007", model="@cf/a/b").message == "No such model @cf/a/b or task"


def test_a_network_error_is_an_html_page() -> None:
    page = html_page(Refusal("502"), "ray-1")
    assert page.startswith("<!DOCTYPE html>")
    assert "ray-1" in page
