// SPDX-License-Identifier: LGPL-2.1-only
#include "command/check/protocols.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "check/messages/protocol_exploration.h"

namespace strata::command {
namespace {

ProgramQuestion question_of(const check::Protocol& p) {
  return {.exploration = check::exploration_of(p), .command = "strata check", .after = ""};
}

}  // namespace

bool is_protocol(const std::string& word) {
  const std::string all = check::kProtocols;
  return word == all || word.starts_with(all + "/");
}

std::vector<ProgramQuestion> find_protocols(std::vector<std::string>& what, bool quick, int jobs) {
  std::vector<std::string> wanted, others;
  for (const std::string& word : what) (is_protocol(word) ? wanted : others).push_back(word);
  what = others;
  std::vector<ProgramQuestion> questions;
  std::vector<bool> used(wanted.size());
  for (const check::Protocol& p : check::all_protocols()) {
    const std::string name = word_of(p);
    bool asked = false;
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (name.rfind(wanted[i], 0) != 0) continue;
      used[i] = true;
      // A full name selects its protocol even with `quick`.
      asked = asked || !quick || p.quick || wanted[i] == name;
    }
    if (!asked) continue;
    questions.push_back(question_of(p));
    questions.back().exploration.jobs = jobs;
  }
  for (size_t i = 0; i < used.size(); ++i) {
    if (!used[i])
      throw InputError(wanted[i], "no protocol has a name that begins like this", "`strata check --list` shows all");
  }
  return questions;
}

ProgramQuestion protocol_of(const check::Key& key) {
  for (const check::Protocol& p : check::all_protocols()) {
    if (word_of(p) == key.subject) return question_of(p);
  }
  throw InputError("--replay " + text_of(key), "there is no protocol '" + key.subject + "'",
                   "`strata check --list` shows all");
}

std::string list_of_protocols() {
  const std::vector<check::Protocol> all = check::all_protocols();
  size_t width = 0;
  for (const check::Protocol& p : all) width = std::max(width, word_of(p).size());
  std::string text = fmt::format("{}: the MPI code in all orders of its messages\n", check::kProtocols);
  for (const check::Protocol& p : all)
    text += fmt::format("  {:<{}}  {} ranks on {}: {}{}\n", word_of(p), width, p.ranks, p.machine, p.shows,
                        p.quick ? " (also --quick)" : "");
  return text;
}

}  // namespace strata::command
