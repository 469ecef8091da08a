// SPDX-License-Identifier: LGPL-2.1-only
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "analysis/gate.h"
#include "base/svg_text.h"
#include "base/utf8.h"

namespace strata::analysis {
namespace {

// XML 1.0 allows no control characters except tab and line ends, not even escaped, and only valid UTF-8.
std::string xml_text(const std::string& text) {
  std::string clean;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t bad = std::min(first_not_utf8(rest), rest.size());
    for (const char c : rest.substr(0, bad)) clean += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
    if (bad == rest.size()) break;
    clean += '?';
    rest.remove_prefix(bad + 1);
  }
  return svg_escape(clean);
}

std::string attribute(const char* name, const std::string& value) {
  return fmt::format(" {}=\"{}\"", name, xml_text(value));
}

std::string case_name(const Quantity& q) { return q.at.empty() ? q.metric : q.metric + " at " + q.at; }

// A failure or error, with a short reason and the details.
std::string problem(const Gate& gate, const Difference& d, const char* element) {
  const auto side = [&](const std::vector<Quantity>& list, const std::optional<std::size_t>& i) {
    return shown_value(i ? &list[*i] : nullptr);
  };
  const Quantity& q = gate.quantity(d);
  const std::string verdict = word_of(kChangeWords, d.change);
  const std::string message = fmt::format("{} {}: {} -> {} ({})", case_name(q), verdict, side(gate.sides.base, d.base),
                                          side(gate.sides.now, d.now), change_text(gate, d));
  std::string text = fmt::format("base: {}: {}\nnew: {}: {}\nchange: {}\ntolerance: {:g} %\n", gate.base,
                                 side(gate.sides.base, d.base), gate.now, side(gate.sides.now, d.now),
                                 change_text(gate, d), d.tolerance * 100);
  for (const std::string& why : {test_text(gate, d), bar_text(gate, d)}) {
    if (!why.empty()) text += why + "\n";
  }
  std::string escaped;  // line by line, because xml_text replaces line feeds with blanks
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    escaped += xml_text(text.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return fmt::format("      <{0}{1}{2}>{3}</{0}>\n", element, attribute("type", verdict), attribute("message", message),
                     escaped);
}

}  // namespace

std::string gate_junit(const Gate& gate) {
  std::string cases;
  std::size_t tests = 0, failures = 0, errors = 0;
  const std::string name = "strata compare " + gate.kind;
  const auto add = [&](const std::string& metric, const std::string& case_, const std::string& body) {
    ++tests;
    const std::string head =
        fmt::format("    <testcase{}{}{}", attribute("classname", "strata." + gate.kind + "." + metric),
                    attribute("name", case_), attribute("time", "0"));
    cases += body.empty() ? head + "/>\n" : head + ">\n" + body + "    </testcase>\n";
  };
  for (const Difference& d : gate.differences) {
    if (!d.judged) continue;
    const bool failed = fails(d, gate.rules), undecided = d.change == Change::kUndecided;
    failures += failed ? 1 : 0;
    errors += undecided ? 1 : 0;
    const Quantity& q = gate.quantity(d);
    add(q.metric, case_name(q), failed ? problem(gate, d, "failure") : undecided ? problem(gate, d, "error") : "");
  }
  if (gate.sides.equal > 0) add("equal", fmt::format("{} others are equal", gate.sides.equal), "");
  const std::string totals = attribute("name", name) + attribute("tests", std::to_string(tests)) +
                             attribute("failures", std::to_string(failures)) +
                             attribute("errors", std::to_string(errors)) + attribute("time", "0");
  std::string properties;
  for (const auto& [key, value] : {std::pair{"base", gate.base}, std::pair{"new", gate.now}})
    properties += fmt::format("      <property{}{}/>\n", attribute("name", key), attribute("value", value));
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites{0}>\n  <testsuite{0}>\n    <properties>\n{1}    "
      "</properties>\n{2}  </testsuite>\n</testsuites>\n",
      totals, properties, cases);
}

}  // namespace strata::analysis
