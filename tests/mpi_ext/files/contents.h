// SPDX-License-Identifier: LGPL-2.1-only
// Opens files, says which ints each rank writes, and compares them with those that the C library reads.
#pragma once

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/mpi_ext/checks.h"

namespace strata::mpix::testing {

inline constexpr int kInt = static_cast<int>(sizeof(int));

// The ints of a file, as the C library reads them.
std::vector<int> ints_in(const std::string& path);

int bytes_in(const MPI_Status& status);

MPI_File open_new(Checks& t, MPI_Comm comm, const std::string& path, int more = 0);

// `count` ints that say who wrote them: 1000 * rank, 1000 * rank + 1, ...
std::vector<int> from(int rank, int count);

std::vector<int> from_all(int size, const std::function<int(int)>& count);

void close(Checks& t, MPI_Comm comm, MPI_File& file);

// Closes the file first.
void check_contents(Checks& t, MPI_Comm comm, MPI_File& file, const std::string& path,
                    const std::vector<int>& expected);

}  // namespace strata::mpix::testing
