"""What a run says, in the units of the report."""

from benchmarks.streams.answers import Heard, heard
from benchmarks.streams.load import Plan, Run

MILLISECONDS = 1e-6  # of nanoseconds
KB = 1024
END_BYTES = 400
COMPLETE = "share complete"
STEADY_CPU, TURN_CPU, ALL_CPU = "CPU us per token", "CPU ms per turn", "CPU us per token, all in"
DELAY_50, DELAY_99 = "added latency p50, ms", "added latency p99, ms"
FIRST_50, FIRST_99 = "first token p50, ms", "first token p99, ms"
MEMORY, THREADS, SPEED = "KB per stream", "threads", "tokens per second"
MEASURING = "measuring itself, share of its core"

Figures = dict[str, float]


def figures_of(plan: Plan, run: Run) -> Figures:
    answers = [heard(each) for each in run.answers]
    asked = plan.readers * plan.rounds
    tokens = sum(each.tokens for each in answers)
    whole = sum(each.is_whole and each.tokens == plan.tokens for each in answers)
    delays = sorted(delay for each in answers for delay in each.delays)
    firsts = sorted(each.first_token for each in answers if each.first_token is not None)
    grown = run.memory_peak.resident_bytes - run.memory_before.resident_bytes
    return {
        COMPLETE: whole / asked,
        STEADY_CPU: _steady(run, answers),
        TURN_CPU: run.cpu_seconds * 1e3 / asked,
        ALL_CPU: run.cpu_seconds * 1e6 / max(1, tokens),
        DELAY_50: _share(delays, 0.5) * MILLISECONDS,
        DELAY_99: _share(delays, 0.99) * MILLISECONDS,
        FIRST_50: _share(firsts, 0.5) * MILLISECONDS,
        FIRST_99: _share(firsts, 0.99) * MILLISECONDS,
        MEMORY: max(0, grown) / KB / max(1, run.active_peak),
        THREADS: run.memory_peak.threads,
        SPEED: _speed(answers),
        MEASURING: run.measuring_share,
    }


def problem_of(plan: Plan, run: Run) -> str:
    """What did not come whole and in order, with the end of the first such answer."""
    bad = []
    for answer in run.answers:
        said = heard(answer)
        if not said.is_whole or said.tokens != plan.tokens or said.out_of_order:
            bad.append((said, answer))
    if not bad:
        return ""
    lost = sum(plan.tokens - said.tokens for said, _ in bad)
    disordered = sum(said.out_of_order for said, _ in bad)
    end = b"".join(piece for _, piece in bad[0][1].pieces)[-END_BYTES:]
    return (
        f"{len(bad)} of {len(run.answers)} answers failed: {lost} tokens lost,"
        f" {disordered} out of order; the first ends with {end!r}"
    )


def _steady(run: Run, answers: list[Heard]) -> float:
    """While all are being written: no beginnings, no ends."""
    if run.window is None:
        return 0.0
    begin, end = run.window
    tokens = sum(begin <= at < end for each in answers for at in each.received_at)
    return run.window_cpu_seconds * 1e6 / max(1, tokens)


def _speed(answers: list[Heard]) -> float:
    times = [at for each in answers for at in (each.received_at[:1] + each.received_at[-1:])]
    seconds = (max(times) - min(times)) / 1e9 if times else 0.0
    return sum(each.tokens for each in answers) / max(seconds, 1e-3)


def _share(values: list[int], share: float) -> int:
    return values[int(share * (len(values) - 1))] if values else 0
