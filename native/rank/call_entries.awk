# SPDX-License-Identifier: LGPL-2.1-only
# Entries of MPI functions for call_common.S, from their names, one a line: for C and for three kinds of Fortran names.
{ names[NR - 1] = $1 }
END {
  print ".text"
  split(",_,_f08_,_f08ts_", ends, ",")
  for (form = 0; form < 4; ++form) {
    for (i = 0; i < NR; ++i) {
      name = form == 0 ? names[i] : tolower(names[i]) ends[form + 1]
      printf ".globl %s\n.type %s, @function\n%s:\nmovl $%d, %%r11d\njmp strata_call\n.size %s, .-%s\n", name, name, name, form * NR + i, name, name
    }
  }
}
