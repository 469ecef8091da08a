#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only
# The page's scripts without a browser, in Node.js' own test runner.
if ! command -v node >/dev/null; then
  echo "skipped: there is no node; install Debian's nodejs"
  exit 0
fi
exec node --test tests/analysis/page/scripts/*.test.mjs
