# SPDX-License-Identifier: LGPL-2.1-only
"""Predictions of what was measured elsewhere and not used: tools/validation and tools/fidelity."""
