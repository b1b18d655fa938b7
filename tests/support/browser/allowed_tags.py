"""Helpers for the tests of safety."""

HARMLESS = {
    "a", "bdi", "blockquote", "br", "button", "code", "del", "details", "div", "em", "h3", "h4",
    "h5", "h6", "hr", "input", "kbd", "li", "ol", "p", "pre", "span", "strong", "summary", "sup",
    "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
