// SPDX-License-Identifier: LGPL-2.1-only
// The results of the code under check in a case of the area hsplit.
#pragma once

#include <string>
#include <vector>

#include "check/areas/hsplit_case.h"
#include "mpi_ext/hierarchy/guided.h"
#include "mpi_ext/hierarchy/split.h"

namespace strata::check {

struct HsplitOutcome {
  std::vector<int> vertices;          // by rank: the deepest object that covers its binding
  mpix::Split first;                  // split() of all ranks
  mpix::Hierarchy all;                // split_all()
  std::vector<mpix::Split> again;     // split() of each communicator of `all`
  std::vector<mpix::Hierarchy> upto;  // split_all() limited to one level, and to two if there are more
  bool consecutive = false;           // all_consecutive(all)
  std::vector<int> min_level;         // lowest_common_ancestor() of the members of each communicator of `all`
  std::vector<int> min_level_of_two;  // the same for pairs of ranks: 1 and 0, 2 and 0, 2 and 1, 3 and 0, ...

  std::vector<mpix::Hierarchy> guided;  // split_by_instance() of all ranks by each type of the machine
  struct Followed {
    std::vector<int> comms;  // of `all`: one family of siblings with one name
    mpix::Hierarchy guided;  // split_by_instance() of the parent by the type of that name; ranks are those of the
                             // parent
  };
  std::vector<Followed> followed;
  struct Hinted {
    mpix::LevelHint hint;
    mpix::Hierarchy levels;  // split_to_level()
  };
  std::vector<Hinted> hinted;
  struct Wished {
    std::vector<mpix::Wish> wishes;
    mpix::Hierarchy level;  // with_wishes()
  };
  std::vector<Wished> wished;
};

/// Calls the code under check.
HsplitOutcome run_hsplit(const HsplitCase& c);

/// The ranks in communicator `comm` of `h`; all ranks if it is -1.
std::vector<int> members_of(const HsplitCase& c, const mpix::Hierarchy& h, int comm);

/// The name of a vertex for a hint: its own name, or Even or Odd by its depth.
std::string hint_name(const HsplitCase& c, const mpix::LevelHint& hint, int cover);

}  // namespace strata::check
