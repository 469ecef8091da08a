// SPDX-License-Identifier: LGPL-2.1-only
// JSON with the line of each object, list and member, for errors about a user's file. {"a": [1,\n"b"]} becomes an
// object with the member "a" of line 1, a list whose second item is a string.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace strata::collectives {

struct LinedJson {
  enum class Kind { kNull, kBoolean, kInteger, kNumber, kString, kList, kObject };

  Kind kind = Kind::kNull;
  int line = 0;                       // of an item of a list that is neither a list nor an object: the list's
  std::string key = {};               // of a member of an object
  int key_line = 0;                   // ... its line
  std::string text = {};              // of a string
  std::int64_t integer = 0;           // of an integer
  std::vector<LinedJson> items = {};  // of a list, or the members of an object in their order; a key may occur twice

  /// The first member with this key, or null.
  const LinedJson* find(std::string_view name) const;
};

/// `effect`: what the library does with a file that is not JSON, "Open MPI reads it as ...". Throws InputError with
/// file and line.
LinedJson parse_lined_json(const std::string& text, const std::string& file, const std::string& effect);

}  // namespace strata::collectives
