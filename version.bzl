# SPDX-License-Identifier: LGPL-2.1-only
"""Strata's version: of the command, of its results and of the library that is installed."""

# Up to 1.0 a new minor version may break programs, so both numbers are in the library's soname.
VERSION = "0.7.0"
