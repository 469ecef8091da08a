// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/hwloc_xml.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/input_file.h"

namespace strata {
namespace {

// For comparison: the largest XML file of the catalog has 162 KB.
constexpr std::uintmax_t kMostXml_bytes = 256 << 20;
constexpr const char* kGiveXml = "give an hwloc XML file, as `lstopo --of xml` writes it";

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// Position and length of the value of an attribute in an XML start tag; empty if the tag does not have it.
std::optional<std::pair<size_t, size_t>> find_attribute(std::string_view tag, std::string_view name) {
  for (size_t at = tag.find(name); at != std::string_view::npos; at = tag.find(name, at + 1)) {
    const size_t begin = at + name.size() + 2;
    if (at == 0 || !is_space(tag[at - 1]) || begin > tag.size() || tag[begin - 2] != '=') continue;
    const char quote = tag[begin - 1];
    if (quote != '"' && quote != '\'') continue;
    const size_t end = tag.find(quote, begin);
    if (end != std::string_view::npos) return std::pair(begin, end - begin);
  }
  return std::nullopt;
}

// Empty if the tag does not have it.
std::string_view attribute(std::string_view tag, std::string_view name) {
  const auto value = find_attribute(tag, name);
  return value ? tag.substr(value->first, value->second) : std::string_view();
}

// The position of the <topology> start tag; npos if there is none. Does not match <topologydiff>.
size_t find_topology(std::string_view xml) {
  constexpr std::string_view kStart = "<topology";
  size_t at = xml.find(kStart);
  while (at != std::string_view::npos && at + kStart.size() < xml.size() &&
         std::isalnum(static_cast<unsigned char>(xml[at + kStart.size()])) != 0) {
    at = xml.find(kStart, at + 1);
  }
  return at;
}

}  // namespace

bool is_xml_file(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string head(4096, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(file.gcount());
  size_t at = head.rfind("\xEF\xBB\xBF", 0) == 0 ? 3 : 0;  // byte order mark
  while (at < head.size() && is_space(head[at])) ++at;
  // Excludes YAML, which may begin with `<<: *defaults`.
  return at + 1 < head.size() && head[at] == '<' && head[at + 1] != '<';
}

std::string as_hwloc2_xml(std::string xml, const std::string& where) {
  const size_t start = find_topology(xml);
  if (start == std::string::npos) {
    throw InputError(where, "is not hwloc XML: it has no <topology> element",
                     "write it with `lstopo --of xml " + where + "`");
  }
  const size_t end = xml.find('>', start);
  if (end == std::string::npos) return xml;  // truncated: libhwloc refuses it
  const std::string_view tag = std::string_view(xml).substr(start, end - start);
  const auto version = find_attribute(tag, "version");
  const std::string number(version ? tag.substr(version->first, version->second) : "");
  const std::string major = number.substr(0, number.find('.'));
  if (number.empty() || major == "1") {
    throw InputError(where, "is hwloc 1 XML (its <topology> has no version 2)",
                     "write it again with hwloc 2: `lstopo --of xml`");
  }
  if (major == "3") {
    // hwloc 2 can read the objects that hwloc 3 writes, because it ignores attributes that it does not know. After the
    // root object, hwloc 3 writes elements that hwloc 2 does not know. They are not part of the tree, so they are
    // removed here. Source: hwloc's topology-xml.c, hwloc__xml_import_object and hwloc_look_xml, of 2.9 and 3.0.
    const size_t last = xml.rfind("</object>");
    const size_t close = xml.rfind("</topology>");
    if (last != std::string::npos && close != std::string::npos && end < last && last < close) {
      xml.replace(last, std::string::npos, "</object>\n</topology>\n");
    }
    xml.replace(start + version->first, version->second, "2.0");
  } else if (major != "2" && !major.empty() && std::isdigit(static_cast<unsigned char>(major[0])) != 0) {
    throw InputError(where, "is hwloc " + major + " XML", "write it with hwloc 2 or 3: `lstopo --of xml`");
  }
  return xml;
}

std::string read_hwloc_xml(const std::string& path) {
  return as_hwloc2_xml(read_input(path, kGiveXml, kMostXml_bytes), path);
}

Cpuset memory_only_nodes(std::string_view xml) {
  Cpuset nodes;
  size_t end = 0;  // end of the last tag examined, so that each tag is examined once
  for (size_t at = xml.find("NUMANode"); at != std::string_view::npos;
       at = xml.find("NUMANode", std::max(at + 1, end))) {
    const size_t begin = xml.substr(end, at - end).rfind('<');
    if (begin == std::string_view::npos) {
      end = at;
      continue;
    }
    const std::string_view tag = xml.substr(end + begin, xml.find('>', at) - (end + begin));
    end += begin + tag.size();
    if (attribute(tag, "type") != "NUMANode") continue;
    const std::string cpuset(attribute(tag, "cpuset"));
    Cpuset pus;
    if (cpuset.empty() || hwloc_bitmap_sscanf(pus.bitmap(), cpuset.c_str()) != 0 || !pus.empty()) continue;
    const std::optional<Cpuset> os_index = Cpuset::parse(std::string(attribute(tag, "os_index")));
    if (os_index) nodes |= *os_index;
  }
  return nodes;
}

}  // namespace strata
