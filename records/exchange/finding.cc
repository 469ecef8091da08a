// SPDX-License-Identifier: LGPL-2.1-only
#include "records/exchange/finding.h"

#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "base/error.h"
#include "base/own_file.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const FoundCall& call) {
  return {{"rank", call.rank},
          {"function", call.function},
          {"at", {{"file", call.at.file}, {"offset", call.at.offset}}},
          {"text", call.text}};
}

FoundCall call_of(const Json& json) {
  return {.rank = json.at("rank"),
          .function = json.at("function"),
          .at = {.file = json.at("at").at("file"), .offset = json.at("at").at("offset")},
          .text = json.at("text")};
}

}  // namespace

std::string line_of(const Finding& finding) {
  Json json = {{"class", finding.kind}, {"check", finding.check}};
  json.update(json_of(finding.call));
  json["others"] = Json::array();
  for (const FoundCall& other : finding.others) json["others"].push_back(json_of(other));
  json["rule"] = finding.rule;
  json["source"] = finding.source;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<Finding> read_findings(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return {};
  const std::string text = read_whole(file);
  std::istringstream in(text.substr(0, text.rfind('\n') + 1));
  std::vector<Finding> findings;
  for (std::string line; std::getline(in, line);) {
    try {
      const Json json = Json::parse(line);
      Finding finding{.kind = json.at("class"),
                      .check = json.at("check"),
                      .call = call_of(json),
                      .rule = json.at("rule"),
                      .source = json.at("source")};
      for (const Json& other : json.at("others")) finding.others.push_back(call_of(other));
      findings.push_back(std::move(finding));
    } catch (const Json::exception& e) {
      throw InputError(file.string(), std::string("is not a file of findings: ") + e.what(), "run the program again");
    }
  }
  return findings;
}

}  // namespace strata
