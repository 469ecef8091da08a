// SPDX-License-Identifier: LGPL-2.1-only
// The generated pages and schemas of machine files agree with the tables of keys. To regenerate them and see the
// changes:
//
//   tools/regenerate-docs --reference && git diff docs/reference schemas
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "platforms/machine.h"
#include "platforms/machine_keys.h"
#include "tests/platforms/generated_file.h"

namespace strata {
namespace {

TEST(MachineReference, IsUpToDate) { expect_generated("docs/reference/machine.md", machine_reference()); }

TEST(MachineSchema, IsUpToDate) { expect_generated("schemas/machine.schema.json", machine_schema()); }

// The example on the page is a valid machine: schema_test.py checks it against the schema, this test loads it.
TEST(MachineReference, ItsExampleLoads) {
  const std::string page = machine_reference(), begin = "```yaml\n";
  const size_t from = page.find(begin) + begin.size();
  const std::string file = ::testing::TempDir() + "/example.yaml";
  std::ofstream(file) << page.substr(from, page.find("```", from) - from);
  const Machine m = load_machine(file);
  EXPECT_EQ(m.topology->cores().size(), 4u);
  EXPECT_EQ(m.levels.size(), 2u);
}

}  // namespace
}  // namespace strata
