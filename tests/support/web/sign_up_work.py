"""Solve the work that signing up asks for."""

from typing import Any

from altcha import solve_challenge
from altcha.v2 import Challenge, Payload


def solved(challenge: dict[str, Any]) -> str:
    """Solve a challenge like a browser."""
    parsed = Challenge.from_dict(challenge)
    solution = solve_challenge(parsed)
    assert solution
    return str(Payload(parsed, solution).to_base64())
