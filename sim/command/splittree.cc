// strata splittree: the split-tree algorithm's model (IJHPCA'19, Section 6.2).
#include "sim/command/splittree.h"

#include "models/split_tree_machine.h"

namespace strata::command {

std::vector<std::string> tree_collectives() {
  std::vector<std::string> names;
  for (const models::TreeCollective& c : models::kTreeCollectives) names.emplace_back(c.name);
  return names;
}

std::string tree_name(int arity) {
  return (arity == 2 ? "bi" : std::to_string(arity) + "-") + std::string("nomial tree");
}

void add_splittree(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("splittree", "How many cores should communicate, and where to split the tree");
  sub->require_subcommand(1);
  add_tune(*sub, action);
  add_figures(*sub, action);
  sub->footer(
      "Examples:\n  strata splittree tune --cores 64\n"
      "  strata splittree figures --cores 64 --out figures");
}

}  // namespace strata::command
