// SPDX-License-Identifier: LGPL-2.1-only
#include "records/foreign/actions_writer.h"

#include <fmt/format.h>

#include <iterator>
#include <limits>
#include <vector>

#include "base/error.h"
#include "base/output_error.h"
#include "base/whole_file.h"
#include "records/foreign/plain_steps.h"

namespace strata {
namespace {

namespace fs = std::filesystem;
using Kind = PlainStep::Kind;

std::string text_of(PlainSteps& all, int rank, const std::string& from) {
  const std::vector<PlainStep> steps = all.of(rank);
  std::string text = fmt::format("{} init\n", rank);
  const auto end = std::back_inserter(text);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const PlainStep& s = steps[i];
    if ((s.kind == Kind::kSend || s.kind == Kind::kReceive) && s.bytes > std::numeric_limits<int>::max()) {
      throw InputError(from, fmt::format("rank {}: SMPI replays no message of {:.0f} B", rank, s.bytes),
                       fmt::format("up to {} B", std::numeric_limits<int>::max()));
    }
    switch (s.kind) {
      case Kind::kSend:
      case Kind::kReceive: {
        const bool sends = s.kind == Kind::kSend;
        const bool at_once = sends ? s.blocking
                                   : i + 1 < steps.size() && steps[i + 1].kind == Kind::kWait &&
                                         steps[i + 1].start == i && !steps[i + 1].more;
        fmt::format_to(end, "{} {}{} {} {} {:.0f}\n", rank, at_once ? "" : "i", sends ? "send" : "recv", s.peer,
                       s.message, s.bytes);
        if (at_once) ++i;  // its wait is part of the action
        break;
      }
      case Kind::kWait: {
        const PlainStep& m = steps[s.start];
        const bool sent = m.kind == Kind::kSend;
        fmt::format_to(end, "{} wait {} {} {}\n", rank, sent ? rank : m.peer, sent ? m.peer : rank, m.message);
        break;
      }
      case Kind::kSleep:
      case Kind::kCompute:
        if (s.amount > 0)
          fmt::format_to(end, "{} {} {:.17g}\n", rank, s.kind == Kind::kSleep ? "sleep" : "compute", s.amount);
        break;
    }
  }
  fmt::format_to(end, "{} finalize\n", rank);
  return text;
}

}  // namespace

double write_actions(const Trace& trace, const Machine& machine, const std::string& from, const fs::path& file) {
  PlainSteps steps(trace, machine, from, "SMPI's replay");
  const fs::path folder = file.string() + "_files";
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw OutputError(folder.string(), "cannot be made: " + error.message(), "give --out another file");
  std::string names;
  for (int r = 0; r < static_cast<int>(trace.ranks.size()); ++r) {
    const fs::path one = folder / fmt::format("{}_rank-{}.txt", r, r);
    write_whole(one, text_of(steps, r, from));
    names += one.string() + "\n";
  }
  write_whole(file, names);
  return steps.alone_s();
}

}  // namespace strata
