"""Keep formulas as they are written: `$…$`, `$$…$$`, `\\(…\\)` and `\\[…\\]`, as on the page."""

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

FORMULA = "formula"
DELIMITERS = (("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$"))


def keep_formulas(parser: MarkdownIt) -> None:
    """Add the rule to the parser. Nothing inside a formula is Markdown."""
    parser.inline.ruler.before("escape", FORMULA, _formula)


def _formula(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] not in "$\\":
        return False
    for opening, closing in DELIMITERS:
        if state.src.startswith(opening, state.pos):
            end = _end_of(state, opening, closing)
            break
    else:
        return False
    if end < 0:
        return False
    if not silent:
        state.push(FORMULA, "", 0).content = state.src[state.pos : end]
    state.pos = end
    return True


def _end_of(state: StateInline, opening: str, closing: str) -> int:
    """Return where the formula ends; -1 if it is none.

    The text is searched for a missing end only once, so that many openings take no longer.
    """
    start = state.pos + len(opening)
    nowhere = state.env.setdefault(FORMULA, {}).setdefault(id(state.tokens), set())
    if closing in nowhere:
        return -1
    found = state.src.find(closing, start, state.posMax)
    if found < 0:
        nowhere.add(closing)
        return -1
    inner, after = state.src[start:found], state.src[found + 1 : found + 2]
    is_price = opening == "$" and (inner != inner.strip() or after.isdigit())
    return found + len(closing) if inner.strip() and not is_price else -1
