"""What each kind of process loads, and what it must not."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.runtime.processes import ROOT, environment

MODELS = {"openai", "anthropic"}
BROWSER = {"playwright"}
WEB = """
import agentify_site.wsgi
from django.urls import get_resolver
from django.contrib import admin
get_resolver().url_patterns
"""
CALLS = """
import django
django.setup()
import recipes_app.jobs.worker, recipes_app.jobs.calls
"""
REPORT = "\nimport json, sys\nprint(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"


def loaded_by(program: str, var: Path) -> set[str]:
    env = environment(var, DJANGO_SETTINGS_MODULE="agentify_site.settings")
    done = subprocess.run(
        [sys.executable, "-c", program + REPORT], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize(("program", "never"), [(WEB, MODELS | BROWSER), (CALLS, MODELS)], ids=["web", "calls"])
def test_the_process_does_not_load_what_it_has_no_use_for(program: str, never: set[str], tmp_path: Path) -> None:
    loaded = loaded_by(program, tmp_path)
    assert "django" in loaded
    assert loaded & never == set()


def test_the_first_use_needs_no_package_at_all() -> None:
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import agentify_site.runtime.bootstrap"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
