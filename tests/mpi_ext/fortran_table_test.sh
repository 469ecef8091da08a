#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-only
# The generator (mpi_ext/fortran/generate.py) reports errors in the table of Fortran functions with their lines.
set -u
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
failed=0

# refuses ROW ERROR
refuses() {
  printf '# a comment\nMPIX_Barrier(comm comm,\n             int algorithm)\n%s\n' "$1" >"$made/table"
  said=$(python3 mpi_ext/fortran/generate.py "$made/table" "$made" 2>&1) && { echo "accepts $1"; failed=1; }
  [[ $said == "$made/table:4: "*"$2"* ]] || { echo "of $1 it says: $said"; failed=1; }
}

refuses 'Barrier(comm comm)' "is not 'MPIX_Name(ARGUMENT, ...)'"
refuses 'MPIX_F(comm)' "'comm' is not '[optional] [out|inout] KIND NAME'"
refuses 'MPIX_F(com comm)' "unknown kind 'com'; the kinds are comm, info"
refuses 'MPIX_F(logical flags[])' "needs a number of elements: 'flags[n]'"
refuses 'MPIX_F(comm comm, int dims[n])' "no argument gives the number 'n' of elements of 'dims'"
refuses 'MPIX_F(comm comms[:])' "C does not know how many elements 'comms' has"
refuses 'MPIX_F(string names[])' "there are no arrays of kind 'string'"
refuses 'MPIX_F(inout string name)' "a string is 'in' or 'out'"
refuses 'MPIX_F(optional int n)' "can be optional"
refuses 'MPIX_F(optional out logical flag)' "can be optional"
exit "$failed"
