"""Settings and rows turned into the agent's own objects. Imported by jobs and commands only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal, cast

from django.conf import settings

from evidence_app.agent.politeness import Pause, paces_from
from evidence_app.agent.settings import AgentSettings
from evidence_app.polite import Turns
from evidence_app.spec.shapes import TaskSpec
from recipes_app.browser.policy import normal_entry
from recipes_app.browser.session import ContextOptions


def context_options(usual: ContextOptions, spec: TaskSpec) -> ContextOptions:
    """As the site's runs have it, and the hosts that the task's author allowed beside."""
    hosts = usual.policy.hosts | {normal_entry(host) for host in spec.allowed_hosts}
    return replace(usual, policy=replace(usual.policy, hosts=hosts))


def agent_settings() -> AgentSettings:
    mode = "full" if settings.REFLECTION_MODE == "full" else "light"
    return AgentSettings(
        reflection=cast('Literal["light", "full"]', mode),
        window=settings.LLM_CONTEXT_WINDOW,
        distil=settings.ENABLE_MEMORY_DISTILLATION,
        finalize=settings.FINALIZE_ON_FAILURE,
        actions=max(1, settings.MAX_ACTIONS_PER_STEP) if settings.ENABLE_MULTI_ACTIONS else 1,
    )


def pause(look: Callable[[], None]) -> Pause:
    """Waits until a domain may be asked again; `look` is called meanwhile, and raises to stop."""
    return Turns(paces_from(settings.POLITENESS), look)
