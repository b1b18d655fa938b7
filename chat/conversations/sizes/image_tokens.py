"""Estimate how many tokens a model reads for an image. A pure function.

Models read one token for each square of 28 pixels (Qwen, Mistral, Llama 4), or about 256 (Gemma);
larger images are shrunk first. docs/design/question_images.md names the sources.
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
