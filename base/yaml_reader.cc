// SPDX-License-Identifier: LGPL-2.1-only
#include "base/yaml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/input_file.h"
#include "base/utf8.h"

namespace strata {
namespace {

// Whether it has a byte order mark of UTF-16 or UTF-32, which yaml-cpp would accept.
bool is_other_unicode(std::string_view text) {
  constexpr std::string_view kUtf32BigEndian("\0\0\xFE\xFF", 4);
  return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF") || text.starts_with(kUtf32BigEndian);
}

// yaml-cpp needs far more memory than the text has. For comparison: a list of a million groups has 3 MB.
constexpr std::uintmax_t kMostYaml_bytes = 64 << 20;

YAML::Node parse(const std::filesystem::path& file) {
  const std::string bytes = read_input(file, "give a YAML file that can be read", kMostYaml_bytes);
  if (const size_t bad = first_not_utf8(bytes); bad != std::string_view::npos && !is_other_unicode(bytes)) {
    const auto line = 1 + std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(bad), '\n');
    throw InputError(file.string() + ":" + std::to_string(line), "has a byte that is not UTF-8",
                     "save the file as UTF-8, for example with iconv");
  }
  try {
    return YAML::Load(bytes);
  } catch (const YAML::Exception& e) {
    throw InputError(file.string() + ":" + std::to_string(e.mark.line + 1), "malformed YAML: " + e.msg,
                     "check indentation, quotes and brackets there");
  }
}

}  // namespace

YAML::Node load_yaml(const std::filesystem::path& file, const std::string& remedy) {
  YAML::Node node = parse(file);
  if (!node.IsMap()) throw InputError(file.string(), "is not a YAML mapping", remedy);
  return node;
}

YAML::Node load_yaml_list(const std::filesystem::path& file, const std::string& remedy) {
  YAML::Node node = parse(file);
  if (!node.IsSequence()) throw InputError(file.string(), "is not a YAML list", remedy);
  return node;
}

YamlReader::YamlReader(std::string file, const YAML::Node& node, std::string path)
    : file_(std::move(file)), node_(node), path_(std::move(path)), line_(node_.Mark().line + 1) {}

YamlReader YamlReader::setting(const std::string& where, const std::string& value) {
  YamlReader reader(where, YAML::Node(value));
  reader.is_setting_ = true;
  return reader;
}

std::filesystem::path YamlReader::folder() const {
  return is_setting_ ? std::filesystem::path() : std::filesystem::path(file_).parent_path();
}

std::string YamlReader::where() const {
  if (is_setting_) return file_;
  return file_ + ":" + std::to_string(line()) + (path_.empty() ? "" : ": " + path_);
}

void YamlReader::fail(const std::string& what, const std::string& remedy) const {
  throw InputError(where(), what, remedy);
}

void YamlReader::only(const std::vector<std::string_view>& keys) const {
  const std::string known = fmt::format("{}", fmt::join(keys, ", "));
  if (!node_.IsMap()) fail("is not a mapping", "it has the keys " + known);
  std::vector<std::string> seen;
  for (const auto& entry : node_) {
    const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : "?";
    const YamlReader at(file_, entry.first, path_);
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      at.fail("unknown key '" + key + "'", "known keys are " + known);
    if (std::find(seen.begin(), seen.end(), key) != seen.end()) at.fail("duplicate key '" + key + "'", "keep one");
    seen.push_back(key);
  }
}

bool YamlReader::has(const std::string& key) const { return node_.IsMap() && node_[key].IsDefined(); }

YamlReader YamlReader::at(const std::string& key, const std::string& remedy) const {
  if (!has(key)) fail("'" + key + "' is missing", remedy.empty() ? "add it" : remedy);
  YamlReader value(file_, node_[key], path_.empty() ? key : path_ + "." + key);
  if (value.node_.IsNull()) {  // for `key:` without a value, yaml-cpp reports a position on a later line
    for (const auto& entry : node_) {
      if (entry.first.IsScalar() && entry.first.Scalar() == key) value.line_ = entry.first.Mark().line + 1;
    }
  }
  return value;
}

std::string YamlReader::text() const {
  if (!node_.IsScalar() || node_.Scalar().empty()) fail("is not a text", "write one value");
  return node_.Scalar();
}

double YamlReader::number() const {
  double value = 0;
  if (!node_.IsScalar() || !YAML::convert<double>::decode(node_, value) || !std::isfinite(value)) {
    fail("'" + (node_.IsScalar() ? node_.Scalar() : std::string("...")) + "' is not a number", "write a finite number");
  }
  return value;
}

long YamlReader::integer(long low, long high) const {
  double value = 0;
  const bool is_number = node_.IsScalar() && YAML::convert<double>::decode(node_, value);
  if (!is_number || value != std::floor(value) || value < static_cast<double>(low) ||
      value > static_cast<double>(high)) {
    fail("'" + (node_.IsScalar() ? node_.Scalar() : std::string("...")) + "' is not a whole number from " +
             std::to_string(low) + " to " + std::to_string(high),
         "write one");
  }
  return static_cast<long>(value);
}

bool YamlReader::boolean() const {
  bool value = false;
  const bool is_word = !is_setting_ || node_.Scalar() == "true" || node_.Scalar() == "false";
  if (!is_word || !node_.IsScalar() || !YAML::convert<bool>::decode(node_, value))
    fail("is neither true nor false", "write one");
  return value;
}

std::vector<YamlReader> YamlReader::items() const {
  if (!node_.IsSequence()) fail("is not a list", "write [a, b] or lines that start with '-'");
  std::vector<YamlReader> result;
  for (size_t i = 0; i < node_.size(); ++i) result.emplace_back(file_, node_[i], path_ + "[" + std::to_string(i) + "]");
  return result;
}

std::vector<std::string> YamlReader::keys() const {
  if (!node_.IsMap()) fail("is not a mapping", "write `key: value` lines");
  std::vector<std::string> result;
  for (const auto& entry : node_) result.push_back(entry.first.Scalar());
  return result;
}

}  // namespace strata
