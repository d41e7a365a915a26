"""Evidence in the HTTP API, version 1: tasks, runs, samples and what they brought."""
