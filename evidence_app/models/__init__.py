"""The rows of task specs, runs, samples, and the evidence they brought."""

from evidence_app.models.evidence import ActionEntry, Artifact, Field
from evidence_app.models.ledger import Entry, HeadCopy, LedgerKey, Node, Opening, Timestamp, TreeHead
from evidence_app.models.run import Attempt, Run, RunMemory, Sample, Schedule
from evidence_app.models.task_spec import TaskSpec, TaskSpecVersion

__all__ = [
    "ActionEntry",
    "Artifact",
    "Attempt",
    "Entry",
    "Field",
    "HeadCopy",
    "LedgerKey",
    "Node",
    "Opening",
    "Run",
    "RunMemory",
    "Sample",
    "Schedule",
    "TaskSpec",
    "TaskSpecVersion",
    "Timestamp",
    "TreeHead",
]
