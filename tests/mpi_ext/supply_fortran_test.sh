#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-only
# A Fortran program finds the functions that Strata supplies under SMPI: supply_fortran_test.sh SOURCE SUPPLY_LIBRARY
set -eu
source=$(readlink -f "$1")
supply=$(readlink -f "$2")
cd "$TEST_TMPDIR"
cat > flat.xml << 'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<cluster id="c" prefix="n" suffix="" radical="0-3" speed="1Gf" bw="10GBps" lat="1us"/>
</platform>
END
# Compiles like smpif90, which first splits the source.
gfortran -fpic -ff2c -fno-second-underscore -I/usr/include/smpi -w -c "$source" -o program.o
gcc -shared program.o -o program.so -lsimgrid -lgfortran -lm
TMPDIR=. smpirun -wrapper "env LD_PRELOAD=$supply" -np 4 -platform flat.xml --log=root.thres:warning \
  --cfg=smpi/simulate-computation:no ./program.so | tee out
grep -qx 'all is well' out
