// SPDX-License-Identifier: LGPL-2.1-only
// What YamlReader refuses, with the place.
#include "base/yaml_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace strata {
namespace {

TEST(YamlReader, Types) {
  const YamlReader r("f.yaml", YAML::Load("yes: true\nword: maybe\nlist: [1, 2.5]\nmap: {b: 1, a: 2}\nhuge: 1e300\n"));
  const auto error = [](auto&& f) {
    try {
      f();
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  EXPECT_TRUE(r.at("yes").boolean());
  EXPECT_EQ(error([&] { r.at("word").boolean(); }), "f.yaml:2: word: is neither true nor false; write one");
  EXPECT_EQ(r.at("list").items()[1].number(), 2.5);
  EXPECT_EQ(error([&] { r.at("list").items()[1].integer(0, 9); }),
            "f.yaml:3: list[1]: '2.5' is not a whole number from 0 to 9; write one");
  EXPECT_EQ(error([&] { r.at("huge").integer(0, 9); }),
            "f.yaml:5: huge: '1e300' is not a whole number from 0 to 9; write one");
  EXPECT_EQ(error([&] { r.at("word").keys(); }), "f.yaml:2: word: is not a mapping; write `key: value` lines");
  EXPECT_THAT(r.at("map").keys(), testing::ElementsAre("b", "a"));
  EXPECT_EQ(error([&] { r.at("map").number(); }), "f.yaml:4: map: '...' is not a number; write a finite number");
}

}  // namespace
}  // namespace strata
