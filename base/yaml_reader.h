// SPDX-License-Identifier: LGPL-2.1-only
// Reads YAML with errors that give file, line, problem and remedy.
#pragma once

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace strata {

inline constexpr long kMostWhole = 1L << 53;  // what a double, and so any JSON reader, represents exactly

/// Parses a file. Throws InputError if it cannot be read, is malformed, is not UTF-8, or is not a mapping; `remedy` is
/// for a file that is not a mapping.
YAML::Node load_yaml(const std::filesystem::path& file, const std::string& remedy = "begin with `schema: ...`");

/// The same for a file that is a list.
YAML::Node load_yaml_list(const std::filesystem::path& file, const std::string& remedy);

/// Typed access to one mapping or sequence of a YAML file. Every failure is an InputError with file and line.
class YamlReader {
 public:
  YamlReader(std::string file, const YAML::Node& node, std::string path = "");
  /// A value from the command line; `where` is the place in errors: "--set seed=1".
  static YamlReader setting(const std::string& where, const std::string& value);

  /// "FILE:LINE: PATH".
  std::string where() const;
  /// The folder for relative paths in the file; empty for a setting, whose paths are relative to the working directory.
  std::filesystem::path folder() const;
  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const;

  /// Rejects keys that are not in the list, and lists the known ones.
  void only(std::initializer_list<std::string_view> keys) const { only(std::vector(keys)); }
  void only(const std::vector<std::string_view>& keys) const;
  bool has(const std::string& key) const;
  /// The value of a required key; `remedy` says what to add.
  YamlReader at(const std::string& key, const std::string& remedy = "") const;
  std::string text() const;
  double number() const;
  /// A whole number within [low, high].
  long integer(long low = -kMostWhole, long high = kMostWhole) const;
  /// YAML's boolean words in a file; `true` or `false` in a setting.
  bool boolean() const;
  /// The elements of a sequence.
  std::vector<YamlReader> items() const;
  /// The keys of a mapping, in the order of the file.
  std::vector<std::string> keys() const;
  bool is_map() const { return node_.IsMap(); }
  bool is_sequence() const { return node_.IsSequence(); }
  bool is_scalar() const { return node_.IsScalar(); }
  bool is_empty() const { return node_.IsScalar() && node_.Scalar().empty(); }
  int line() const { return line_; }

 private:
  std::string file_;
  YAML::Node node_;
  std::string path_;
  int line_;
  bool is_setting_ = false;
};

}  // namespace strata
