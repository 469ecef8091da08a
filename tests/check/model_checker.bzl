# SPDX-License-Identifier: LGPL-2.1-only
"""Where tests find SimGrid's model checker; they skip what needs it where it is not installed."""

# The folder that holds it, or the cache that `strata check --install-mc` builds it into.
MODEL_CHECKER_ENVIRONMENT = [
    "HOME",
    "STRATA_CACHE",
    "STRATA_SIMGRID_MC",
    "XDG_CACHE_HOME",
]
