"""One step of the bench, in a process with the database of the bench: `python -m bench.audit STEP [NUMBER]`."""

import importlib
import json
import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "agentify_site.settings")
django.setup()
step = importlib.import_module(f"bench.audit.{sys.argv[1]}")
print(json.dumps(step.main(*map(int, sys.argv[2:]))))
