// SPDX-License-Identifier: LGPL-2.1-only
// A case of the area hsplit: a small machine and the binding of each rank.
//
// A key consists of the machine (small_machines.h), a colon, and for each rank the object to which it is bound. An
// object is a letter and its number among the objects with that letter, in preorder: in "s2m2ccm2cc:c0,c3,m1", rank 2
// is bound to all of the second node. A set of PUs that is not an object is written as several: "m3ccc:c0+c1". Ranks
// are never bound to s.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "check/areas/small_machines.h"
#include "check/engine/area.h"

namespace strata::check {

/// A machine whose objects have names, and the types by whose instances ranks can be split. Immutable after
/// construction.
struct HsplitMachine {
  explicit HsplitMachine(SmallMachine machine);

  struct Type {
    std::string name;           // as given to a guided split, in any case
    std::vector<char> is;       // by vertex: whether it is of this type, according to its name
    std::vector<int> instance;  // by vertex: the instance that contains it, according to the code under check; -1: none
  };

  SmallMachine tree;
  std::vector<std::string> name;  // by vertex
  std::vector<Type> types;
};

struct HsplitCase {
  std::shared_ptr<const HsplitMachine> machine;
  std::vector<Pus> bindings;  // by rank: PUs of one node, at least one

  int ranks() const { return static_cast<int>(bindings.size()); }
  const SmallMachine& tree() const { return machine->tree; }
};

/// "c1": the letter of a vertex and its number among the vertices with that letter.
std::string place_text(const SmallMachine& machine, int v);

std::string key_of(const HsplitCase& c);

/// Throws InputError.
HsplitCase read_hsplit_case(const std::string& key);

/// Simpler cases: a rank removed; a node removed with its ranks; an object made a leaf; a vertex removed, with its
/// children moved to its parent; a binding of several objects reduced to one. The simplest come first.
std::vector<HsplitCase> smaller_cases(const HsplitCase& c);

/// One to five nodes of up to six levels, and up to ten ranks, some of them bound to any PUs of a node.
HsplitCase random_hsplit_case(std::mt19937_64& random);

/// The text has the tree with its ranks, and the communicators of each level; the picture only has the machine.
Drawing draw_hsplit_case(const HsplitCase& c);

}  // namespace strata::check
