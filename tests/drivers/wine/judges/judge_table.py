# SPDX-License-Identifier: MIT
"""Outcomes as a table for people and as values for programs."""
import collections
import dataclasses

COLUMNS = ("checks", "failures", "todo", "fixed", "skipped")
HEADINGS = ("checks", "fail", "todo", "fixed", "skip", "end", "time")
NUMBERS = "{:>7} {:>5} {:>5} {:>5} {:>4} {:<7} {:>6}"
VERDICTS = {
    "same": "passes on both, or on neither",
    "fewer": "passes on both, with fewer checks here",
    "BELOW": "passes on the builtin and not here",
    "above": "passes here and not on the builtin",
    "": "was run on one of them only",
}


def verdict(ours, builtin):
    """How a function's outcome here compares with the one on Wine's builtin."""
    if ours is None or builtin is None:
        return ""
    if ours.passes() and builtin.passes():
        return "fewer" if ours.checks < builtin.checks else "same"
    if ours.passes() == builtin.passes():
        return "same"
    return "above" if ours.passes() else "BELOW"


def ending(outcome):
    if outcome.timed_out:
        return "timeout"
    if outcome.crashed:
        return "crash"
    return "host" if outcome.host_fault else ""


def cells(outcome):
    if outcome is None:
        return NUMBERS.format(*["-"] * len(COLUMNS), "", "-")
    return NUMBERS.format(*(getattr(outcome, name) for name in COLUMNS), ending(outcome),
                          f"{outcome.seconds:.1f}s")


def summary(name, rows):
    """Of rows (function, ours, builtin): a sentence for each side and one for both."""
    for side, column in (("here", 1), ("Wine's builtin", 2)):
        outcomes = [row[column] for row in rows if row[column] is not None]
        if outcomes:
            passed = sum(outcome.passes() for outcome in outcomes)
            yield (f"{name}, {side}: {passed} of {len(outcomes)} functions pass; "
                   f"{sum(outcome.checks for outcome in outcomes)} checks, "
                   f"{sum(outcome.failures for outcome in outcomes)} failed, "
                   f"{sum(outcome.todo for outcome in outcomes)} todo, "
                   f"{sum(outcome.fixed for outcome in outcomes)} todo but succeeded; "
                   f"{sum(outcome.crashed for outcome in outcomes)} crashes, "
                   f"{sum(outcome.timed_out for outcome in outcomes)} timeouts, "
                   f"{sum(outcome.host_fault for outcome in outcomes)} faults of the host")
    both = [row for row in rows if row[1] is not None and row[2] is not None]
    if both:
        passing = [row for row in both if row[2].passes()]
        kept = sum(row[1].passes() for row in passing)
        fewer = sum(verdict(*row[1:]) == "fewer" for row in both)
        yield (f"{name}: of {len(passing)} functions that pass on Wine's builtin {kept} pass here, "
               f"{fewer} of them with fewer checks")


def skips(rows):
    """Why parts were left out here, how often, and by which functions."""
    counts, functions = collections.Counter(), collections.defaultdict(list)
    for function, ours, _ in rows:
        for reason, count in ours.reasons.items() if ours is not None else ():
            counts[reason] += count
            functions[reason].append(function)
    for reason, count in counts.most_common():
        yield f"{count:>5}  {reason} ({', '.join(functions[reason])})"


def text(name, rows):
    """The whole table, aligned, and what is left to say of it."""
    wide = max(len(row[0]) for row in rows)
    headings = NUMBERS.format(*HEADINGS)
    lines = [f"{'':<{wide}}  {'here':<{len(headings)}} | Wine's builtin",
             f"{name:<{wide}}  {headings} | {headings}  verdict"]
    for function, ours, builtin in rows:
        lines.append(f"{function:<{wide}}  {cells(ours)} | {cells(builtin)}  "
                     f"{verdict(ours, builtin)}".rstrip())
    lines += ["", *summary(name, rows)]
    left_out = list(skips(rows))
    if left_out:
        lines += ["", "left out here:", *left_out]
    return "\n".join(lines) + "\n"


def as_values(tables):
    """`tables`: rows of (function, ours, builtin) by name. What JSON can hold of them."""
    def side(outcome):
        return None if outcome is None else dataclasses.asdict(outcome)

    return {name: {function: {"ours": side(ours), "builtin": side(builtin),
                              "verdict": verdict(ours, builtin)}
                   for function, ours, builtin in rows}
            for name, rows in tables.items()}
