"""What can go wrong while Agentify is set up or started; each message is one line that says what to do.

RuntimeProblem
├── SetupProblem       packages, folder
├── BrowserProblem     no browser, and none could be installed
├── RedisProblem       no server to start, or the named one is silent
├── DatabaseProblem    no PostgreSQL server to start
├── AlreadyRunning     another `up` or `demo` holds this folder
└── StartProblem       a process of ours did not come up
"""


class RuntimeProblem(Exception):
    """Its text is one line for a person."""


class SetupProblem(RuntimeProblem):
    pass


class BrowserProblem(RuntimeProblem):
    pass


class RedisProblem(RuntimeProblem):
    pass


class DatabaseProblem(RuntimeProblem):
    pass


class AlreadyRunning(RuntimeProblem):
    pass


class StartProblem(RuntimeProblem):
    pass
