// SPDX-License-Identifier: LGPL-2.1-only
#include "check/engine/explore.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <set>
#include <span>
#include <thread>

#include "base/error.h"
#include "base/isolated.h"

namespace strata::check {

const PropertyInfo kReturns{.name = "returns",
                            .statement = "the code under check returns: no crash, no endless loop",
                            .source = "contract of every pure core",
                            .kind = PropertyInfo::Kind::kAlways};

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kMostShrinkingTrials = 5000;

// ------------------------------------------------------------------------------------------------------------- workers

// What a worker reports while it runs: the number of its current case. kStarting before the first case; kOver after the
// last.
constexpr long kStarting = -1, kOver = -2;

class SharedNumbers {
 public:
  explicit SharedNumbers(size_t n) : n_(n) {
    void* memory = ::mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw CheckerFailed("mmap: no memory to share with the workers");
    numbers_ = static_cast<std::atomic<long>*>(memory);
    for (size_t i = 0; i < n; ++i) new (numbers_ + i) std::atomic<long>(kStarting);
  }
  ~SharedNumbers() { ::munmap(numbers_, bytes()); }
  SharedNumbers(const SharedNumbers&) = delete;
  SharedNumbers& operator=(const SharedNumbers&) = delete;
  std::atomic<long>& operator[](size_t i) { return numbers_[i]; }

