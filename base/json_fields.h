// SPDX-License-Identifier: LGPL-2.1-only
// Writes and reads a type's JSON object from one list of its fields. For example
//
//   template <class Fields, Either<Metric> T>
//   void list(Fields& fields, T& metric) {
//     fields("name", metric.name);
//     fields("unit", metric.unit);
//   }
//
// converts a Metric to {"name":"computing","unit":"s"} and back. Keys are written in the order of the list.
// (NLOHMANN_DEFINE_TYPE_* of version 3.11.2, in Debian 12, only supports nlohmann::json, which sorts its keys.)
//
// Only for source files of this room.
#pragma once

#include <concepts>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>

#include "base/json.h"

namespace strata {

/// T is `Value`, or `const Value` when it is written.
template <class T, class Value>
concept Either = std::same_as<std::remove_const_t<T>, Value>;

class JsonWriter {
 public:
  explicit JsonWriter(Json& json) : json_(json) {}

  template <class T>
  void operator()(const char* key, const T& value) {
    json_[key] = value;
  }
  template <class T>
  void operator()(const char* key, const std::optional<T>& value) {
    json_[key] = value ? Json(*value) : Json();
  }
  /// A field that is missing in documents of earlier versions.
  template <class T>
  void later(const char* key, const T& value) {
    (*this)(key, value);
  }
  /// A field that is omitted if it is empty.
  template <class T>
  void unless_empty(const char* key, const T& value) {
    if (!value.empty()) json_[key] = value;
  }
  template <class T>
  void unless_empty(const char* key, const std::optional<T>& value) {
    if (value) json_[key] = *value;
  }
  /// A field that is omitted if it has its default value, T{}.
  template <class T>
  void unless_usual(const char* key, const T& value) {
    if (value != T{}) json_[key] = value;
  }

 private:
  Json& json_;
};

/// Throws nlohmann's exceptions if a field is missing or has a different type.
class JsonReader {
 public:
  explicit JsonReader(const Json& json) : json_(json) {}

  template <class T>
  void operator()(const char* key, T& value) {
    json_.at(key).get_to(value);
  }
  template <class T>
  void operator()(const char* key, std::optional<T>& value) {
    const Json& j = json_.at(key);
    if (!j.is_null()) value = j.get<T>();
  }
  template <class T>
  void later(const char* key, T& value) {
    if (json_.contains(key)) (*this)(key, value);
  }
  template <class T>
  void unless_empty(const char* key, T& value) {
    if (json_.contains(key)) (*this)(key, value);
  }
  template <class T>
  void unless_usual(const char* key, T& value) {
    if (json_.contains(key)) (*this)(key, value);
  }

 private:
  const Json& json_;
};

template <class T>
concept HasFields = requires(JsonWriter& writer, const T& value) {
  list(writer, value);
};

template <HasFields T>
void to_json(Json& json, const T& value) {
  json = Json::object();
  JsonWriter writer(json);
  list(writer, value);
}

template <HasFields T>
void from_json(const Json& json, T& value) {
  JsonReader reader(json);
  list(reader, value);
}

}  // namespace strata
