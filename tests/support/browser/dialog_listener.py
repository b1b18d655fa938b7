"""Helpers for the browser tests of review."""

LISTEN = """
window.attacks = [];
for (const name of ["alert", "confirm", "prompt", "open", "print"]) {
  window[name] = () => window.attacks.push(name);
}
"""
