// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/isolated_import.h"

#include <charconv>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/isolated.h"

namespace strata {
namespace {

// Far above the needs of the largest real node (0.1 s and 60 MB for 100,000 PUs), far below what would block a
// computer.
constexpr double kMostCpuTime_s = 20;
constexpr long kMostMemory_bytes = 2L << 30;

constexpr char kTreeFollows = 't', kRefusalFollows = 'r';

// Texts and numbers in sequence, each preceded by its length: "4:Core".
class Writer {
 public:
  void put(const std::string& text) { text_ += std::to_string(text.size()) + ":" + text; }
  void put(long number) { put(std::to_string(number)); }
  std::string text_;
};

class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}
  bool at_end() const { return at_ == text_.size(); }

  std::string text() {
    size_t size = 0;
    const char* const end = text_.data() + text_.size();
    const auto [colon, error] = std::from_chars(text_.data() + at_, end, size);
    if (error != std::errc() || colon == end || *colon != ':' || size > static_cast<size_t>(end - colon - 1)) damaged();
    at_ = static_cast<size_t>(colon + 1 - text_.data()) + size;
    return {colon + 1, size};
  }

  template <class Number = int>
  Number number() {
    const std::string word = text();
    Number value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size()) damaged();
    return value;
  }

  Cpuset cpuset() {
    const std::optional<Cpuset> set = Cpuset::parse(text());
    if (!set) damaged();
    return *set;
  }

  ObjectType type() {
    const int value = number();
    if (value < 0 || value > static_cast<int>(ObjectType::kPu)) damaged();
    return static_cast<ObjectType>(value);
  }

 private:
  [[noreturn]] static void damaged() { throw std::runtime_error("a node tree arrived damaged"); }

  const std::string& text_;
  size_t at_ = 0;
};

}  // namespace

std::string encode_node(const NodeTree& tree) {
  Writer out;
  for (const NodeObject& o : tree.objects()) {
    out.put(static_cast<long>(o.type));
    out.put(o.name);
    for (int number : {o.parent, o.logical_index, o.os_index, o.is_core ? 1 : 0}) out.put(number);
    out.put(o.cpuset.list());
    out.put(o.cache_bytes);
    out.put(o.note);
  }
  return std::move(out.text_);
}

std::shared_ptr<const NodeTree> decode_node(const std::string& text) {
  std::vector<NodeObject> objects;
  for (Reader in(text); !in.at_end();) {  // initialisers are evaluated in this order
    objects.push_back(NodeObject{.type = in.type(),
                                 .name = in.text(),
                                 .parent = in.number(),
                                 .logical_index = in.number(),
                                 .os_index = in.number(),
                                 .is_core = in.number() != 0,
                                 .cpuset = in.cpuset(),
                                 .cache_bytes = in.number<long>(),
                                 .note = in.text()});
  }
  try {
    return std::make_shared<const NodeTree>(std::move(objects));
  } catch (const std::logic_error& e) {
    throw std::runtime_error(std::string("a node tree arrived damaged: ") + e.what());
  }
}

std::shared_ptr<const NodeTree> import_isolated(const std::function<std::shared_ptr<const NodeTree>()>& import,
                                                const std::string& where) {
  Isolated child(
      [&] {
        try {
          return kTreeFollows + encode_node(*import());
        } catch (const InputError& e) {
          return kRefusalFollows + std::string(e.what());
        }
      },
      kMostMemory_bytes);
  child.wait(kMostCpuTime_s, [] { return false; });
  if (child.state() == Isolated::State::kDone && !child.text().empty()) {
    const std::string text = child.text().substr(1);
    if (child.text().front() == kTreeFollows) return decode_node(text);
    throw InputError::of_message(text);
  }
  // An exception other than InputError: out of memory.
  const bool threw = child.state() == Isolated::State::kThrew;
  throw InputError(where, "libhwloc cannot load it: it " + (threw ? "fails: " + child.text() : child.text()),
                   "the description is damaged: write it again with `lstopo --of xml`");
}

}  // namespace strata
