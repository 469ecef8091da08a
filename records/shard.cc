// SPDX-License-Identifier: LGPL-2.1-only
#include "records/shard.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <optional>

#include "base/error.h"

namespace strata {

Shard read_shard(const std::string& text) {
  Shard shard;
  const char* end = text.data() + text.size();
  const auto [slash, bad_number] = std::from_chars(text.data(), end, shard.number);
  bool read = bad_number == std::errc() && slash != end && *slash == '/';
  if (read) {
    const auto [last, bad_of] = std::from_chars(slash + 1, end, shard.of);
    read = bad_of == std::errc() && last == end;
  }
  if (!read || shard.number < 1 || shard.of < shard.number || shard.of > kMostShards) {
    throw InputError(
        "--shard " + text, "is not a shard",
        "give its number and how many there are, from 1/8 to 8/8 for eight; at most " + std::to_string(kMostShards));
  }
  return shard;
}

std::string text_of(const Shard& shard) { return std::to_string(shard.number) + "/" + std::to_string(shard.of); }

void require_all_shards(const std::vector<NamedShard>& shards,
                        const std::function<std::string(const Shard&)>& command) {
  const NamedShard& first = shards.front();
  std::map<int, std::string> names;
  for (const auto& [name, shard] : shards) {
    if (shard.of != first.shard.of) {
      throw InputError(name, fmt::format("is shard {}, but {} is {}", text_of(shard), first.name, text_of(first.shard)),
                       "name the shards of one run");
    }
    const auto [known, is_new] = names.emplace(shard.number, name);
    if (!is_new)
      throw InputError(name, fmt::format("is shard {}, as {} is", text_of(shard), known->second), "name one of them");
  }
  constexpr size_t kNamed = 10;
  std::vector<std::string> missing;
  std::optional<Shard> first_missing;
  size_t more = 0;
  for (int number = 1; number <= first.shard.of; ++number) {
    if (names.contains(number)) continue;
    const Shard shard{number, first.shard.of};
    if (!first_missing) first_missing = shard;
    if (missing.size() < kNamed) {
      missing.push_back(text_of(shard));
    } else {
      ++more;
    }
  }
  if (!first_missing) return;
  const std::string others = more > 0 ? fmt::format(" and {} more", more) : "";
  const bool one = missing.size() == 1;
  throw InputError(
      "command line",
      fmt::format("{} {}{} {} missing", one ? "shard" : "shards", fmt::join(missing, ", "), others, one ? "is" : "are"),
      fmt::format("name {} too, or run `{}`", one ? "it" : "them", command(*first_missing)));
}

}  // namespace strata
