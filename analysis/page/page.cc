// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/page/page.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "analysis/page/assets.h"
#include "base/svg_text.h"
#include "base/whole_file.h"

namespace strata::analysis {
namespace {

// Two runs with the same name would look like one.
void make_names_different(std::vector<Json>& runs) {
  std::set<std::string> taken;
  for (Json& run : runs) {
    const std::string name = run.at("name").get<std::string>();
    std::string unique = name;
    for (int i = 2; !taken.insert(unique).second; ++i) unique = fmt::format("{} ({})", name, i);
    run["name"] = unique;
  }
}

std::string title_of(const std::vector<Json>& runs) {
  std::string title;
  for (const Json& run : runs) title += (title.empty() ? "" : "; ") + run.at("title").get<std::string>();
  return title;
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

}  // namespace

Json page_document(std::vector<Json> runs, const std::string& command) {
  make_names_different(runs);
  std::string title = title_of(runs);
  return {{"schema", "strata.page/1"}, {"title", std::move(title)}, {"command", command}, {"runs", std::move(runs)}};
}

std::string json_for_script(const Json& document) {
  // Invalid UTF-8, for example in a program's name, becomes U+FFFD.
  std::string text = document.dump(-1, ' ', false, Json::error_handler_t::replace);
  // In JSON, these characters occur only within strings. U+2028 and U+2029 end a line in old JavaScript.
  replace_all(text, "<", "\\u003c");
  replace_all(text, ">", "\\u003e");
  replace_all(text, "&", "\\u0026");
  replace_all(text, "\xe2\x80\xa8", "\\u2028");
  replace_all(text, "\xe2\x80\xa9", "\\u2029");
  return text;
}

std::string page_html(const Json& document) {
  std::string html = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  // Forbids the page to load anything from elsewhere.
  html +=
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src "
      "'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  html += "<title>" + svg_escape(document.at("title").get<std::string>()) + "</title>\n";
  html += "<style>\n";
  html += assets::kStyle;
  html += "</style>\n</head>\n";
  html += assets::kBody;
  html += "<script type=\"application/json\" id=\"data\">";
  html += json_for_script(document);
  html += "</script>\n<script>\n";
  html += assets::kPlots;
  html += "\n</script>\n<script>\n";
  html += assets::kScript;
  html += "</script>\n</body>\n</html>\n";
  return html;
}

void write_page(const std::filesystem::path& file, std::vector<Json> runs, const std::string& command) {
  write_whole(file, page_html(page_document(std::move(runs), command)));
}

}  // namespace strata::analysis
