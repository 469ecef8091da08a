# SPDX-License-Identifier: LGPL-2.1-only
# Lists the MPI functions that SMPI's header declares, for libraries that define all of them. From
#
#   MPI_CALL(XBT_PUBLIC int, MPI_Wait, (MPI_Request * request, MPI_Status* status));
#
# it makes
#
#   PROFILED(int, MPI_Wait, (MPI_Request * request, MPI_Status* status), (request, status))
#
# Functions with a variable number of arguments are left out, because their calls cannot be passed on.

function trimmed(text) {
  gsub(/^[ \t]+|[ \t]+$/, "", text)
  return text
}

# The argument list for a call with these parameters.
function arguments_of(parameters,   list, n, i, name, result) {
  if (trimmed(parameters) == "void") return ""
  n = split(parameters, list, ",")
  for (i = 1; i <= n; i++) {
    name = list[i]
    gsub(/\[[^\]]*\]/, "", name)
    name = trimmed(name)
    if (!match(name, /[A-Za-z_][A-Za-z_0-9]*$/) || RSTART == 1) {
      print "calls.awk: a parameter without a name: " parameters >"/dev/stderr"
      failed = 1
      exit 1
    }
    result = result (i > 1 ? ", " : "") substr(name, RSTART)
  }
  return result
}

/^MPI_CALL\(/ { declaration = ""; inside = 1 }
inside { declaration = declaration " " trimmed($0) }
inside && /;[ \t]*$/ {
  inside = 0
  sub(/^ MPI_CALL\(/, "", declaration)
  sub(/\)\)[ \t]*;$/, "", declaration)
  comma = index(declaration, ",")
  type = substr(declaration, 1, comma - 1)
  sub(/^XBT_PUBLIC /, "", type)
  rest = substr(declaration, comma + 1)
  comma = index(rest, ",")
  name = trimmed(substr(rest, 1, comma - 1))
  parameters = substr(rest, index(rest, "(") + 1)
  if (index(parameters, "...") == 0) {
    print "PROFILED(" type ", " name ", (" parameters "), (" arguments_of(parameters) "))"
    ++count
  }
}

END {
  if (!failed && count < 300) {
    print "calls.awk: only " count + 0 " functions: is this SMPI's smpi.h?" >"/dev/stderr"
    exit 1
  }
}
