// SPDX-License-Identifier: LGPL-2.1-only
// What is generated from a table of keys: a reference page for people and a JSON Schema for editors and validators.
#pragma once

#include <string>
#include <vector>

#include "platforms/keys.h"

namespace strata {

/// Markdown: a table of the file's keys, then a section for each mapping among them, in the order in which they are
/// met. With `settings` there is a column that says which keys `--set` takes.
std::string reference_of(const std::vector<Key>& keys, bool settings);

/// A JSON Schema (draft 2020-12) of files with these keys. It knows the form of each value, and that a file has exactly
/// one of the keys `either`; not what else several keys say together.
std::string schema_of(const std::string& title, const std::string& description, const std::vector<Key>& keys,
                      const std::vector<std::string>& either = {});

}  // namespace strata
