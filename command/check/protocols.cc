#include "command/check/protocols.h"

#include <fmt/format.h>

#include <algorithm>

#include "platforms/error.h"
#include "check/protocols/catalog.h"
#include "check/messages/protocol.h"

namespace strata::command {
namespace {

// A name that is one word of a command line: "hierarchy/roots, rendezvous" is protocols/hierarchy.roots+rendezvous.
std::string word_of(const protocols::Exploration& e) {
  std::string word = std::string(kProtocols) + "/";
  for (size_t i = 0; i < e.name.size(); ++i) {
    const char c = e.name[i];
    if (c == ',' && i + 1 < e.name.size() && e.name[i + 1] == ' ') {
      word += '+';
      ++i;
    } else {
      word += c == '/' ? '.' : c == ' ' ? '-' : c;
    }
  }
  return word;
}

ProgramQuestion question_of(const protocols::Exploration& e) {
  const auto machine = std::make_shared<const Machine>(machine_from_tree(e.machine));
  return {.name = word_of(e),
          .about = e.shows,
          .machine = machine,
          .exploration = sim::exploration_of(e, *machine),
          .command = "strata check",
          .after = ""};
}

}  // namespace

std::vector<ProgramQuestion> find_protocols(std::vector<std::string>& what, bool quick) {
  std::vector<std::string> wanted, others;
  for (const std::string& word : what) {
    const bool ours = word == kProtocols || word.rfind(std::string(kProtocols) + "/", 0) == 0;
    (ours ? wanted : others).push_back(word);
  }
  what = others;
  std::vector<ProgramQuestion> questions;
  std::vector<bool> used(wanted.size());
  for (const protocols::Exploration& e : protocols::explorations()) {
    const std::string name = word_of(e);
    bool asked = false;
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (name.rfind(wanted[i], 0) != 0) continue;
      used[i] = true;
      // Who names one gets it, quick or not.
      asked = asked || !quick || e.quick || wanted[i] == name;
    }
    if (asked) questions.push_back(question_of(e));
  }
  for (size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) throw InputError(wanted[i], "no protocol's name begins so", "`strata check --list` shows all");
  }
  return questions;
}

ProgramQuestion protocol_of(const std::string& key) {
  const std::string name = key.substr(0, key.rfind('/', key.find(':')));
  for (const protocols::Exploration& e : protocols::explorations()) {
    if (word_of(e) == name) return question_of(e);
  }
  throw InputError("--replay " + key, "there is no protocol '" + name + "'", "`strata check --list` shows all");
}

std::string list_of_protocols() {
  const std::vector<protocols::Exploration> all = protocols::explorations();
  size_t width = 0;
  for (const protocols::Exploration& e : all) width = std::max(width, word_of(e).size());
  std::string text = fmt::format("{}: the MPI code in all orders of its messages\n", kProtocols);
  for (const protocols::Exploration& e : all)
    text += fmt::format("  {:<{}}  {} ranks on {}: {}{}\n", word_of(e), width, e.ranks, e.machine, e.shows,
                        e.quick ? " (also --quick)" : "");
  return text;
}

}  // namespace strata::command
