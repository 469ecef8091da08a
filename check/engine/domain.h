// SPDX-License-Identifier: LGPL-2.1-only
// Domains, from which areas are made. A Domain defines the cases, the outcome of the code under check for a case, and
// the properties of both. area_of makes an Area from it. For example:
//
//   struct Case {...};     // a value
//   struct Outcome {...};  // the results of the code; computed once for all properties
//   class HsplitDomain : public Domain<Case, Outcome> {...};
//   std::unique_ptr<Area> hsplit_area() { return area_of(std::make_unique<HsplitDomain>()); }
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "check/engine/area.h"

namespace strata::check {

using Random = std::mt19937_64;

template <class Case, class Outcome>
struct Property {
  PropertyInfo info;
  /// For a kSometimes: returns holds() if the case has the property, otherwise not_asked().
  std::function<Judgement(const Case&, const Outcome&)> judge;
};

/// A kSometimes property: at least one case must have it. `has(c, outcome)` returns whether a case does.
template <class Case, class Outcome, class Has>
Property<Case, Outcome> sometimes(std::string name, std::string statement, std::string source, Has has) {
  return {{std::move(name), std::move(statement), std::move(source), PropertyInfo::Kind::kSometimes},
          [has](const Case& c, const Outcome& o) { return has(c, o) ? Judgement::holds() : Judgement::not_asked(); }};
}

/// Appends the properties of another file.
template <class Case, class Outcome>
void append(std::vector<Property<Case, Outcome>>& all, std::vector<Property<Case, Outcome>> more) {
  for (Property<Case, Outcome>& p : more) all.push_back(std::move(p));
}

template <class CaseType, class OutcomeType>
class Domain {
 public:
  using Case = CaseType;
  using Outcome = OutcomeType;
  /// Returns false to stop.
  using Visit = std::function<bool(const Case&)>;

  Domain() = default;
  Domain(const Domain&) = delete;
  Domain& operator=(const Domain&) = delete;
  virtual ~Domain() = default;

  virtual std::string name() const = 0;
  virtual std::string about() const = 0;
  virtual Bounds bounds(Effort effort) const = 0;
  virtual long random_cases(Effort effort) const = 0;
  virtual std::string remark(const Bounds&) const { return {}; }
  virtual std::vector<Property<Case, Outcome>> properties() const = 0;

  /// All cases within the bounds, from small to large, always in the same order.
  virtual void enumerate(const Bounds& bounds, const Visit& visit) const = 0;
  /// A random case beyond the bounds.
  virtual Case random(const Bounds& bounds, Random& random) const = 0;
  /// Equal for cases that differ only by a symmetry, and almost always different for others. Used to count distinct
  /// cases.
  virtual std::uint64_t fingerprint(const Case& c) const = 0;
  /// Calls the code under check. An exception violates all properties that are checked.
  virtual Outcome run(const Case& c) const = 0;

  /// Converts a case to a line without blanks, and back. read() throws InputError.
  virtual std::string key(const Case& c) const = 0;
  virtual Case read(const std::string& key) const = 0;
  /// Cases that are one step simpler: with one rank, vertex or level less.
  virtual std::vector<Case> smaller(const Case& c) const = 0;
  virtual Drawing draw(const Case& c) const = 0;
};

/// The shard of a kind of cases, from 1 to `shards`. Kinds are distributed evenly by the last step of SplitMix64.
inline int shard_of(std::uint64_t kind, int shards) {
  kind = (kind ^ (kind >> 30U)) * 0xbf58476d1ce4e5b9U;
  kind = (kind ^ (kind >> 27U)) * 0x94d049bb133111ebU;
  return static_cast<int>((kind ^ (kind >> 31U)) % static_cast<std::uint64_t>(shards)) + 1;
}

template <class D>
class AreaOf : public Area {
 public:
  using Case = typename D::Case;
  using Outcome = typename D::Outcome;

  explicit AreaOf(std::unique_ptr<D> domain)
      : domain_(std::move(domain)),
        name_(domain_->name()),
        about_(domain_->about()),
        properties_(domain_->properties()) {
    for (const auto& p : properties_) infos_.push_back(p.info);
  }

  const std::string& name() const override { return name_; }
  const std::string& about() const override { return about_; }
  const std::vector<PropertyInfo>& properties() const override { return infos_; }
  Bounds bounds(Effort effort) const override { return domain_->bounds(effort); }
  long random_cases(Effort effort) const override { return domain_->random_cases(effort); }
  std::string remark(const Bounds& bounds) const override { return domain_->remark(bounds); }

  Tally explore(const Share& share) const override {
    Tally tally;
    tally.asked.resize(properties_.size());
    tally.first.resize(properties_.size(), Tally::kNever);
    for_each(share, [&](long index, bool enumerated, const Case& c) {
      if (index % share.workers != share.worker) return true;
      share.at->store(index, std::memory_order_relaxed);
      const std::uint64_t kind = enumerated ? domain_->fingerprint(c) : static_cast<std::uint64_t>(index);
      if (share.shard.of > 1 && shard_of(kind, share.shard.of) != share.shard.number) return true;
      ++(enumerated ? tally.cases : tally.random_cases);
      if (enumerated) tally.fingerprints.push_back(kind);
      look(share, index, c, tally);
      return true;
    });
    return tally;
  }

  std::string key(const Share& share, long wanted) const override {
    std::string key;
    for_each(share, [&](long index, bool, const Case& c) {
      if (index == wanted) key = domain_->key(c);
      return index < wanted;
    });
    return key;
  }

  Judgement judge(const std::string& key, size_t property) const override {
    const Case c = domain_->read(key);
    try {
      return properties_.at(property).judge(c, domain_->run(c));
    } catch (const std::exception& e) {
      return threw(e);
    }
  }

  std::vector<std::string> smaller(const std::string& key) const override {
    std::vector<std::string> keys;
    for (const Case& c : domain_->smaller(domain_->read(key))) keys.push_back(domain_->key(c));
    return keys;
  }

  Drawing draw(const std::string& key) const override { return domain_->draw(domain_->read(key)); }

 private:
  static Judgement threw(const std::exception& e) {
    return Judgement::violated(std::string("the code under check throws: ") + e.what());
  }

  // Visits cases with their numbers until `visit` returns false.
  template <class Visit>
  void for_each(const Share& share, const Visit& visit) const {
    long index = 0;
    bool more = true;
    domain_->enumerate(share.bounds, [&](const Case& c) { return more = visit(index++, true, c); });
    for (long i = 0; more && i < share.random_cases; ++i) {
      std::seed_seq seed{share.seed, static_cast<std::uint64_t>(i)};
      Random random(seed);
      more = visit(index++, false, domain_->random(share.bounds, random));
    }
  }

  void look(const Share& share, long index, const Case& c, Tally& tally) const {
    const auto note = [&](size_t p, const Judgement& judgement) {
      tally.asked[p] += judgement.asked();
      if (judgement.violation() && tally.first[p] == Tally::kNever) tally.first[p] = index;
    };
    try {
      const Outcome outcome = domain_->run(c);
      for (size_t p : share.only) note(p, properties_[p].judge(c, outcome));
    } catch (const std::exception& e) {
      for (size_t p : share.only) note(p, threw(e));
    }
  }

  std::unique_ptr<D> domain_;
  std::string name_, about_;
  std::vector<Property<Case, Outcome>> properties_;
  std::vector<PropertyInfo> infos_;
};

template <class D>
std::unique_ptr<Area> area_of(std::unique_ptr<D> domain) {
  return std::make_unique<AreaOf<D>>(std::move(domain));
}

}  // namespace strata::check
