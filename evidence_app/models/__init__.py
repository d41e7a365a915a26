"""The rows of task specs, runs, samples, and the evidence they brought."""

from evidence_app.models.evidence import ActionEntry, Artifact, Field
from evidence_app.models.ledger import Entry, HeadCopy, LedgerKey, Node, Opening, Timestamp, TreeHead
from evidence_app.models.pack import Pack
from evidence_app.models.retention import Hold, Removal, Restoration
from evidence_app.models.review import (
    Assignment,
    BreakGlass,
    Comment,
    Conclusion,
    Exhibit,
    Review,
    RunBarred,
    Shown,
)
from evidence_app.models.run import Attempt, Run, RunMemory, Sample, Schedule
from evidence_app.models.task_spec import TaskSpec, TaskSpecVersion

__all__ = [
    "ActionEntry",
    "Artifact",
    "Assignment",
    "Attempt",
    "BreakGlass",
    "Comment",
    "Conclusion",
    "Entry",
    "Exhibit",
    "Field",
    "HeadCopy",
    "Hold",
    "LedgerKey",
    "Node",
    "Opening",
    "Pack",
    "Removal",
    "Restoration",
    "Review",
    "Run",
    "RunBarred",
    "RunMemory",
    "Sample",
    "Schedule",
    "Shown",
    "TaskSpec",
    "TaskSpecVersion",
    "Timestamp",
    "TreeHead",
]
