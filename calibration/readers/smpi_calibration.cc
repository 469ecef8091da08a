// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/readers/smpi_calibration.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <vector>

#include "base/line_text.h"
#include "calibration/readers/measured_file.h"

namespace strata::calibration {
namespace {

constexpr std::size_t kFields = 4;  // name, bytes, begin, duration

// An MPI_Send whose MPI_Recv is on the next line.
struct Ping {
  double bytes, begin, duration;
};

}  // namespace

Reading read_smpi_calibration(const std::filesystem::path& file, const std::string& level) {
  MeasuredFile in(file, "*_PingPong.csv, *_Isend.csv or *_Recv.csv of SMPI's platform-calibration");
  std::optional<Ping> ping;
  bool is_bad_send = false;  // the previous line is an unusable MPI_Send, so its MPI_Recv does not count as a receive
                             // alone
  while (in.next()) {
    const std::vector<std::string_view> fields = fields_of(in.text());
    const bool follows_bad_send = is_bad_send;
    is_bad_send = in.text().starts_with("MPI_Send");  // until the line proves valid
    if (fields.size() != kFields) {
      in.leave_out(fmt::format("has {} fields where {} were expected", fields.size(), kFields),
                   "a line is for example 'MPI_Isend,1024,20.096913,2.536000e-06'");
      continue;
    }
    const std::string_view call = fields[0];
    if (call == "MPI_Iprobe" || call == "MPI_Test" || call == "MPI_Wtime") {
      in.pass_over(std::string(call) + " is not used");
      continue;
    }
    if (call != "MPI_Send" && call != "MPI_Recv" && call != "MPI_Isend") {
      in.leave_out(shown(call) + " is not a call of the calibration", "it has MPI_Send, MPI_Recv and MPI_Isend");
      continue;
    }
    const std::optional<Ping> before = ping;
    ping.reset();
    const std::optional<double> bytes = in.number(fields[1]), begin = in.number(fields[2]),
                                duration = in.number(fields[3]);
    if (!bytes || !begin || !duration) continue;
    if (before && (call != "MPI_Recv" || before->bytes != *bytes || before->begin != *begin)) {
      in.leave_out("the MPI_Send before this line has no MPI_Recv", "the two lines of a ping-pong have the same begin");
    }
    if (call == "MPI_Send") {
      ping = Ping{*bytes, *begin, *duration};
      is_bad_send = false;
    } else if (call == "MPI_Isend") {
      in.add({Operation::kSendOverhead, level, *bytes, 1, *duration, ""});
    } else if (follows_bad_send) {
      in.leave_out("the MPI_Send before this line is left out", "a ping-pong needs both");
    } else if (!before) {
      in.add({Operation::kReceiveOverhead, level, *bytes, 1, *duration, ""});
    } else if (before->bytes == *bytes && before->begin == *begin) {
      // Each duration must be positive, not only the sum.
      const bool is_positive = before->duration > 0 && *duration > 0;
      in.add({Operation::kPingPong, level, *bytes, 1, is_positive ? (before->duration + *duration) / 2 : 0, ""});
    }
  }
  if (ping) in.leave_out("the last MPI_Send has no MPI_Recv", "a ping-pong needs both");
  return in.finish();
}

}  // namespace strata::calibration
