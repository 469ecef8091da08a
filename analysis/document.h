// SPDX-License-Identifier: LGPL-2.1-only
// A place in a JSON document, so that errors can name it: `exec.json: /simulated_time/value is missing; ...`.
#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json.h"

namespace strata::analysis {

class Document {
 public:
  /// The whole document, which must outlive this object. `remedy`: the advice in all errors.
  Document(const Json& json, std::string file, std::string remedy)
      : json_(&json), errors_(std::make_shared<const Errors>(Errors{std::move(file), std::move(remedy)})) {}

  bool has(const char* key) const { return json_->is_object() && json_->contains(key); }
  const Json& json() const { return *json_; }

  /// Throw InputError if the value is missing or has another type.
  Document at(const std::string& key) const {
    const auto found = json_->is_object() ? json_->find(key) : json_->end();
    if (found == json_->end()) fail(path_ + "/" + key + " is missing");
    return {*found, *this, path_ + "/" + key};
  }
  /// The length of a list.
  std::size_t size() const {
    if (!json_->is_array()) fail(path_ + " is not a list");
    return json_->size();
  }
  Document item(std::size_t i) const { return {(*json_)[i], *this, path_ + "/" + std::to_string(i)}; }
  std::vector<Document> items() const {
    std::vector<Document> all;
    for (std::size_t i = 0; i < size(); ++i) all.push_back(item(i));
    return all;
  }
  std::vector<std::string> keys() const {
    if (!json_->is_object()) fail(path_ + " is not an object");
    std::vector<std::string> all;
    for (const auto& [key, value] : json_->items()) all.push_back(key);
    return all;
  }
  std::string text() const {
    if (!json_->is_string()) fail(path_ + " is not a text");
    return json_->get<std::string>();
  }
  /// A number that is not negative: times, bytes, counts.
  double amount() const {
    if (!json_->is_number() || json_->get<double>() < 0) fail(path_ + " is not a number of at least 0");
    return json_->get<double>();
  }
  double number() const {
    if (!json_->is_number()) fail(path_ + " is not a number");
    return json_->get<double>();
  }

  [[noreturn]] void fail(const std::string& what) const { throw InputError(errors_->file, what, errors_->remedy); }

 private:
  struct Errors {
    std::string file, remedy;
  };

  Document(const Json& json, const Document& parent, std::string path)
      : json_(&json), errors_(parent.errors_), path_(std::move(path)) {}

  const Json* json_;
  std::shared_ptr<const Errors> errors_;
  std::string path_;
};

}  // namespace strata::analysis
