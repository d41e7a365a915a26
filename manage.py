#!/usr/bin/env python
"""Django's command-line entry point."""

import sys

from agentify_site.command_line import run

if __name__ == "__main__":
    run(sys.argv)
