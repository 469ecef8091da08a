// SPDX-License-Identifier: LGPL-2.1-only
// Which message a receive gets, compared with a list of all messages that is searched from the front.
#include "replay/channels.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace strata::replay {
namespace {

// The slow, obvious reading.
class Listed {
 public:
  int send() { return sent_++; }
  int claim(int passed) {
    for (int message = 0;; ++message) {
      if (static_cast<int>(claimed_.size()) <= message) claimed_.push_back(false);
      if (claimed_[message] || passed-- > 0) continue;
      claimed_[message] = true;
      return message;
    }
  }

 private:
  int sent_ = 0;
  std::vector<bool> claimed_;
};

// Numbers the messages of a channel when either side first meets them. Both sides must see the same number.
class Numbered {
 public:
  int send() { return number(channel_.send()); }
  int claim(int passed) { return number(channel_.claim(passed)); }

 private:
  int number(Channel::Slot& slot) {
    if (slot.message == Channel::kNone) slot.message = next_++;
    const int n = slot.message;
    channel_.forget();
    return n;
  }
  Channel channel_;
  int next_ = 0;
};

void compare(const std::vector<int>& calls, const std::string& name) {
  constexpr int kSend = -1;
  Listed listed;
  Numbered numbered;
  std::vector<int> number_of;  // by message: its number in Numbered
  for (const int call : calls) {
    const int message = call == kSend ? listed.send() : listed.claim(call);
    const int number = call == kSend ? numbered.send() : numbered.claim(call);
    if (static_cast<int>(number_of.size()) <= message) number_of.resize(static_cast<size_t>(message) + 1, -1);
    int& known = number_of[message];
    if (known < 0) known = number;
    ASSERT_EQ(known, number) << name;
  }
  for (size_t a = 0; a < number_of.size(); ++a) {
    for (size_t b = a + 1; b < number_of.size(); ++b) {
      ASSERT_TRUE(number_of[a] < 0 || number_of[a] != number_of[b]) << name;
    }
  }
}

// All sequences of 7 calls, each a send or a receive that skips 0 to 2 messages.
TEST(Channels, AreTheListsMessages) {
  constexpr int kCalls = 7, kKinds = 4;
  int all = 1;
  for (int i = 0; i < kCalls; ++i) all *= kKinds;
  for (int code = 0; code < all; ++code) {
    std::vector<int> calls;
    for (int rest = code; static_cast<int>(calls.size()) < kCalls; rest /= kKinds) calls.push_back(rest % kKinds - 1);
    compare(calls, std::to_string(code));
  }
}

TEST(Channels, AreTheListsMessagesAtRandom) {
  const unsigned seed = std::random_device()();
  std::mt19937 random(seed);
  for (int round = 0; round < 300; ++round) {
    std::vector<int> calls;
    for (int i = 0; i < 200; ++i)
      calls.push_back(random() % 2 == 0 ? -1 : static_cast<int>(random() % 4 * (random() % 2)));
    compare(calls, "seed " + std::to_string(seed));
  }
}

}  // namespace
}  // namespace strata::replay
