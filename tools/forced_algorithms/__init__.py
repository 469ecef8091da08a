# SPDX-License-Identifier: LGPL-2.1-only
"""Times of collectives by forced algorithm: tools/forced-algorithms."""
