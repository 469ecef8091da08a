// SPDX-License-Identifier: LGPL-2.1-only
// Site files: their keys, the errors for wrong files, and the page and schema generated from the table of keys. To
// generate these again:
//
//   tools/regenerate-docs --reference && git diff docs/reference schemas
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "base/error.h"
#include "campaign/site.h"
#include "tests/platforms/generated_file.h"
#include "tests/process/process.h"

namespace strata::campaign {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

TEST(SiteReference, IsUpToDate) { expect_generated("docs/reference/site.md", site_reference()); }

TEST(SiteSchema, IsUpToDate) { expect_generated("schemas/site.schema.json", site_schema()); }

class SiteFile : public ::testing::Test {
 protected:
  Site load(const std::string& lines) {
    return load_site(folder_.write("site.yaml", "schema: strata.site/1\n" + lines));
  }
  // The error for a file with `line` as its second line.
  std::string fault(const std::string& line) {
    try {
      load(line + "\n");
    } catch (const InputError& e) {
      return e.what();
    }
    return "accepted";
  }
  TemporaryFolder folder_;
};

TEST_F(SiteFile, EveryKey) {
  const Site s = load(
      "strata: apptainer exec strata.sif strata\npartition: compute\naccount: p17\ntime: 1-04:00:00\ngrace: 120\n"
      "cpus: 8\nstaged: true\nprologue: [module load gcc, 'export A=\"b c\"']\nsbatch: [--mem=4G, -C icelake]\npoll: "
      "3\n");
  EXPECT_EQ(s.strata, "apptainer exec strata.sif strata");
  EXPECT_EQ(s.partition, "compute");
  EXPECT_EQ(s.account, "p17");
  EXPECT_EQ(s.time, "1-04:00:00");
  EXPECT_EQ(s.grace_s, 120);
  EXPECT_EQ(s.cpus, 8);
  EXPECT_TRUE(s.staged);
  EXPECT_THAT(s.prologue, ElementsAre("module load gcc", "export A=\"b c\""));
  EXPECT_THAT(s.sbatch, ElementsAre("--mem=4G", "-C icelake"));
  EXPECT_EQ(s.poll_s, 3);
}

TEST_F(SiteFile, DefaultsAreThoseOfTheTable) {
  const Site usual = load("");
  for (const KeyOf<Site>& row : site_keys()) {
    EXPECT_THAT(row.key.meaning, EndsWith(".")) << row.key.name;
    if (!row.key.example.empty()) {
      EXPECT_NO_THROW(load(row.key.example + "\n")) << row.key.example;
    }
    if (row.key.usual.empty()) continue;
    const Site s = load(row.key.name + ": " + row.key.usual + "\n");
    EXPECT_EQ(s.grace_s, usual.grace_s) << row.key.name;
    EXPECT_EQ(s.cpus, usual.cpus) << row.key.name;
    EXPECT_EQ(s.staged, usual.staged) << row.key.name;
    EXPECT_EQ(s.poll_s, usual.poll_s) << row.key.name;
  }
}

TEST_F(SiteFile, Faults) {
  EXPECT_THAT(fault("partion: compute"), HasSubstr("site.yaml:2: unknown key 'partion'"));
  EXPECT_THAT(fault("partition: two words"), HasSubstr("site.yaml:2: partition: 'two words' has a blank or a quote"));
  EXPECT_THAT(fault("time: soon"), HasSubstr("site.yaml:2: time: 'soon' is not a time limit of Slurm; write minutes"));
  EXPECT_THAT(fault("cpus: 0"), HasSubstr("site.yaml:2: cpus"));
  EXPECT_THAT(fault("staged: perhaps"), HasSubstr("site.yaml:2: staged"));
  EXPECT_THAT(fault("prologue: module load gcc"), HasSubstr("site.yaml:2: prologue: is not a list"));
  EXPECT_THAT(fault("sbatch: [mem=4G]"), HasSubstr("site.yaml:2: sbatch[0]: 'mem=4G' is not an option of sbatch"));
  EXPECT_THAT(fault("prologue: [\"a\\nb\"]"), HasSubstr("site.yaml:2: prologue[0]: has a line break"));
}

TEST_F(SiteFile, AnOptionReplacesAKey) {
  Site s = load("partition: compute\ncpus: 4\n");
  set_key(s, "partition", "--partition", "debug");
  set_key(s, "cpus", "--cpus", "2");
  EXPECT_EQ(s.partition, "debug");
  EXPECT_EQ(s.cpus, 2);
  try {
    set_key(s, "time", "--time", "1 day");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr("--time: '1 day' is not a time limit"));
  }
}

TEST_F(SiteFile, TheUsersOwn) {
  ::setenv("XDG_CONFIG_HOME", folder_.path().c_str(), 1);
  EXPECT_EQ(user_site(), "");
  std::filesystem::create_directory(folder_.path() / "strata");
  const std::string file = folder_.write("strata/site.yaml", "schema: strata.site/1\n");
  EXPECT_EQ(user_site(), file);
  ::unsetenv("XDG_CONFIG_HOME");
}

}  // namespace
}  // namespace strata::campaign
