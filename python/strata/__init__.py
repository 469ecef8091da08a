# SPDX-License-Identifier: LGPL-2.1-only
"""What the command `strata` writes, as pandas DataFrames.

    import strata

    runs = strata.results("strata-out/quickstart")         # a row for each measured value
    runs[runs.algorithm == "binomial"].pivot(index="elements", columns="variant", values="value").plot(loglog=True)

    bytes_sent = strata.matrix("messages/size.mtx")        # rows: senders, columns: receivers
    summary = strata.document("run.json")                  # a row for the whole document
    levels = strata.document("run.json", "levels")         # one of its tables

Every function reads one file or folder and returns a new DataFrame; nothing is cached, and no file is changed. Input that
cannot be read raises strata.InputError, whose text is one line: where, what is wrong, and what would be right.
"""

from .document import document
from .error import InputError
from .matrix import matrix, pairs
from .results import manifest, results

__all__ = ["InputError", "document", "manifest", "matrix", "pairs", "results"]
