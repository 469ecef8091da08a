// SPDX-License-Identifier: LGPL-2.1-only
// Every message of a simulation, if the scenario has `traffic: messages`. The platform plugin writes two files, from
// two sources that share no code.
//
// sends.csv contains messages as processes sent them, in that order. The kind is E (the program's own), I (part of a
// collective) or S (one-sided). Ranks are SMPI's: progress threads come after all ranks of the application. Bytes are
// the program's.
//
//   kind,sender,receiver,bytes
//   E,0,1,65536
//   I,3,2,8
//
// messages.csv contains messages as the network transferred them, in order of arrival, with an envelope of 16 B each.
//
//   from,to,bytes,sent_s,arrived_s
//   node0.core0,node1.core0,65552,0.0015,0.00161
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "records/exchange/tap.h"

namespace strata {

struct SentMessage {
  MessageKind kind = MessageKind::kExternal;  // not kCollective, which is not a message
  int sender = 0, receiver = 0;
  std::uint64_t bytes = 0;

  bool operator==(const SentMessage&) const = default;
};

struct CarriedMessage {
  std::string from, to;  // hosts: "node3.core17"
  double bytes = 0;      // whole
  double sent_s = 0, arrived_s = 0;

  bool operator==(const CarriedMessage&) const = default;
};

inline constexpr const char* kSendsFile = "sends.csv";
inline constexpr const char* kSendsHeading = "kind,sender,receiver,bytes";
inline constexpr const char* kMessagesFile = "messages.csv";
inline constexpr const char* kMessagesHeading = "from,to,bytes,sent_s,arrived_s";

/// A row with its line feed. Numbers have all their digits.
std::string format_message(const SentMessage& message);
std::string format_message(const CarriedMessage& message);

/// Both throw InputError with file, line and remedy if the file is damaged.
std::vector<SentMessage> read_sent_messages(const std::filesystem::path& file);
std::vector<CarriedMessage> read_carried_messages(const std::filesystem::path& file);

}  // namespace strata
