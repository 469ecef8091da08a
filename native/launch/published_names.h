// SPDX-License-Identifier: LGPL-2.1-only
// Names that ranks publish through the launcher for others to look up, as MPI_Publish_name does. A pure core; `Value`
// is PMIx's. For example
//
//   names.publish("ocean", {value, publisher}, PublishedNames::Until::kUnpublished)   true
//   names.publish("ocean", ...)                                                      false: it is there
//   names.look_up("ocean")                                                           the value
//   names.unpublish("ocean")                                                         true
//
// Values that are there until they are read wait in line: two jobs may connect to the same port.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace strata::native {

enum class Until { kUnpublished, kRead };

template <class Value>
class PublishedNames {
 public:
  bool publish(const std::string& name, Value value, Until until) {
    std::deque<Entry>& line = entries_[name];
    if (until == Until::kUnpublished && !line.empty()) return false;
    line.push_back({std::move(value), until});
    return true;
  }

  std::optional<Value> look_up(const std::string& name) {
    const auto found = entries_.find(name);
    if (found == entries_.end()) return {};
    std::deque<Entry>& line = found->second;
    std::optional<Value> value = line.front().value;
    if (line.front().until == Until::kRead) line.pop_front();
    if (line.empty()) entries_.erase(found);
    return value;
  }

  bool unpublish(const std::string& name) { return entries_.erase(name) != 0; }

 private:
  struct Entry {
    Value value;
    Until until;
  };
  std::map<std::string, std::deque<Entry>> entries_;
};

}  // namespace strata::native
