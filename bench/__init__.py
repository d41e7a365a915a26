"""Measurements, one module or package each: `./agentify bench NAME`. How one looks: bench.frame."""
