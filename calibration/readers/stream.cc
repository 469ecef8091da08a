// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/readers/stream.h"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/line_text.h"
#include "calibration/readers/measured_file.h"

namespace strata::calibration {
namespace {

constexpr double kMegabyte = 1e6;  // B

// One run. Its rows are used once STREAM has checked its results.
struct Run {
  double element_bytes = 8, elements = 0;
  double threads = 1;
  std::vector<Measurement> measurements;
};

void end_run(Run& run, MeasuredFile& in) {
  for (Measurement& measured : run.measurements) in.add(std::move(measured));
  run = Run{};
}

// The number after `name`, if the line begins with it: 4 in "Number of Threads requested = 4".
std::optional<double> figure(std::string_view name, MeasuredFile& in) {
  if (!in.text().starts_with(name)) return std::nullopt;
  std::string_view rest = in.text().substr(name.size());
  const std::vector<std::string_view> words = words_of(rest);
  std::string_view word = words.empty() ? std::string_view() : words.front();
  if (word.ends_with(',')) word.remove_suffix(1);  // "Array size = 2000000, Offset = 0"
  return in.number(word);
}

void read_row(Run& run, MeasuredFile& in) {
  const std::vector<std::string_view> words = words_of(in.text());
  const std::optional<double> rate = in.number(words.size() > 1 ? words[1] : std::string_view());
  if (!rate) return;
  if (!(run.elements > 0)) return in.leave_out("the size of the arrays is missing", "keep the line 'Array size = ...'");
  if (!(run.threads >= 1 && run.threads <= std::numeric_limits<int>::max())) {
    return in.leave_out(fmt::format("{} threads", run.threads), "keep the line 'Number of Threads requested = ...'");
  }
  const Operation operation = words[0] == "Copy:" ? Operation::kCopy : Operation::kTriad;
  run.measurements.push_back(
      {operation, "", run.elements * run.element_bytes, static_cast<int>(run.threads), *rate * kMegabyte, in.here()});
}

}  // namespace

Reading read_stream(const std::filesystem::path& file) {
  MeasuredFile in(file, "the output of STREAM, with its line 'Function    Best Rate MB/s ...'");
  Run run;
  bool is_table = false;  // below a table heading in MB/s
  while (in.next()) {
    const std::string_view text = in.text();
    if (text.starts_with("STREAM version")) {
      end_run(run, in);
      is_table = false;
      if (in.program.empty()) in.program = printable(text);
    } else if (text.starts_with("This system uses")) {
      run.element_bytes = figure("This system uses", in).value_or(run.element_bytes);
    } else if (text.starts_with("Array size =")) {
      run.elements = figure("Array size =", in).value_or(0);
    } else if (text.starts_with("Number of Threads ")) {
      for (const char* name : {"Number of Threads requested =", "Number of Threads counted ="}) {
        run.threads = figure(name, in).value_or(run.threads);
      }
    } else if (text.starts_with("Function")) {
      is_table = text.find("MB/s") != std::string_view::npos;
      if (!is_table) in.leave_out("the column is not in MB/s", "give the table as STREAM prints it");
    } else if (is_table && (text.starts_with("Copy:") || text.starts_with("Triad:"))) {
      read_row(run, in);
    } else if (is_table && (text.starts_with("Scale:") || text.starts_with("Add:"))) {
      in.pass_over("Scale and Add are not used");
    } else if (text.starts_with("Failed Validation")) {
      if (run.measurements.empty()) continue;
      run.measurements.clear();
      in.leave_out("STREAM finds the results of this run wrong", "compile it again with less optimisation");
    }
  }
  end_run(run, in);
  return in.finish();
}

}  // namespace strata::calibration
