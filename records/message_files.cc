// SPDX-License-Identifier: LGPL-2.1-only
#include "records/message_files.h"

#include <fmt/format.h>

#include <climits>

#include "base/csv.h"

namespace strata {
namespace {

constexpr const char* kRemedy = "the file may be damaged; make it again with `traffic: messages`";

MessageKind kind_of(const CsvReader& in) {
  for (const MessageKind kind : {MessageKind::kExternal, MessageKind::kInternal, MessageKind::kOneSided}) {
    if (in.text(0) == std::string(1, letter_of(kind))) return kind;
  }
  in.fail("'" + in.text(0) + "' is not a kind of message: E, I or S");
}

}  // namespace

std::string format_message(const SentMessage& m) {
  return fmt::format("{},{},{},{}\n", letter_of(m.kind), m.sender, m.receiver, m.bytes);
}

std::string format_message(const CarriedMessage& m) {
  return fmt::format("{},{},{:.0f},{},{}\n", csv_field(m.from), csv_field(m.to), m.bytes, m.sent_s, m.arrived_s);
}

std::vector<SentMessage> read_sent_messages(const std::filesystem::path& file) {
  CsvReader in(file, kSendsHeading, kRemedy);
  std::vector<SentMessage> messages;
  while (in.next()) {
    messages.push_back(
        {kind_of(in), static_cast<int>(in.whole(1, INT_MAX)), static_cast<int>(in.whole(2, INT_MAX)), in.whole(3)});
  }
  return messages;
}

std::vector<CarriedMessage> read_carried_messages(const std::filesystem::path& file) {
  CsvReader in(file, kMessagesHeading, kRemedy);
  std::vector<CarriedMessage> messages;
  while (in.next()) {
    messages.push_back({in.text(0), in.text(1), in.number(2), in.number(3), in.number(4)});
    if (messages.back().arrived_s < messages.back().sent_s) in.fail("arrives before it is sent");
  }
  return messages;
}

}  // namespace strata
