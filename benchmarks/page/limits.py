"""Compare measured values with their limits."""


class Limits:
    """What may be so much, or so many times what the reference page takes (reference.py)."""

    def __init__(self) -> None:
        self.passed: list[str] = []

    def check(self, what: str, value: float, most: float) -> None:
        verdict = "ok" if value <= most else "TOO MUCH"
        print(f"  {what}: {value:.2f}, at most {most:g}: {verdict}", flush=True)
        if value > most:
            self.passed.append(what)

    def check_time(self, what: str, ms: float, reference_ms: float, most: float) -> None:
        """At most so many times what the reference took."""
        name = f"{what}: {ms:.1f} ms; times the reference's {reference_ms:.1f} ms"
        self.check(name, ms / reference_ms, most)
