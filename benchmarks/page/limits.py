"""Compare measured values with their limits."""


class Limits:
    def __init__(self) -> None:
        self.passed: list[str] = []

    def check(self, what: str, value: float, most: float) -> None:
        verdict = "ok" if value <= most else "TOO MUCH"
        print(f"  {what}: {value:.2f}, at most {most:g}: {verdict}", flush=True)
        if value > most:
            self.passed.append(what)
