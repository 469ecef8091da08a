// SPDX-License-Identifier: LGPL-2.1-only
// Events as lines, for tests: "1000000 send #1 0->1 tag 7 84 B". Times are in ns.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "records/events.h"

namespace strata {

inline std::string event_text(const Event& e, const EventsHeader& header) {
  const auto ns = [](double seconds) { return fmt::format("{:.0f}", seconds * 1e9); };
  const std::string at = ns(e.time) + " ";
  switch (e.kind) {
    case Event::Kind::kEnd:
      return at + "end";
    case Event::Kind::kEnter:
      return fmt::format("{}enter {} {}", at, e.rank, header.functions[e.function]);
    case Event::Kind::kLeave:
      return fmt::format("{}leave {}", at, e.rank);
    case Event::Kind::kBlock:
      return fmt::format("{}block {}", at, e.rank);
    case Event::Kind::kUnblock: {
      std::string cause = e.message > 0 ? fmt::format(" #{}", e.message) : "";
      if (e.other >= 0) cause += fmt::format(" last {}", e.other);
      return fmt::format("{}unblock {}{} began {}", at, e.rank, cause, ns(e.began));
    }
    case Event::Kind::kSend:
      return fmt::format("{}send #{} {}->{} tag {} {} B", at, e.message, e.rank, e.other, e.tag, e.bytes);
    case Event::Kind::kArrive:
      return fmt::format("{}arrive #{} posted {} began {}", at, e.message, ns(e.posted), ns(e.began));
    case Event::Kind::kPhaseBegin:
      return fmt::format("{}begin {} {}", at, e.rank, e.name);
    case Event::Kind::kPhaseEnd:
      return fmt::format("{}end {}", at, e.rank);
    case Event::Kind::kRankEnd:
      return fmt::format("{}ended {}", at, e.rank);
  }
  return "";
}

// All events of a file, including the end.
inline std::vector<Event> read_events(const std::filesystem::path& file) {
  EventReader reader(file);
  std::vector<Event> events(1);
  while (reader.next(events.back())) events.emplace_back();
  return events;
}

inline std::vector<std::string> event_lines(const std::filesystem::path& file) {
  const EventsHeader header = EventReader(file).header();
  std::vector<std::string> lines;
  for (const Event& e : read_events(file)) lines.push_back(event_text(e, header));
  return lines;
}

}  // namespace strata
