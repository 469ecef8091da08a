# SPDX-License-Identifier: LGPL-2.1-only
"""Predictions of public measurements that were not used for calibration: tools/validation and tools/fidelity."""
