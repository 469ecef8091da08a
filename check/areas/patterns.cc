// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/patterns.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace strata::check {
namespace {

// A pattern as a word: one letter for each entry, which is an index into kBytes.
using Word = std::vector<std::uint8_t>;
constexpr double kBytes[] = {0, 1, kLargeEntry};

class Words {
 public:
  Words(int ranks, Entries entries, int letters)
      : ranks_(ranks), letters_(letters), entries_(entries), slot_(ranks * ranks, -1) {
    for (int a = 0; a < ranks; ++a) {
      for (int b = 0; b < ranks; ++b) {
        if (a == b ? entries != Entries::kDirectedAndSelves : entries == Entries::kBothWays && a > b) continue;
        slot_[a * ranks + b] = static_cast<int>(pairs_.size());
        pairs_.emplace_back(a, b);
      }
    }
    for (const Permutation& name : permutations_of(ranks)) {
      std::vector<int> from;
      for (const auto& [a, b] : pairs_) from.push_back(slot_of(name[a], name[b]));
      renamings_.emplace_back(name, std::move(from));
    }
  }

  Word first() const { return Word(pairs_.size(), 0); }
  bool next(Word& word) const {
    for (std::uint8_t& letter : word) {
      if (++letter < letters_) return true;
      letter = 0;
    }
    return false;
  }

  // Whether no renaming gives a smaller word. `symmetries` gets the renamings that give the same word.
  bool is_least(const Word& word, std::vector<Permutation>& symmetries) const {
    symmetries.clear();
    for (const auto& [name, from] : renamings_) {
      size_t i = 0;
      while (i < word.size() && word[from[i]] == word[i]) ++i;
      if (i == word.size()) {
        symmetries.push_back(name);
      } else if (word[from[i]] < word[i]) {
        return false;
      }
    }
    return true;
  }

  std::vector<Flow> flows(const Word& word) const {
    std::vector<Flow> flows;
    for (int a = 0; a < ranks_; ++a) {
      for (int b = 0; b < ranks_; ++b) {
        const int slot = slot_of(a, b);
        if (slot >= 0 && word[slot] > 0) flows.push_back({a, b, kBytes[word[slot]]});
      }
    }
    return flows;
  }

 private:
  int slot_of(int a, int b) const {
    const bool turned = entries_ == Entries::kBothWays && a > b;
    return turned ? slot_[b * ranks_ + a] : slot_[a * ranks_ + b];
  }

  int ranks_, letters_;
  Entries entries_;
  std::vector<int> slot_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<std::pair<Permutation, std::vector<int>>> renamings_;
};

}  // namespace

std::vector<SmallPattern> small_patterns(int ranks, Entries entries, bool weighted) {
  const Words words(ranks, entries, weighted ? 3 : 2);
  std::vector<SmallPattern> patterns;
  Word word = words.first();
  std::vector<Permutation> symmetries;
  do {
    if (words.is_least(word, symmetries)) patterns.push_back({words.flows(word), symmetries});
  } while (words.next(word));
  std::stable_sort(patterns.begin(), patterns.end(),
                   [](const SmallPattern& a, const SmallPattern& b) { return a.flows.size() < b.flows.size(); });
  return patterns;
}

std::vector<double> dense(int ranks, const std::vector<Flow>& flows) {
  std::vector<double> bytes(static_cast<size_t>(ranks) * ranks, 0);
  for (const Flow& flow : flows) bytes[static_cast<size_t>(flow.from) * ranks + flow.to] += flow.bytes;
  return bytes;
}

std::vector<Flow> random_flows(int ranks, int per_rank, int most, std::mt19937_64& random) {
  std::vector<Flow> flows;
  for (int i = 0; i < ranks * per_rank; ++i) {
    const int from = below(random, ranks), to = below(random, ranks);
    flows.push_back({from, to, 1.0 + below(random, most)});
  }
  return flows;
}

std::vector<Flow> stencil(const std::vector<int>& dims, const Permutation& name) {
  std::vector<Flow> flows;
  for (int p = 0; p < static_cast<int>(name.size()); ++p) {
    int step = 1;
    for (int dim : dims) {
      if (p / step % dim + 1 < dim) {
        flows.push_back({name[p], name[p + step], 1000});
        flows.push_back({name[p + step], name[p], 1000});
      }
      step *= dim;
    }
  }
  return flows;
}

}  // namespace strata::check