 private:
  size_t bytes() const { return n_ * sizeof(std::atomic<long>); }
  size_t n_;
  std::atomic<long>* numbers_;
};

template <class T>
void put(std::string& to, const std::vector<T>& values) {
  const std::uint64_t n = values.size();
  to.append(reinterpret_cast<const char*>(&n), sizeof n);
  to.append(reinterpret_cast<const char*>(values.data()), n * sizeof(T));
}

template <class T>
std::vector<T> take(const std::string& from, size_t& at) {
  std::uint64_t n = 0;
  std::memcpy(&n, from.data() + at, sizeof n);
  at += sizeof n;
  std::vector<T> values(n);
  if (n > 0) std::memcpy(values.data(), from.data() + at, n * sizeof(T));
  at += n * sizeof(T);
  return values;
}

void keep_distinct(std::vector<std::uint64_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

std::string pack(Tally tally) {
  keep_distinct(tally.fingerprints);
  std::string text;
  put(text, std::vector<long>{tally.cases, tally.random_cases});
  put(text, tally.asked);
  put(text, tally.first);
  put(text, tally.fingerprints);
  return text;
}

Tally unpack(const std::string& text) {
  size_t at = 0;
  const auto counts = take<long>(text, at);
  Tally tally{.cases = counts.at(0), .random_cases = counts.at(1)};
  tally.asked = take<long>(text, at);
  tally.first = take<long>(text, at);
  tally.fingerprints = take<std::uint64_t>(text, at);
  return tally;
}

bool earlier(long a, long b) { return a != Tally::kNever && (b == Tally::kNever || a < b); }

void add(Tally& sum, const Tally& more) {
  sum.cases += more.cases;
  sum.random_cases += more.random_cases;
  for (size_t p = 0; p < more.asked.size(); ++p) {
    sum.asked[p] += more.asked[p];
    if (earlier(more.first[p], sum.first[p])) sum.first[p] = more.first[p];
  }
  sum.fingerprints.insert(sum.fingerprints.end(), more.fingerprints.begin(), more.fingerprints.end());
}

// The latest case of a worker, and the processor time that it had used when this case was first noticed.
struct Step {
  long at = kStarting;
  double cpu_s = 0;
};

// Checks all cases with worker processes. The tally has an additional entry for kReturns.
Tally look_at_all(const Area& area, const Share& all, const ExploreOptions& options) {
  const size_t own = area.properties().size();
  Tally sum;
  sum.asked.resize(own + 1);
  sum.first.resize(own + 1, Tally::kNever);
  SharedNumbers at(static_cast<size_t>(all.workers));
  std::vector<Isolated> workers;
  std::vector<Step> steps(all.workers);
  for (long w = 0; w < all.workers; ++w) {
    Share share = all;
    share.worker = w;
    share.at = &at[w];
    workers.emplace_back([&area, share] {
      std::string result = pack(area.explore(share));
      share.at->store(kOver);
      return result;
    });
  }
  std::set<size_t> busy;
  for (size_t w = 0; w < workers.size(); ++w) busy.insert(w);
  auto told = Clock::now();
  while (!busy.empty()) {
    if (options.stop()) throw Stopped();
    for (size_t w : std::vector<size_t>(busy.begin(), busy.end())) {
      const Isolated::State state = workers[w].state();
      const long now = at[w].load();
      if (state == Isolated::State::kRunning) {
        const double cpu_s = workers[w].cpu_s();
        if (now != steps[w].at) {
          steps[w] = {now, cpu_s};
        } else if (now >= 0 && cpu_s - steps[w].cpu_s > options.patience_s) {
          workers[w].kill("does not end");
        }
        continue;
      }
      busy.erase(w);
      if (state == Isolated::State::kDone) {
        add(sum, unpack(workers[w].text()));
      } else if (state == Isolated::State::kCrashed && now >= 0) {
        if (earlier(now, sum.first[own])) sum.first[own] = now;
      } else {
        throw CheckerFailed("the checker failed on " + area.name() + ": " + workers[w].text());
      }
    }
    if (Clock::now() - told > std::chrono::milliseconds(200)) {
      long most = 0;
      for (long w = 0; w < all.workers; ++w) most = std::max(most, at[w].load());
      options.progress(most);
      told = Clock::now();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  keep_distinct(sum.fingerprints);
  return sum;
}

// ------------------------------------------------------------------------------------------------------------ one case

// What is wrong with a case, found in a separate process; no value if the property holds. `property` may be the index
// of kReturns.
std::optional<std::string> wrong(const Area& area, const std::string& key, size_t property,
                                 const ExploreOptions& options) {
  const bool returns = property == area.properties().size();
  Isolated child([&] {
    const Judgement j = area.judge(key, returns ? 0 : property);
    return j.violation() ? "!" + *j.violation() : std::string();
  });
  const Isolated::State state = child.wait(options.patience_s, options.stop);
  if (options.stop()) throw Stopped();
  switch (state) {
    case Isolated::State::kCrashed:
      return "the code under check " + child.text();
    case Isolated::State::kDone:
      if (returns || child.text().empty()) return std::nullopt;
      return child.text().substr(1);
    default:
      throw CheckerFailed("the checker failed on " + area.name() + ": " + child.text());
  }
}

Drawing draw(const Area& area, const std::string& key, const ExploreOptions& options) {
  Isolated child([&] {
    const Drawing drawing = area.draw(key);
    return drawing.text + '\0' + drawing.svg;
  });
  const Isolated::State state = child.wait(options.patience_s, options.stop);
  if (options.stop()) throw Stopped();
  if (state != Isolated::State::kDone) return {.text = "no drawing: it " + child.text() + "\n", .svg = ""};
  const size_t end = child.text().find('\0');
  return {.text = child.text().substr(0, end), .svg = child.text().substr(end + 1)};
}

std::string full_key(const Area& area, const PropertyInfo& property, const std::string& text) {
  return text_of(Key{area.name(), property.name, text});
}

// Replaces the case by the first simpler case that also violates the property, as long as there is one.
CounterExample shrink(const Area& area, size_t property, const PropertyInfo& info, const std::string& met,
                      const ExploreOptions& options) {
  std::string text = met;
  std::optional<std::string> message = wrong(area, text, property, options);
  if (!message) {
    throw CheckerFailed("the checker failed on " + full_key(area, info, text) +
                        ": violated in the run, not when it was looked at again");
  }
  int trials = 0;
  for (bool smaller = true; smaller && trials < kMostShrinkingTrials;) {
    smaller = false;
    for (const std::string& candidate : area.smaller(text)) {
      if (++trials > kMostShrinkingTrials) break;
      const std::optional<std::string> why = wrong(area, candidate, property, options);
      if (!why) continue;
      text = candidate;
      message = why;
      smaller = true;
      break;
    }
  }
  return {.key = full_key(area, info, text),
          .message = *message,
          .found = text == met ? "" : full_key(area, info, met),
          .drawing = draw(area, text, options),
          .steps = {},
          .out = "",
          .err = ""};
}

size_t find_property(const Area& area, const std::string& name, const std::string& where) {
  const auto& all = area.properties();
  for (size_t p = 0; p < all.size(); ++p) {
    if (all[p].name == name) return p;
  }
  if (name == kReturns.name) return all.size();
  std::string names;
  for (const PropertyInfo& info : all) names += info.name + ", ";
  throw InputError(where, fmt::format("{} has no property '{}'", area.name(), name), "one of " + names + kReturns.name);
}

Verdict verdict_on(const PropertyResult& r) {
  if (r.info.kind == PropertyInfo::Kind::kSometimes) return r.asked > 0 ? Verdict::kHolds : Verdict::kNotReached;
  return r.first == Tally::kNever ? Verdict::kHolds : Verdict::kViolated;
}

const PropertyInfo& info_of(const Area& area, size_t property) {
  return property < area.properties().size() ? area.properties()[property] : kReturns;
}

Replayed replayed(const Key& key, const std::optional<std::string>& violation, Drawing drawing) {
  Replayed result{.verdict = violation ? Verdict::kViolated : Verdict::kHolds, .run = {}};
  result.run.key = text_of(key);
  result.run.message = violation.value_or("");
  result.run.drawing = std::move(drawing);
  return result;
}

}  // namespace

bool AreaResult::counts(const PropertyResult& p) const {
  return p.verdict == Verdict::kViolated ||
         (p.verdict == Verdict::kNotReached && usual_bounds && (!shard || shard->of == 1));
}

bool AreaResult::holds() const {
  return std::none_of(properties.begin(), properties.end(), [&](const PropertyResult& p) { return counts(p); });
}

AreaResult explore(const Area& area, const ExploreOptions& options) {
  const auto started = Clock::now();
  const size_t own = area.properties().size();
  std::set<size_t> asked;
  for (const std::string& name : options.only) asked.insert(find_property(area, name, area.name()));
  for (size_t p = 0; options.only.empty() && p <= own; ++p) asked.insert(p);

  Share all{.bounds = options.bounds.value_or(area.bounds(options.effort)),
            .random_cases = options.random_cases.value_or(area.random_cases(options.effort)),
            .seed = options.seed,
            .shard = options.shard.value_or(Shard{}),
            .workers = std::max(1, options.jobs)};
  for (size_t p : asked) {
    if (p < own) all.only.push_back(p);
  }
  const Tally tally = look_at_all(area, all, options);

  AreaResult result{.name = area.name(), .about = area.about(), .remark = area.remark(all.bounds)};
  result.bounds = all.bounds;
  result.cases = tally.cases;
  result.random_cases = tally.random_cases;
  result.random_asked = all.random_cases;
  result.distinct = static_cast<long>(tally.fingerprints.size());
  result.seed = options.seed;
  result.usual_bounds = !options.bounds && !options.random_cases;
  result.shard = options.shard;
  asked.insert(own);  // always reported
  for (size_t p : asked) {
    PropertyResult& r = result.properties.emplace_back(PropertyResult{.info = info_of(area, p)});
    r.asked = p == own ? tally.cases + tally.random_cases : tally.asked[p];
    if (r.info.kind == PropertyInfo::Kind::kAlways) r.first = tally.first[p];
    r.verdict = verdict_on(r);
    if (r.verdict == Verdict::kViolated) r.counter_example = shrink(area, p, r.info, area.key(all, r.first), options);
  }
  result.seconds = std::chrono::duration<double>(Clock::now() - started).count();
  return result;
}

AreaResult merged(const std::vector<AreaResult>& shards) {
  AreaResult sum = shards.front();
  sum.shard.reset();
  for (const AreaResult& more : std::span(shards).subspan(1)) {
    sum.cases += more.cases;
    sum.distinct += more.distinct;
    sum.random_cases += more.random_cases;
    sum.seconds += more.seconds;
    for (size_t p = 0; p < sum.properties.size(); ++p) {
      PropertyResult& all = sum.properties[p];
      const PropertyResult& its = more.properties.at(p);
      all.asked += its.asked;
      if (!earlier(its.first, all.first)) continue;
      all.first = its.first;
      all.counter_example = its.counter_example;
    }
  }
  for (PropertyResult& p : sum.properties) p.verdict = verdict_on(p);
  return sum;
}

const PropertyInfo& property_named(const Area& area, const std::string& name) {
  return info_of(area, find_property(area, name, "--replay"));
}

Replayed replay(const Area& area, const Key& key, const ExploreOptions& options) {
  const size_t property = find_property(area, key.property, "--replay");
  area.smaller(key.text);  // throws if it is not a key
  return replayed(key, wrong(area, key.text, property, options), draw(area, key.text, options));
}

Replayed replay_here(const Area& area, const Key& key) {
  const size_t property = find_property(area, key.property, "--replay");
  const bool returns = property == area.properties().size();
  const Judgement judgement = area.judge(key.text, returns ? 0 : property);
  return replayed(key, returns ? std::nullopt : judgement.violation(), {});
}

}  // namespace strata::check
