# SPDX-License-Identifier: LGPL-2.1-only
"""Where tests find SimGrid's model checker; they skip what needs it where it is not installed."""

# The folder with the checker, or the cache into which `strata check --install-mc` builds it.
MODEL_CHECKER_ENVIRONMENT = [
    "HOME",
    "STRATA_CACHE",
    "STRATA_SIMGRID_MC",
    "XDG_CACHE_HOME",
]
