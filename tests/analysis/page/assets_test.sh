#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only
# The plotting library equals the published one.
set -eu
cd third_party/echarts
sha256sum --check SHA256SUMS
