"""The HTTP API, version 1: the tools of a team for programs."""
