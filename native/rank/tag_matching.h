// SPDX-License-Identifier: LGPL-2.1-only
// Which receive gets which message: UCP's tag matching. A receive accepts the tags that agree with its own in all bits
// of its mask. For example, with tags of (tag, source):
//
//   post receive A: tag (7, 0), mask (all, none)      any source
//   message (7, 3) arrives                            A gets it
//   message (7, 4) arrives                            no receive wants it: it is kept
//   post receive B: tag (7, 4), mask (all, all)       gets the one that is kept
//
// A message goes to the first posted receive that accepts it, and a receive gets the first message kept that it
// accepts, in the order in which they arrived (MPI standard 4.0, section 3.5, builds on both). O(posted) and O(kept).
#pragma once

#include <cstdint>
#include <list>

#include "native/board/board_message.h"
#include "native/rank/ucp_requests.h"

namespace strata::native {

/// A circular list through the requests themselves, so that a posted receive is removed in O(1).
class PostedReceives {
 public:
  PostedReceives() { first_.before = first_.behind = &first_; }
  PostedReceives(const PostedReceives&) = delete;
  PostedReceives& operator=(const PostedReceives&) = delete;

  void add(Request& r) {
    r.before = first_.before;
    r.behind = &first_;
    first_.before->behind = &r;
    first_.before = &r;
  }
  static bool is_posted(const Request& r) { return r.before != nullptr; }
  static void remove(Request& r) {
    r.before->behind = r.behind;
    r.behind->before = r.before;
    r.before = r.behind = nullptr;
  }
  /// Calls `use` for each, in the order in which they get messages.
  template <class Use>
  void for_each(Use&& use) const {
    for (const Request* r = first_.behind; r != &first_; r = r->behind) use(*r);
  }
  /// Removes the receive that gets this message; null: none does.
  Request* take(std::uint64_t tag) {
    for (Request* r = first_.behind; r != &first_; r = r->behind) {
      if (!accepts(r->tag, r->mask, tag)) continue;
      remove(*r);
      return r;
    }
    return nullptr;
  }

 private:
  Request first_;
};

/// Messages that no receive has wanted yet. Their addresses stay valid until they are taken, because UCP's users hold
/// them between probe and receive.
class KeptMessages {
 public:
  void add(const Message& m) { kept_.push_back(m); }
  /// The message that a receive gets; null: none.
  const Message* find(std::uint64_t tag, std::uint64_t mask) const {
    for (const Message& m : kept_) {
      if (accepts(tag, mask, m.tag)) return &m;
    }
    return nullptr;
  }
  /// The same, and only the caller gets it from now on: for a matched probe.
  const Message* reserve(std::uint64_t tag, std::uint64_t mask) {
    for (auto at = kept_.begin(); at != kept_.end(); ++at) {
      if (!accepts(tag, mask, at->tag)) continue;
      reserved_.splice(reserved_.end(), kept_, at);
      return &reserved_.back();
    }
    return nullptr;
  }
  /// Removes what find() or reserve() has returned.
  Message take(const Message* found) {
    for (std::list<Message>* const list : {&reserved_, &kept_}) {
      for (auto at = list->begin(); at != list->end(); ++at) {
        if (&*at != found) continue;
        const Message m = *at;
        list->erase(at);
        return m;
      }
    }
    return *found;
  }
  std::size_t size() const { return kept_.size(); }

 private:
  std::list<Message> kept_, reserved_;
};

}  // namespace strata::native
