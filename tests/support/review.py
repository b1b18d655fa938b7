"""What tests of review share with others."""

LISTEN = """
window.attacks = [];
for (const name of ["alert", "confirm", "prompt", "open", "print"]) {
  window[name] = () => window.attacks.push(name);
}
"""
