// SPDX-License-Identifier: LGPL-2.1-only
// A case of the area hsplit: a small machine and what each rank is bound to.
//
// As a key: the machine (small_machines.h), a colon, and by rank the object it is bound to, a letter and the object's
// number among those of the letter in preorder: "s2m2ccm2cc:c0,c3,m1" has rank 2 bound to no core of the second node.
// PUs that are no one object are several: "m3ccc:c0+c1". The letter s is never bound to.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "check/areas/small_machines.h"
#include "check/engine/area.h"

namespace strata::check {

/// A machine whose objects have names, and the instances of each type that may be asked for. Immutable once made.
struct HsplitMachine {
  explicit HsplitMachine(SmallMachine machine);

  struct Type {
    std::string name;           // as asked for, in capitals or not
    std::vector<char> is;       // by vertex, read off its name
    std::vector<int> instance;  // by vertex: the one it lies within, as the code under check has it; -1 for none
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

/// "c1": the letter of a vertex and its number among those of the letter.
std::string place_text(const SmallMachine& machine, int v);

std::string key_of(const HsplitCase& c);

/// Throws InputError.
HsplitCase read_hsplit_case(const std::string& key);

/// A rank less; a node less with its ranks; an object that becomes a leaf; a vertex less, whose children go to its
/// parent; a binding of several objects that becomes one. The first are the simplest.
std::vector<HsplitCase> smaller_cases(const HsplitCase& c);

/// One to five nodes of up to six levels, up to ten ranks, some bound to any PUs of a node.
HsplitCase random_hsplit_case(std::mt19937_64& random);

/// The tree with its ranks, and the communicators of each level below; as a picture, the machine alone.
Drawing draw_hsplit_case(const HsplitCase& c);

}  // namespace strata::check
