// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/readers/imb.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/line_text.h"
#include "calibration/readers/measured_file.h"

namespace strata::calibration {
namespace {

struct Benchmark {
  std::string_view name;
  Operation operation;
};

constexpr std::array kBenchmarks = {
    Benchmark{"PingPong", Operation::kPingPong},   Benchmark{"PingPing", Operation::kRing},
    Benchmark{"Sendrecv", Operation::kRing},       Benchmark{"Exchange", Operation::kExchange},
    Benchmark{"Bcast", Operation::kBroadcast},     Benchmark{"Allreduce", Operation::kAllreduce},
    Benchmark{"Allgather", Operation::kAllgather}, Benchmark{"Alltoall", Operation::kAlltoall},
    Benchmark{"Reduce", Operation::kReduce},       Benchmark{"Uniband", Operation::kOneWay},
    Benchmark{"Biband", Operation::kBothWays},
};

// One table, from its "# Benchmarking ..." to the next.
struct Table {
  const Benchmark* benchmark = nullptr;
  std::optional<int> processes;
  int groups = 1;
  std::size_t columns = 0;  // 0: before its heading
  std::size_t bytes = 0, value = 0;
  bool is_rate = false;
};

// "Intel(R) MPI Benchmarks 2019 Update 6, MPI-1 part"; version 3 calls itself "Intel (R) MPI Benchmark Suite".
bool is_title(std::string_view comment) {
  return comment.starts_with("Intel") && comment.find("MPI Benchmark") != std::string_view::npos;
}

Table begin_table(std::string_view name, MeasuredFile& in) {
  const std::string as_printed = printable(name);
  if (name.starts_with("Multi-")) name.remove_prefix(6);
  Table table;
  for (const Benchmark& benchmark : kBenchmarks) {
    if (benchmark.name == name) table.benchmark = &benchmark;
  }
  if (table.benchmark == nullptr) in.pass_over("benchmark " + as_printed + " is not used");
  return table;
}

void read_heading(const std::vector<std::string_view>& words, Table& table, MeasuredFile& in) {
  const auto column = [&](std::string_view name) {
    return static_cast<std::size_t>(std::find(words.begin(), words.end(), name) - words.begin());
  };
  const std::size_t n = words.size();
  table.bytes = column("#bytes");
  table.is_rate =
      table.benchmark->operation == Operation::kOneWay || table.benchmark->operation == Operation::kBothWays;
  table.value = column(table.is_rate ? "Msg/sec" : "t[usec]");
  if (!table.is_rate && table.value == n) table.value = column("t_avg[usec]");
  if (table.bytes < n && table.value < n) {
    table.columns = n;
    return;
  }
  in.leave_out(
      std::string(table.benchmark->name) + " has no column " + (table.is_rate ? "Msg/sec" : "t[usec] or t_avg[usec]"),
      "give the table as IMB-MPI1 prints it");
  table.benchmark = nullptr;
}

void read_comment(std::string_view comment, Table& table) {
  const std::vector<std::string_view> words = words_of(comment);
  if (words.size() >= 3 && words[0] == "processes" && words[1] == "=") {  // "processes = 4; rank order (rowwise):"
    std::string_view count = words[2];
    if (count.ends_with(';')) count.remove_suffix(1);
    table.processes = count_of(count);
  } else if (words.size() >= 6 && words[0] == "(" && words[2] == "groups") {  // "( 4 groups of 2 processes each ..."
    table.groups = count_of(words[1]).value_or(1);
    table.processes = count_of(words[4]);
  }
}

void read_row(const Table& table, const std::string& level, MeasuredFile& in) {
  const std::optional<std::vector<double>> row = in.numbers(table.columns);
  if (!row) return;
  if (row->size() > table.columns) return in.leave_out("has more numbers than the table has columns", "");
  if (!table.processes) {
    return in.leave_out("the table does not say how many processes took part", "keep its line '# #processes = 2'");
  }
  const Operation operation = table.benchmark->operation;
  const double bytes = (*row)[table.bytes], value = (*row)[table.value];
  if (operation == Operation::kPingPong) {
    return in.add({operation, level, bytes, table.groups, value * kMicrosecond, ""});
  }
  if (table.groups > 1) {
    return in.pass_over(std::string(table.benchmark->name) + " of several groups at the same time is not used");
  }
  if (!table.is_rate) return in.add({operation, level, bytes, *table.processes, value * kMicrosecond, ""});
  const int pairs = *table.processes / 2;
  if (pairs == 0) return in.leave_out("one process has no pair", "measure with 2 processes or more");
  if (bytes != 0) in.add({operation, level, bytes, pairs, value * bytes, ""});
  if (operation == Operation::kOneWay) in.add({Operation::kRate, level, bytes, pairs, value, ""});
}

}  // namespace

Reading read_imb(const std::filesystem::path& file, const std::string& level) {
  MeasuredFile in(file, "the output of IMB-MPI1, with its lines '# Benchmarking ...'");
  std::optional<Table> table;
  while (in.next()) {
    const std::string_view text = in.text();
    const bool is_used = table && table->benchmark != nullptr;
    if (text.find("#repetitions") != std::string_view::npos) {
      if (is_used) read_heading(words_of(text), *table, in);
    } else if (text.starts_with('#')) {
      const std::string_view comment = text.substr(std::min(text.find_first_not_of("# \t"), text.size()));
      if (in.program.empty() && is_title(comment)) {
        in.program = printable(comment);
      } else if (comment.starts_with("Benchmarking ")) {
        table = begin_table(words_of(comment)[1], in);
      } else if (is_used) {
        read_comment(comment, *table);
      }
    } else if (is_used && table->columns > 0) {
      read_row(*table, level, in);
    }
  }
  return in.finish();
}

}  // namespace strata::calibration
