"""`./agentify` alone: the commands in words."""

from agentify_site.runtime.terminal import show

COMMANDS = {
    "See it work": {
        "demo [--once]": "map, approve, record, verify, publish and call tools of the bundled practice site",
        "up [--port N]": "start the web application, its workers and a private Redis; Ctrl-C ends all",
        "reset": "remove the demo's data, one site (--site SLUG), or everything (--everything); asks first",
    },
    "Turn a site into tools": {
        "crawl URL": "look at a site's pages and say what is there; changes nothing",
        "map URL": "crawl, propose tools, ask which to keep, record, verify; writes the registry file",
        "record SITE": "show a tool by hand in a browser on this screen; it is recorded and verified",
        "login SITE": "sign in once; tools are called, mapped and recorded with that session from then on",
        "list [SITE]": "the sites, or the tools of one",
        "call SITE TOOL": "call one tool with --args JSON; prints its result",
        "run-mapped": "a task in plain words (--site, --task): a model calls the tools, and sees no page",
        "export SITE": "write the registry file of a site's published tools",
        "mcp SITE [--http]": "serve a site's tools to models, over MCP; one process, until it is stopped",
        "install-skill": "teach Claude Code or Codex (--tool) to use this installation",
        "import FILE": "read a registry file into a site",
    },
    "Collect evidence": {
        "run-task": "from a sentence, or a task with its samples: pictures, values, and a log of each action",
        "export-pack RUN": "one ZIP of a run that an outsider can check alone",
        "verify-pack FILE": "check such a ZIP against --key FINGERPRINT, offline",
        "verify-ledger": "do the whole ledger again and compare it with rows, files and signatures",
    },
    "Keep it in order": {
        "prepare": "install all that the other commands need, and stop",
        "vault put NAME": "keep a password, such as vault:shop/alice#password; also check, list, remove",
        "rotate-keys": "seal everything that is sealed anew with the newest key",
        "check": "format, lint, types, import contracts, migrations, templates and docs",
        "bench [NAME]": "the list of measurements, or one of them with --json, --rounds N, --only PART",
        "test [--postgres]": "the whole test suite, on SQLite or on a PostgreSQL of its own",
        "NAME": "any other manage.py command, hyphens or underscores",
    },
}


def main() -> None:
    show("Agentify turns websites into dependable tools. Usage: ./agentify COMMAND [options]")
    for heading, commands in COMMANDS.items():
        show(f"\n{heading}")
        for name, words in commands.items():
            show(f"  {name:<24} {words}")
    show("\n`./agentify COMMAND --help` shows the options of each. Settings: .env.example.")


if __name__ == "__main__":
    main()
