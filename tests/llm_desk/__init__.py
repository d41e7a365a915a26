"""llm_desk: an LLM API on 127.0.0.1 whose answers are written by hand, replayed or scripted.

Standard library only, Python 3.11 or newer.  See README.md.

For tests in the same process::

    from tests.llm_desk import DeskServer, ScriptSource
    with DeskServer(ScriptSource(lambda request: {"text": "hello"})) as desk:
        client = openai.OpenAI(base_url=desk.openai_base_url, api_key="any")
"""

from tests.llm_desk.answers import Answer, AnswerError, ToolCall, check_answer, parse_answer
from tests.llm_desk.faults import FaultSchedule
from tests.llm_desk.server import DeskServer
from tests.llm_desk.sources import DeskSource, RecordingSource, ReplaySource, ScriptSource

__all__ = [
    "Answer",
    "AnswerError",
    "DeskServer",
    "DeskSource",
    "FaultSchedule",
    "RecordingSource",
    "ReplaySource",
    "ScriptSource",
    "ToolCall",
    "check_answer",
    "parse_answer",
]
