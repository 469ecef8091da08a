// SPDX-License-Identifier: LGPL-2.1-only
// Files of events: the example of records/events.h, random files that are written and read back, and damaged files.
// Every truncated file is refused; a file with a changed byte is read or refused.
#include "records/events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/output_error.h"
#include "tests/process/process.h"

namespace strata {
namespace {

using ::testing::HasSubstr;
using Kind = Event::Kind;

EventsHeader header() {
  return {.program = "app", .machine = "two", .functions = {"MPI_Send", "MPI_Recv"}, .cores = {0, 7}};
}

std::vector<Event> example() {
  return {{.kind = Kind::kEnter, .time = 0, .rank = 1, .function = 1},
          {.kind = Kind::kBlock, .time = 0, .rank = 1},
          {.kind = Kind::kEnter, .time = 1e-3, .rank = 0, .function = 0},
          {.kind = Kind::kSend, .time = 1e-3, .rank = 0, .message = 1, .other = 1, .tag = 7, .bytes = 8},
          {.kind = Kind::kLeave, .time = 1e-3, .rank = 0},
          {.kind = Kind::kArrive, .time = 3e-3, .message = 1, .posted = 0, .began = 1e-3},
          {.kind = Kind::kUnblock, .time = 3e-3, .rank = 1, .message = 1, .began = 1e-3},
          {.kind = Kind::kLeave, .time = 3e-3, .rank = 1}};
}

std::filesystem::path write(const TemporaryFolder& folder, const EventsHeader& h, const std::vector<Event>& events,
                            double end) {
  std::filesystem::path file = folder.path() / "run.events";
  EventWriter writer(file, h);
  for (const Event& e : events) writer.write(e);
  writer.finish(end);
  return file;
}

std::vector<Event> read(const EventStore& store) {
  EventReader reader(store);
  std::vector<Event> events(1);
  while (reader.next(events.back())) events.emplace_back();
  return events;  // the last event is the end
}

TEST(Events, AreReadAsTheyWereWritten) {
  const TemporaryFolder folder;
  const auto file = write(folder, header(), example(), 4e-3);
  std::vector<Event> expected = example();
  expected.push_back({.kind = Kind::kEnd, .time = 4e-3});
  EXPECT_EQ(expected, read(file));
  EXPECT_EQ(header(), EventReader(file).header());
}

TEST(Events, InMemoryAreThoseOfTheFile) {
  const TemporaryFolder folder;
  const EventStore memory = EventStore::in_memory(), file = folder.path() / "run.events";
  EXPECT_FALSE(EventStore().exists());
  EXPECT_FALSE(file.exists());
  for (const EventStore& store : {memory, file}) {
    EventWriter writer(store, header());
    for (const Event& e : example()) writer.write(e);
    writer.finish(4e-3);
    EXPECT_TRUE(store.exists());
    EXPECT_EQ(header(), EventReader(store).header());
  }
  EXPECT_EQ(read(memory), read(file));
  EXPECT_EQ(read(memory), read(memory)) << "each reader begins at the start";
}

Event random_event(std::mt19937_64& random, double time, std::int64_t& messages) {
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  Event e{.kind = static_cast<Kind>(1 + below(9)), .time = time};
  const auto past = [&] { return std::uniform_real_distribution<double>(0, time)(random); };
  if ((e.kind == Kind::kArrive) && messages == 0) e.kind = Kind::kSend;
  if (e.kind != Kind::kArrive) e.rank = static_cast<int>(below(2));
  if (e.kind == Kind::kEnter) e.function = static_cast<int>(below(2));
  if (e.kind == Kind::kUnblock) {
    e.message = below(messages + 1);
    e.other = static_cast<int>(below(3)) - 1;
    e.began = past();
  }
  if (e.kind == Kind::kSend) {
    e.message = ++messages;
    e.other = static_cast<int>(below(2));
    e.tag = static_cast<int>(random());
    e.bytes = static_cast<std::int64_t>(random() >> (1 + below(63)));
  }
  if (e.kind == Kind::kArrive) {
    e.message = 1 + below(messages);
    e.posted = past();
    e.began = past();
  }
  if (e.kind == Kind::kPhaseBegin) e.name = std::string(static_cast<size_t>(below(300)), 'x');
  return e;
}

TEST(Events, RandomOnesAreReadAsTheyWereWritten) {
  const TemporaryFolder folder;
  std::mt19937_64 random(1);
  std::vector<Event> events;
  double time = 0;
  std::int64_t messages = 0;
  for (int i = 0; i < 100'000; ++i) {  // longer than the buffer
    if (random() % 2 == 0) time += std::uniform_real_distribution<double>(0, 1e-6)(random);
    events.push_back(random_event(random, time, messages));
  }
  const auto file = write(folder, header(), events, time);
  events.push_back({.kind = Kind::kEnd, .time = time});
  EXPECT_EQ(events, read(file));
}

TEST(Events, OfAnEarlierTimeAreRefused) {
  const TemporaryFolder folder;
  EventWriter writer(folder.path() / "run.events", header());
  writer.write({.kind = Kind::kBlock, .time = 1, .rank = 0});
  EXPECT_THROW(writer.write({.kind = Kind::kLeave, .time = 0.5, .rank = 0}), std::logic_error);
}

std::string refusal(const std::filesystem::path& file) {
  try {
    read(file);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Events, AreRefusedWhereTheyAreCutOff) {
  const TemporaryFolder folder;
  const std::string whole = read_text(write(folder, header(), example(), 4e-3));
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THAT(refusal(folder.write("cut.events", whole.substr(0, size))), HasSubstr("cut.events")) << size;
  }
  EXPECT_THAT(refusal(folder.write("cut.events", whole.substr(0, whole.size() - 1))), HasSubstr("cut off"));
}

TEST(Events, AreReadOrRefusedIfAByteIsAnother) {
  const TemporaryFolder folder;
  const std::string whole = read_text(write(folder, header(), example(), 4e-3));
  int refused = 0;
  for (size_t at = 0; at < whole.size(); ++at) {
    for (const int other : {0, 1, 0x7f, 0x80, 0xff}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(other);
      refused += refusal(folder.write("damaged.events", damaged)).empty() ? 0 : 1;
    }
  }
  EXPECT_GT(refused, static_cast<int>(whole.size()));  // a fifth of all changes
}

TEST(Events, OfAnotherFileAreRefused) {
  const TemporaryFolder folder;
  EXPECT_THAT(refusal(folder.path() / "none"), HasSubstr("No such file"));
  EXPECT_THAT(refusal(folder.write("other", "PK\x03\x04 something else")), HasSubstr("is not a file of events"));
}

std::string failure(const std::filesystem::path& file) {
  try {
    EventWriter(file, header());
  } catch (const OutputError& e) {
    return e.what();
  }
  return "";
}

TEST(Events, SayWhenTheyCannotBeWritten) {
  EXPECT_EQ(failure("/dev/full"),
            "/dev/full: cannot be written: No space left on device; is the disk full, or the folder not there?");
  EXPECT_THAT(failure("/none/run.events"), HasSubstr("/none/run.events: cannot be written: No such file or directory"));
}

}  // namespace
}  // namespace strata
