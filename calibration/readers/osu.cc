// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/readers/osu.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "base/line_text.h"
#include "calibration/readers/measured_file.h"

namespace strata::calibration {
namespace {

enum class Takers { kTwo, kPairs, kRanks };

struct Test {
  std::string_view title;
  Operation operation;
  Takers takers;
  bool is_time;  // us; otherwise MB/s
};

constexpr std::array kTests = {
    Test{"Latency Test", Operation::kPingPong, Takers::kTwo, true},
    Test{"Multi Latency Test", Operation::kPingPong, Takers::kPairs, true},
    Test{"Bandwidth Test", Operation::kOneWay, Takers::kTwo, false},
    Test{"Bi-Directional Bandwidth Test", Operation::kBothWays, Takers::kTwo, false},
    Test{"Multiple Bandwidth / Message Rate Test", Operation::kOneWay, Takers::kPairs, false},
    Test{"Broadcast Latency Test", Operation::kBroadcast, Takers::kRanks, true},
    Test{"Allreduce Latency Test", Operation::kAllreduce, Takers::kRanks, true},
    Test{"Allgather Latency Test", Operation::kAllgather, Takers::kRanks, true},
    Test{"All-to-All Personalized Exchange Latency Test", Operation::kAlltoall, Takers::kRanks, true},
    Test{"Reduce Latency Test", Operation::kReduce, Takers::kRanks, true},
};

constexpr double kMegabyte = 1e6;  // B

// "Latency Test" for "OSU MPI-CUDA Latency Test v5.6.2".
std::string_view title_of(std::string_view program) {
  program.remove_prefix(std::min(program.find(' '), program.size()));  // OSU
  program.remove_prefix(std::min(program.find_first_not_of(' '), program.size()));
  program.remove_prefix(std::min(program.find(' '), program.size()));  // MPI, MPI-CUDA, MPI_Put
  program.remove_prefix(std::min(program.find_first_not_of(' '), program.size()));
  const std::size_t version = program.rfind(" v");
  return program.substr(0, version);
}

const Test* test_of(std::string_view program) {
  for (const Test& test : kTests) {
    if (title_of(program) == test.title && !program.starts_with("OSU MPI_")) return &test;
  }
  return nullptr;
}

// The number after `name` in a comment: 2 in "# [ pairs: 2 ] [ window size: 64 ]".
std::optional<int> count_behind(std::string_view comment, std::string_view name) {
  const std::size_t at = comment.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  const std::vector<std::string_view> words = words_of(comment.substr(at + name.size()));
  return words.empty() ? std::nullopt : count_of(words.front());
}

// One table.
struct Table {
  std::string program;
  const Test* test;
  std::optional<int> takers;
  bool has_rate = false;
  std::string fault, remedy;  // why its rows are unusable
};

Table begin_table(std::string_view program, MeasuredFile& in) {
  Table table{printable(program), test_of(program), std::nullopt, false, "", ""};
  if (table.test == nullptr) in.pass_over("'" + table.program + "' is not used");
  if (table.test != nullptr && table.test->takers == Takers::kTwo) table.takers = 1;
  return table;
}

void read_comment(std::string_view comment, Table& table) {
  const Test& test = *table.test;
  if (test.takers != Takers::kTwo) {
    const std::optional<int> count = count_behind(comment, test.takers == Takers::kPairs ? "pairs:" : "ranks:");
    if (count) table.takers = count;
  }
  if (comment.find("DEVICE") != std::string_view::npos || comment.find("MANAGED") != std::string_view::npos) {
    table.fault = "the buffers are in the memory of a GPU";
    table.remedy = "measure with buffers in host memory";
  } else if (comment.find("window size: varied") != std::string_view::npos) {
    table.fault = "the columns are of several window sizes";
    table.remedy = "run osu_mbw_mr without -V";
  } else if (comment.starts_with("Size")) {
    table.has_rate = comment.find("Messages/s") != std::string_view::npos;
    if (comment.find(test.is_time ? "(us)" : "MB/s") == std::string_view::npos) {
      table.fault = std::string("the column is not in ") + (test.is_time ? "us" : "MB/s");
      table.remedy = "give the table as '" + table.program + "' prints it";
    }
  }
}

void read_row(const Table& table, const std::string& level, MeasuredFile& in) {
  if (!table.fault.empty()) return in.leave_out(table.fault, table.remedy);
  const std::optional<std::vector<double>> row = in.numbers(table.has_rate ? 3 : 2);
  if (!row) return;
  if (!table.takers) {
    const bool pairs = table.test->takers == Takers::kPairs;
    return in.leave_out(
        std::string("the file does not say how many ") + (pairs ? "pairs" : "ranks") + " took part",
        std::string("add a line below the title, for example '# ") + (pairs ? "pairs: 4'" : "ranks: 16'"));
  }
  const double unit = table.test->is_time ? kMicrosecond : kMegabyte;
  in.add({table.test->operation, level, (*row)[0], *table.takers, (*row)[1] * unit, ""});
  if (table.has_rate) in.add({Operation::kRate, level, (*row)[0], *table.takers, (*row)[2], ""});
}

}  // namespace

Reading read_osu(const std::filesystem::path& file, const std::string& level) {
  MeasuredFile in(file, "the output of an OSU micro-benchmark, from its line '# OSU MPI ...' on");
  std::optional<Table> table;
  while (in.next()) {
    if (in.text().starts_with('#')) {
      std::string_view comment = in.text().substr(1);
      comment.remove_prefix(std::min(comment.find_first_not_of(" \t"), comment.size()));
      if (comment.starts_with("OSU ")) {
        table = begin_table(comment, in);
        if (table->test != nullptr && in.program.empty()) in.program = table->program;
      } else if (table && table->test != nullptr) {
        read_comment(comment, *table);
      }
    } else if (table && table->test != nullptr) {
      read_row(*table, level, in);
    }
  }
  return in.finish();
}

}  // namespace strata::calibration
