// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/mpi_ext/case_report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/svg_text.h"

namespace strata::mpix::testing {
namespace {

constexpr const char* kUnnamed = "outside of all cases";

CaseResult& case_named(std::vector<CaseResult>& cases, const std::string& name) {
  for (CaseResult& c : cases) {
    if (c.name == name) return c;
  }
  return cases.emplace_back(CaseResult{.name = name});
}

// The rest of the line after `mark`; false if the line does not begin with it.
bool follows(const std::string& line, const std::string& mark, std::string& rest) {
  if (!line.starts_with(mark)) return false;
  rest = line.substr(mark.size());
  return true;
}

// "FILE:LINE: rank R: [NAME] WHAT": the name.
bool is_failure(const std::string& line, std::string& name) {
  const size_t rank = line.find(": rank "), opened = line.find(": [", rank), closed = line.find("] ", opened);
  if (rank == std::string::npos || opened == std::string::npos || closed == std::string::npos) return false;
  name = line.substr(opened + 3, closed - opened - 3);
  return true;
}

// Adds the cases of the programs to the report after GoogleTest has written it.
class CasesInReport : public ::testing::EmptyTestEventListener {
 public:
  void add(std::string suite, std::vector<CaseResult> cases) {
    suites_.emplace_back(std::move(suite), std::move(cases));
  }
  void OnTestProgramEnd(const ::testing::UnitTest&) override {
    const char* file = std::getenv("XML_OUTPUT_FILE");
    std::ifstream in(file == nullptr ? "" : file);
    if (!in) return;
    std::string xml{std::istreambuf_iterator<char>(in), {}};
    for (const auto& [suite, cases] : suites_) xml = with_cases(xml, suite, cases);
    std::ofstream(file) << xml;
  }

 private:
  std::vector<std::pair<std::string, std::vector<CaseResult>>> suites_;
};

// For an attribute, in which lines would be joined.
std::string attribute(const std::string& text) {
  std::string all = svg_escape(text);
  for (size_t at = 0; (at = all.find('\n', at)) != std::string::npos;) all.replace(at, 1, "&#x0A;");
  return all;
}

CasesInReport& cases_in_report() {
  static CasesInReport& only = *[] {
    auto* made = new CasesInReport;  // GoogleTest owns it
    ::testing::UnitTest::GetInstance()->listeners().Append(made);
    return made;
  }();
  return only;
}

}  // namespace

std::vector<CaseResult> cases_of(const std::string& output) {
  std::vector<CaseResult> cases;
  std::istringstream begins(output), others(output);
  std::string line, rest, running;
  bool has_sums = false;
  // First of all: the MPI may pass on failures, which are on stderr, before them.
  while (std::getline(begins, line)) {
    if (follows(line, "[begins] ", rest)) running = case_named(cases, rest).name;
  }
  while (std::getline(others, line)) {
    if (follows(line, "[ended] ", rest)) {
      has_sums = true;
      const size_t colon = rest.rfind(": ");
      CaseResult& c = case_named(cases, rest.substr(0, colon));
      std::sscanf(rest.c_str() + colon, ": %ld checks, %ld failures", &c.checks, &c.failures);
    } else if (is_failure(line, rest)) {
      case_named(cases, rest).lines.push_back(line);
    }
  }
  for (CaseResult& c : cases) {
    if (has_sums) continue;
    c.failures = static_cast<long>(c.lines.size());
    c.is_last_of_ended_program = c.name == running;
  }
  return cases;
}

std::string failure_of(const CaseResult& result) {
  if (result.failures == 0 && !result.is_last_of_ended_program) return "";
  std::string text = result.name.empty() ? kUnnamed : result.name;
  if (result.is_last_of_ended_program) {
    text += ": the program ended in this case";
  } else if (result.checks == 0) {
    text += fmt::format(": {} checks failed", result.failures);
  } else {
    text += fmt::format(": {} of {} checks failed", result.failures, result.checks);
  }
  for (const std::string& line : result.lines) text += "\n" + line;
  return text;
}

std::string with_cases(const std::string& xml, const std::string& suite, const std::vector<CaseResult>& cases) {
  const size_t end = xml.rfind("</testsuites>");
  if (end == std::string::npos || cases.empty()) return xml;
  long failed = 0;
  std::string all;
  for (const CaseResult& c : cases) {
    const std::string name = attribute(c.name.empty() ? kUnnamed : c.name), failure = failure_of(c);
    all += fmt::format(R"(    <testcase name="{}" status="run" result="completed" time="0" classname="{}")", name,
                       attribute(suite));
    if (failure.empty()) {
      all += " />\n";
      continue;
    }
    ++failed;
    all += fmt::format(">\n      <failure message=\"{}\" type=\"\"></failure>\n    </testcase>\n", attribute(failure));
  }
  const std::string added = fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" disabled=\"0\" errors=\"0\" time=\"0\">\n{}"
      "  </testsuite>\n",
      attribute(suite), cases.size(), failed, all);
  return xml.substr(0, end) + added + xml.substr(end);
}

void report_cases(const std::vector<CaseResult>& cases) {
  for (const CaseResult& c : cases) {
    if (const std::string failure = failure_of(c); !failure.empty()) ADD_FAILURE() << failure;
  }
  const ::testing::TestInfo* test = ::testing::UnitTest::GetInstance()->current_test_info();
  cases_in_report().add(fmt::format("{}.{}", test->test_suite_name(), test->name()), cases);
}

}  // namespace strata::mpix::testing
