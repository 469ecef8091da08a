// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/rules/rule_file.h"

#include <fmt/format.h>

#include "base/error.h"

namespace strata::collectives {
namespace {

void clear_lines(std::vector<CselNode>& nodes) {
  for (CselNode& n : nodes) {
    n.line = 0;
    clear_lines(n.children);
  }
}

}  // namespace

RuleFile without_places(RuleFile file) {
  file.file.clear();
  file.remarks.clear();
  clear_lines(file.tree);
  for (CollectiveRules& collective : file.collectives) {
    collective.line = 0;
    for (LevelRules& level : collective.levels) {
      level.line = 0;
      for (CommunicatorRule& communicator : level.communicators) {
        communicator.line = 0;
        for (MessageRule& rule : communicator.rules) rule.line = 0;
      }
    }
  }
  return file;
}

bool same_rules(const RuleFile& a, const RuleFile& b) {
  const RuleFile x = without_places(a), y = without_places(b);
  return x.format == y.format && x.collectives == y.collectives && x.tree == y.tree;
}

void remark(RuleFile& file, Reading reading, const Remark& what) {
  if (reading == Reading::kStrict) {
    throw InputError(fmt::format("{}:{}", file.file, what.line), fmt::format("{}, so {}", what.what, what.effect),
                     what.remedy);
  }
  file.remarks.push_back(what);
}

}  // namespace strata::collectives
