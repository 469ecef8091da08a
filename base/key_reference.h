// SPDX-License-Identifier: LGPL-2.1-only
// Generates documentation from a table of keys: a reference page for people and a JSON Schema for editors and
// validators.
#pragma once

#include <string>
#include <vector>

#include "base/keys.h"

namespace strata {

/// Markdown: a table of the file's keys, then a section for each mapping among them, in the order in which they occur.
/// With `settings`, a column says which keys `--set` accepts.
std::string reference_of(const std::vector<Key>& keys, bool settings);

/// A JSON Schema (draft 2020-12) for files with these keys. It checks the form of each value, and that a file has
/// exactly one of the keys `either`; it does not check other conditions between keys.
std::string schema_of(const std::string& title, const std::string& description, const std::vector<Key>& keys,
                      const std::vector<std::string>& either = {});

}  // namespace strata
