"""Estimate how many tokens a model reads for an image. A pure function.

Models cut an image into squares of 28 pixels, one token each (Qwen, Mistral), into larger tiles
(Llama), or always read the same number (Gemma: 256). Services shrink a larger image first. The sum
of squares is at least what each of them documents for images up to `LONGEST_SIDE`, apart from
Llama's, whose count is left to the service.
"""

SQUARE = 28
LONGEST_SIDE = 1568
LEAST_TOKENS = 256


def image_tokens(width: int, height: int) -> int:
    """Return an estimate of the tokens of an image of this size."""
    longest = max(width, height, 1)
    scale = min(1.0, LONGEST_SIDE / longest)
    across, down = (max(1, -(-int(side * scale) // SQUARE)) for side in (width, height))
    return max(LEAST_TOKENS, across * down)
