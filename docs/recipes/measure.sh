#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only
# Builds the program in this folder and runs it on a simulated machine: measure.sh FILE.json
set -e
eval "$(strata mpi --machine ntw10e5)"
mpicc -O2 -o app app.c
strata exec --machine ntw10e5 -n 8 --map-by node --no-summary --json "$1" -- ./app
