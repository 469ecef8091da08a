// Bytes and messages between ranks and on each link: the texts that a scenario with `traffic` keeps
// (records/record.h). The counts come from two sides: processes' messages from the tap in SMPI
// (records/exchange/tap.h), flows from the network model. tests/sim/conservation_test.cc holds the one against the
// other.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/plugin/flow_model.h"
#include "sim/plugin/link_names.h"

namespace strata::sim {

/// Messages by sender and receiver. Memory in proportion to the pairs.
class MessageMatrix {
 public:
  /// Ranks count from 0.
  void add(int sender, int receiver, std::uint64_t bytes);

  /// `order` is above all ranks. Matrix Market, "coordinate integer general": row by sender, column by
  /// receiver, from 1.
  std::string bytes_text(int order) const { return text(order, &Cell::bytes); }
  std::string messages_text(int order) const { return text(order, &Cell::messages); }

 private:
  struct Cell {
    std::uint64_t bytes = 0, messages = 0;
  };
  std::string text(int order, std::uint64_t Cell::*what) const;

  std::vector<std::unordered_map<int, Cell>> rows_;
};

/// A field of CSV (RFC 4180): quoted where it must be.
std::string csv_field(const std::string& text);

/// CSV: link,level,direction,capacity_bytes_per_s,bytes,messages,utilisation. Links that are not there are left out,
/// and loopbacks that carried nothing. Utilisation: bytes / (capacity * active_s), the time in which any message was
/// under way anywhere; 0 where none ever was. `bytes` counts what has passed, `carried` the messages that arrived.
std::string links_text(const std::vector<LinkName>& names, const std::vector<double>& bytes,
                       const std::vector<Carried>& carried, double active_s);

}  // namespace strata::sim
