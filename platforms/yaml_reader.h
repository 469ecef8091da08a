// Reading YAML with errors that tell file, line, what is wrong and what would be right.
#pragma once

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace strata {

/// Parses a file; throws InputError where it cannot be read or is malformed.
YAML::Node load_yaml(const std::filesystem::path& file);

/// Typed access to one mapping or sequence of a YAML file. Every failure is an InputError with file and line.
class YamlReader {
 public:
  YamlReader(std::string file, const YAML::Node& node, std::string path = "");

  /// "FILE:LINE: PATH".
  std::string where() const;
  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const;

  /// Refuses keys that are not in the list, naming those that are.
  void only(std::initializer_list<std::string_view> keys) const { only(std::vector(keys)); }
  void only(const std::vector<std::string_view>& keys) const;
  bool has(const std::string& key) const;
  /// The value of a key that must be there; `remedy` says what to add.
  YamlReader at(const std::string& key, const std::string& remedy = "") const;
  std::string text() const;
  double number() const;
  /// A whole number within [low, high].
  long integer(long low, long high) const;
  bool boolean() const;
  /// The elements of a sequence.
  std::vector<YamlReader> items() const;
  /// The keys of a mapping, in the order of the file.
  std::vector<std::string> keys() const;
  bool is_map() const { return node_.IsMap(); }
  bool is_sequence() const { return node_.IsSequence(); }
  bool is_scalar() const { return node_.IsScalar(); }
  int line() const { return line_; }

 private:
  std::string file_;
  YAML::Node node_;
  std::string path_;
  int line_;
};

}  // namespace strata
