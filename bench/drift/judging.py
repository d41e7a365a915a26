"""What came of a trial: held against what had to happen, and against what the same recipe did on unchanged pages."""

from __future__ import annotations

from dataclasses import dataclass

from bench.drift.trial import Trial

# A step that reads and whose selectors find something else than before.
CANNOT_READ = frozenset({"missing", "ambiguous", "drifted", "bad_return", "verify_failed"})
# What proves that a step worked is said in other words now.
CANNOT_PROVE = frozenset({"verify_failed", "dialog", "option_not_offered", "missing", "timeout"})
HARMLESS = frozenset({"consent", "option"})


@dataclass(frozen=True, slots=True)
class Verdict:
    """`must`: it had to survive; `kinds`: how it may be refused; `wrong`: what was done or said wrongly, in words.

    `vetoed`: every element was still found by its wording or test id, and some other locator found another one.
    """

    trial: Trial
    must: bool
    kinds: frozenset[str]
    survived: bool
    wrong: tuple[str, ...]
    vetoed: bool = False

    @property
    def is_right(self) -> bool:
        if self.wrong:
            return False
        return self.survived if self.must else self.survived or self.trial.kind in self.kinds

    @property
    def words(self) -> str:
        trial = self.trial
        name = f"{trial.sample.name} on {trial.mutation.name}"
        if self.wrong:
            return f"{name}: {'; '.join(self.wrong)}"
        said = str((trial.outcome.error or {}).get("error", "survived"))[:240]
        wanted = "had to survive" if self.must else f"might be refused as {', '.join(sorted(self.kinds))}"
        return f"{name}: {wanted}; {trial.kind or 'ok'}: {said}"


def judge(trial: Trial, reference: Trial, initial: str) -> Verdict:
    must, kinds = expected(trial, reference)
    held = bool(trial.facts) and all(step.holds for step in trial.facts) and not trial.mutation.covers
    vetoed = held and any(step.is_vetoed for step in trial.facts)
    return Verdict(trial, must, kinds, trial.outcome.ok, tuple(wrongs(trial, reference, initial)), vetoed)


def expected(trial: Trial, reference: Trial) -> tuple[bool, frozenset[str]]:
    """The first step whose element is not sure decides; where all are, what is read afterwards."""
    if trial.mutation.covers and trial.facts:
        return False, frozenset({"covered"})
    unsure = [step for step in trial.facts if not step.holds or step.is_vetoed]
    if unsure:
        failed = [step for step in unsure if step.path == trial.failed_step] or unsure
        kinds = frozenset().union(*(step.kinds for step in failed))
        return False, kinds | (CANNOT_PROVE if trial.mutation.rewords else frozenset())
    if trial.reads != reference.reads:
        return False, CANNOT_READ
    return True, frozenset()


def wrongs(trial: Trial, reference: Trial, initial: str) -> list[str]:
    found: list[str] = []
    strangers = sorted(set(trial.acted) - set(trial.sample.keys.values()) - HARMLESS)
    if strangers:
        found.append(f"used {', '.join(strangers)}")
    if trial.outcome.ok and trial.state != reference.state:
        found.append("said it worked, but the site holds something else")
    elif not trial.outcome.ok and trial.state not in {initial, reference.state}:
        found.append(f"refused as {trial.kind} after it had done something else than recorded")
    if trial.outcome.ok and trial.answer != reference.answer:
        found.append(f"brought back something else: {difference(trial.answer, reference.answer)}")
    return found


def difference(one: str, other: str) -> str:
    """Both from the first sign on in which they differ."""
    at = next((at for at, (mine, theirs) in enumerate(zip(one, other, strict=False)) if mine != theirs), 0)
    return f"…{one[max(0, at - 30) : at + 60]}… instead of …{other[max(0, at - 30) : at + 60]}…"
