// SPDX-License-Identifier: LGPL-2.1-only
// The core of strata submit: output of Slurm and GNU parallel, the job script, the states of shards, and which shards
// to submit. tests/campaign/submit_test.py runs the real programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "campaign/attempts.h"
#include "campaign/job_script.h"
#include "campaign/queue.h"
#include "campaign/shard_state.h"
#include "campaign/status.h"
#include "campaign/submission.h"
#include "tests/process/process.h"

namespace strata::campaign {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// --- queue.h -------------------------------------------------------------------------------------------------------

TEST(Queue, AnArray) {
  const auto queue = parse_queue(
      "123|1|RUNNING|n1|None\n123|2|PENDING||Resources\n123|3|PENDING||Priority\n123|4|COMPLETING|n2|None\n"
      "123|5|COMPLETED|n2|None\n124|6|SUSPENDED|n[1-2]|None\n");
  ASSERT_EQ(queue.size(), 5u);
  EXPECT_EQ(queue.at(1).job, "123_1");
  EXPECT_TRUE(queue.at(1).running);
  EXPECT_EQ(queue.at(1).host, "n1");
  EXPECT_EQ(queue.at(1).reason, "");
  EXPECT_FALSE(queue.at(2).running);
  EXPECT_EQ(queue.at(2).reason, "Resources");
  EXPECT_TRUE(queue.at(4).running) << "a job that ends has not ended";
  EXPECT_FALSE(queue.contains(5));
  EXPECT_EQ(queue.at(6).job, "124_6");
}

TEST(Queue, AShardThatWasSubmittedTwiceRunsIfOneDoes) {
  for (const char* text :
       {"1|7|RUNNING|n1|None\n2|7|PENDING||Resources\n", "2|7|PENDING||Resources\n1|7|RUNNING|n1|None\n"}) {
    const auto queue = parse_queue(text);
    EXPECT_TRUE(queue.at(7).running);
    EXPECT_EQ(queue.at(7).job, "1_7");
  }
}

TEST(Queue, OtherTexts) {
  EXPECT_THAT(parse_queue(""), IsEmpty());
  EXPECT_THAT(parse_queue("9|N/A|RUNNING|n1|None\n"), IsEmpty()) << "not an array";
  EXPECT_EQ(parse_queue("9|1|PENDING||(a|b)\n").at(1).reason, "(a|b)");
  EXPECT_THROW(parse_queue("slurm_load_jobs error\n"), std::runtime_error);
}

TEST(Queue, Sbatch) {
  EXPECT_EQ(parse_job("123\n"), "123");
  EXPECT_EQ(parse_job("123;cluster\n"), "123");
  EXPECT_EQ(parse_job("Submitted batch job 123\n"), "");
  EXPECT_EQ(array_of({1}), "1");
  EXPECT_EQ(array_of({1, 2}), "1-2");
  EXPECT_EQ(array_of({1, 2, 3, 7, 9, 10}), "1-3,7,9-10");
}

// --- job_script.h ---------------------------------------------------------------------------------------------------

Job a_job() {
  return {.submission = {.scenario = "my study.yaml",
                         .settings = {"elements=1,10", "title=it's"},
                         .study = "quickstart",
                         .identity = "0",
                         .points = {3, 3, 2}},
          .site = {.partition = "compute", .time = "04:00:00", .prologue = {"module load gcc"}, .sbatch = {"--mem=4G"}},
          .folder = "/shared/50% off/out",
          .working_folder = "/home/me",
          .strata = "/opt/strata",
          .sbatch_options = "-C icelake --qos=long"};
}

std::vector<std::string> head_of(const std::string& script) {
  std::vector<std::string> head;
  for (const std::string& line : lines_of(script)) {
    if (line.starts_with("#SBATCH ")) head.push_back(line.substr(8));
  }
  return head;
}

TEST(JobScript, Slurm) {
  const Job job = a_job();
  const std::string script = job_script(job);
  EXPECT_THAT(head_of(script),
              ElementsAre("--job-name=" + job_name(job.submission, job.folder), "--array=1-3", "--chdir=/home/me",
                          "--output=\"/shared/50%% off/out/logs/%a.log\"", "--open-mode=append", "--requeue",
                          "--signal=B:TERM@60", "--nodes=1", "--ntasks=1", "--cpus-per-task=1", "--partition=compute",
                          "--time=04:00:00", "--mem=4G", "-C icelake --qos=long"));
  EXPECT_THAT(script, HasSubstr("\nmodule load gcc\n"));
  EXPECT_THAT(script, HasSubstr("\n  /opt/strata run 'my study.yaml' --set elements=1,10 --set 'title=it'\\''s' "
                                "--shard \"$shard/3\" --jobs \"$jobs\" --resume --out \"$out\" &\n"));
}

TEST(JobScript, WholeNodesAndParallel) {
  Job job = a_job();
  job.submission.whole_nodes = true;
  EXPECT_THAT(job_script(job), AllOf(HasSubstr("#SBATCH --exclusive\n"), Not(HasSubstr("--cpus-per-task"))));
  job.submission.runner = Runner::kParallel;
  EXPECT_THAT(job_script(job), AllOf(Not(HasSubstr("#SBATCH")), HasSubstr("cd /home/me || exit 1\n")));
}

TEST(JobScript, TheNameIsOfTheFolderAndTheStudy) {
  Job job = a_job();
  const std::string name = job_name(job.submission, job.folder);
  EXPECT_THAT(name, ::testing::MatchesRegex("strata-quickstart-[0-9a-f]{8}"));
  EXPECT_EQ(job_name(job.submission, "/shared/x/../50% off/out"), name);
  EXPECT_NE(job_name(job.submission, "/shared/other"), name);
  job.submission.identity = "1";
  EXPECT_NE(job_name(job.submission, job.folder), name);
}

// Runs the script in bash, with a fake strata.
class JobScriptRuns : public ::testing::Test {
 protected:
  JobScriptRuns() {
    for (const char* part : {"shards", "states", "logs", "tmp"})
      std::filesystem::create_directories(folder_.path() / part);
    job_ = {.submission = {.scenario = "s", .study = "s", .points = {1, 1}, .runner = Runner::kParallel},
            .folder = folder_.path(),
            .working_folder = folder_.path(),
            .strata = "bash " + folder_.path().string() + "/strata.sh"};
  }
  // `body` sees $out, the folder of --out.
  void play(const std::string& body) { folder_.write("strata.sh", "out=${@: -1}\nmkdir -p \"$out\"\n" + body); }
  Ran run(const std::string& before = "") {
    const std::string script = folder_.write("job.sh", job_script(job_));
    return Process({"bash", "-c", before + " exec bash " + script + " 2"},
                   {.environment = {{"TMPDIR", folder_.path() / "tmp"}}, .limit_s = 60})
        .wait();
  }
  JobNote note() { return parse_note(read_text(state_file(folder_.path(), 2))); }
  std::string result() { return read_text(shard_folder(folder_.path(), 2) / "result"); }
  bool tmp_is_empty() { return std::filesystem::is_empty(folder_.path() / "tmp"); }

  TemporaryFolder folder_;
  Job job_;
};

TEST_F(JobScriptRuns, ItSaysHowManyPointsWereDoneBefore) {
  play(
      "printf '{\"point\":3,\"m\":1}\\n{\"point\":3,\"m\":2}\\n{\"point\":14,\"m\":1}\\n' >>\"$out/records.jsonl\"; "
      "exit 3");
  EXPECT_EQ(run().code, 3);
  EXPECT_EQ(note().resumed, 0);
  EXPECT_EQ(run().code, 3);
  EXPECT_EQ(note().resumed, 2);
}

TEST_F(JobScriptRuns, ItSaysHowItEnded) {
  play("echo \"$*\"; echo here >\"$out/result\"; exit 3");
  EXPECT_EQ(run().code, 3);
  EXPECT_EQ(note().code, 3);
  EXPECT_TRUE(note().started_s && note().ended_s);
  EXPECT_NE(note().host, "");
  EXPECT_EQ(result(), "here\n");
  EXPECT_THAT(read_text(log_file(folder_.path(), 2)), HasSubstr("run s --shard 2/2 --jobs "));
}

TEST_F(JobScriptRuns, ASignalEndsStrataWhichHasTimeToFinish) {
  job_.site.staged = true;
  play("trap 'echo kept >\"$out/result\"; exit 143' TERM; kill -TERM $PPID; for i in {1..500}; do sleep 0.01; done");
  EXPECT_EQ(run().code, 143);
  EXPECT_EQ(note().code, 143);
  EXPECT_EQ(result(), "kept\n");
  EXPECT_TRUE(tmp_is_empty());
}

TEST_F(JobScriptRuns, ASignalBeforeStrata) {
  job_.site.prologue = {"kill -TERM $$"};
  play("echo started >\"$out/result\"");
  EXPECT_EQ(run().code, 143);
  EXPECT_EQ(note().code, 143);
  EXPECT_FALSE(std::filesystem::exists(shard_folder(folder_.path(), 2)));
}

TEST_F(JobScriptRuns, StagedContinuesFromTheSharedFolder) {
  job_.site.staged = true;
  play("echo one >>\"$out/result\"");
  EXPECT_EQ(run().code, 0);
  EXPECT_EQ(run().code, 0);
  EXPECT_EQ(result(), "one\none\n");
  EXPECT_TRUE(tmp_is_empty());
  // A kill between the two renames leaves the old results in .old, and the new ones beside them.
  const std::filesystem::path shard = shard_folder(folder_.path(), 2);
  std::filesystem::rename(shard, shard.string() + ".old");
  std::filesystem::create_directory(shard.string() + ".new");
  EXPECT_EQ(run().code, 0);
  EXPECT_EQ(result(), "one\none\none\n");
  EXPECT_FALSE(std::filesystem::exists(shard.string() + ".old"));
  EXPECT_FALSE(std::filesystem::exists(shard.string() + ".new"));
}

TEST_F(JobScriptRuns, StagedKilledInBetweenLeavesTheOldResults) {
  job_.site.staged = true;
  play("echo old >\"$out/result\"");
  EXPECT_EQ(run().code, 0);
  play("echo new >\"$out/result\"; kill -KILL $PPID");
  EXPECT_EQ(run().signal, 9);
  EXPECT_FALSE(note().code);
  EXPECT_EQ(result(), "old\n");
}

TEST_F(JobScriptRuns, StagedFailsWhereTheCopyDoes) {
  job_.site.staged = true;
  play("echo new >\"$out/result\"; rm -r " + (folder_.path() / "shards").string());
  EXPECT_EQ(run().code, 1);
  EXPECT_EQ(note().code, 1);
  EXPECT_THAT(read_text(log_file(folder_.path(), 2)), HasSubstr("the results of shard 2 could not be copied to "));
}

// --- shard_state.h --------------------------------------------------------------------------------------------------

TEST(JobNotes, AreWhatTheScriptWrites) {
  EXPECT_FALSE(parse_note("").started_s);
  const JobNote started = parse_note("started 100 n1 7_3\n");
  EXPECT_EQ(started.started_s, 100);
  EXPECT_EQ(started.host, "n1");
  EXPECT_EQ(started.job, "7_3");
  EXPECT_FALSE(started.code);
  const JobNote ended = parse_note("started 100 n1\nended 160 143\n");
  EXPECT_EQ(ended.job, "");
  EXPECT_EQ(ended.ended_s, 160);
  EXPECT_EQ(ended.code, 143);
  EXPECT_FALSE(parse_note("started 100 n1\nended 160 14").code) << "a line that is being written";
  EXPECT_FALSE(parse_note("started 1 n1\nended 2 0\nstarted 3 n2\n").code) << "requeued";
  EXPECT_EQ(parse_note("started 100 n1\nresumed 12\nended 160 0\n").resumed, 12);
  EXPECT_EQ(parse_note("started 100 n1\nresumed 12\nended 160 0\n").ended_s, 160);
}

const JobNote kNone, kStarted = parse_note("started 100 n1 7_3\n"),
                     kKilled = parse_note("started 100 n1\nended 160 143\n"),
                     kEnded = parse_note("started 100 n1\nended 160 0\n");

TEST(ShardStates, FromResultsQueueAndNote) {
  const std::map<int, QueuedShard> none, waits = {{3, {.job = "8_3", .reason = "Priority"}}},
                                         runs = {{3, {.job = "8_3", .running = true, .host = "n2"}}};
  const auto state = [](bool finished, const JobNote& note, const std::map<int, QueuedShard>* queue,
                        bool alive = true) { return shard_of(3, 10, 4, finished, note, queue, alive); };
  EXPECT_EQ(state(true, kStarted, &runs).state, State::kDone);
  EXPECT_EQ(state(true, kStarted, &runs).done, 10);
  EXPECT_EQ(state(false, kNone, &waits).state, State::kWaiting);
  EXPECT_EQ(state(false, kNone, &waits).reason, "Priority");
  EXPECT_EQ(state(false, kKilled, &waits).state, State::kWaiting) << "requeued";
  EXPECT_EQ(state(false, kStarted, &runs).state, State::kRunning);
  EXPECT_EQ(state(false, kStarted, &runs).host, "n2");
  EXPECT_EQ(state(false, kNone, &none).state, State::kMissing);
  EXPECT_EQ(state(false, kStarted, &none).state, State::kFailed);
  EXPECT_EQ(state(false, kStarted, &none).reason, "killed");
  EXPECT_EQ(state(false, kKilled, &none).reason, "ended by signal 15");
  EXPECT_EQ(state(false, kEnded, &none).state, State::kFailed);
  EXPECT_EQ(state(false, kStarted, nullptr).state, State::kRunning);
  EXPECT_EQ(state(false, kStarted, nullptr, false).state, State::kFailed);
  EXPECT_EQ(state(false, kNone, nullptr).state, State::kWaiting);
  EXPECT_EQ(state(false, kNone, nullptr, false).state, State::kMissing);
}

TEST(ShardStates, PointsAreCountedAsTheyAreAppended) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "records.jsonl";
  const auto append = [&](const std::string& text) { std::ofstream(file, std::ios::app) << text; };
  PointCounter counter;
  EXPECT_EQ(counter.count(file), 0u);
  append("{\"point\":0,\"metric\":\"a\"}\n{\"point\":0,\"metric\":\"b\"}\n{\"point\":2");
  EXPECT_EQ(counter.count(file), 1u);
  append("1}\n");
  EXPECT_EQ(counter.count(file), 2u);
  EXPECT_EQ(counter.count(file), 2u);
  std::ofstream(file) << "{\"point\":5}\n";  // resumed: fewer lines than before
  EXPECT_EQ(counter.count(file), 1u);
}

TEST(ShardStates, TimeLeft) {
  const ShardStatus done{
      .number = 1, .state = State::kDone, .points = 10, .done = 10, .started_s = 100, .ended_s = 200};
  const ShardStatus runs{.number = 2, .state = State::kRunning, .points = 10, .done = 5, .started_s = 150};
  const ShardStatus waits{.number = 3, .state = State::kWaiting, .points = 10};
  // 15 points took 150 s; the other 15 run one after the other on the single node.
  EXPECT_EQ(seconds_left({done, runs, waits}, 200), 150);
  EXPECT_EQ(seconds_left({done}, 200), 0);
  EXPECT_EQ(seconds_left({done, waits}, 200), std::nullopt);
  EXPECT_EQ(seconds_left({runs, waits}, 150), std::nullopt) << "no time has passed";
}

TEST(ShardStates, TimeLeftAfterARetry) {
  // The second attempt has done 2 points in 20 s; how long the first needed for its 8 is unknown.
  const JobNote note = parse_note("started 100 n1\nresumed 8\n");
  const ShardStatus again = shard_of(1, 20, 10, false, note, nullptr, true);
  EXPECT_EQ(seconds_left({again}, 120), 100);
  EXPECT_EQ(seconds_left({shard_of(1, 20, 8, false, note, nullptr, true)}, 120), std::nullopt) << "no point of its own";
}

// --- attempts.h -----------------------------------------------------------------------------------------------------

class SomeAttempts : public ::testing::Test {
 protected:
  // Whether one shard in this state is due to be submitted.
  bool due(State state, int done = 0, std::optional<int> code = {}) {
    return !attempts_.due({{.number = 1, .state = state, .points = 10, .done = done, .code = code}}).empty();
  }
  Attempts attempts_{1, 2, 3};
};

TEST_F(SomeAttempts, AFailureIsSubmittedAgainTwice) {
  EXPECT_TRUE(due(State::kMissing));
  EXPECT_FALSE(due(State::kWaiting));
  EXPECT_FALSE(due(State::kRunning));
  EXPECT_TRUE(due(State::kFailed, 0, 137));
  EXPECT_FALSE(due(State::kRunning));
  EXPECT_TRUE(due(State::kFailed, 0, 137));
  EXPECT_FALSE(due(State::kRunning));
  EXPECT_FALSE(attempts_.given_up(1));
  EXPECT_FALSE(due(State::kFailed, 0, 137));
  EXPECT_TRUE(attempts_.given_up(1));
  EXPECT_FALSE(due(State::kFailed, 5, 137));
}

TEST_F(SomeAttempts, NewPointsStartTheCountAgain) {
  EXPECT_TRUE(due(State::kFailed, 0, 143)) << "of an earlier submission";
  for (int done = 1; done <= 8; ++done) EXPECT_TRUE(due(State::kFailed, done, 143)) << done;
  EXPECT_TRUE(due(State::kFailed, 8, 143));
  EXPECT_TRUE(due(State::kFailed, 8, 143));
  EXPECT_FALSE(due(State::kFailed, 8, 143));
}

TEST_F(SomeAttempts, BadInputIsNotTriedAgain) {
  EXPECT_TRUE(due(State::kFailed, 0, 2)) << "the user has corrected it since";
  EXPECT_FALSE(due(State::kFailed, 0, 2));
  EXPECT_TRUE(attempts_.given_up(1));
}

TEST_F(SomeAttempts, AJobThatLeavesNoWordIsWaitedFor) {
  EXPECT_TRUE(due(State::kMissing));
  EXPECT_FALSE(due(State::kRunning));
  EXPECT_FALSE(due(State::kFailed));
  EXPECT_FALSE(due(State::kFailed));
  EXPECT_FALSE(due(State::kRunning)) << "the queue was late";
  EXPECT_FALSE(due(State::kFailed));
  EXPECT_FALSE(due(State::kFailed));
  EXPECT_TRUE(due(State::kFailed));
}

TEST(Attempt, WhatRunsOrIsDoneIsNotSubmitted) {
  Attempts attempts(5, 3, 3);
  const auto shard = [](int number, State state) { return ShardStatus{.number = number, .state = state}; };
  EXPECT_THAT(attempts.due({shard(1, State::kDone), shard(2, State::kRunning), shard(3, State::kWaiting),
                            shard(4, State::kMissing), shard(5, State::kFailed)}),
              ElementsAre(4, 5));
}

// --- submission.h, status.h -----------------------------------------------------------------------------------------

TEST(SubmissionFile, IsReadAsItWasWritten) {
  const TemporaryFolder folder;
  EXPECT_FALSE(read_submission(folder.path()));
  Submission s = a_job().submission;
  s.runner = Runner::kParallel;
  s.whole_nodes = true;
  s.balance = "/shared/before";
  write_submission(folder.path(), s);
  const auto read = read_submission(folder.path());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->scenario, s.scenario);
  EXPECT_EQ(read->settings, s.settings);
  EXPECT_EQ(read->study, s.study);
  EXPECT_EQ(read->identity, s.identity);
  EXPECT_EQ(read->points, s.points);
  EXPECT_EQ(read->runner, s.runner);
  EXPECT_EQ(read->whole_nodes, s.whole_nodes);
  EXPECT_EQ(read->balance, s.balance);
  folder.write("submission.json", "{\"schema\":\"strata.submission/1\"");
  EXPECT_THROW(read_submission(folder.path()), InputError);
}

TEST(SubmissionFile, AnotherStudyIsRefused) {
  const Submission theirs = a_job().submission;
  const auto fault = [&](auto change) -> std::string {
    Submission ours = theirs;
    change(ours);
    try {
      require_same("out", theirs, ours);
    } catch (const InputError& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_EQ(fault([](Submission&) {}), "accepted");
  EXPECT_THAT(fault([](Submission& s) { s.identity = "1"; }),
              HasSubstr("out: holds another study, `my study.yaml --set elements=1,10"));
  EXPECT_EQ(fault([](Submission& s) { s.runner = Runner::kParallel; }),
            "out: was submitted with slurm; give --with slurm, or choose another --out");
  EXPECT_EQ(fault([](Submission& s) { s.balance = "/before"; }),
            "out: has its points dealt by estimate; leave out --balance, or choose another --out");
  EXPECT_EQ(fault([](Submission& s) {
              s.points = {4, 4};
            }),
            "out: holds 3 shards; give --shards 3, or choose another --out");
}

Status a_status() {
  return {.folder = "out",
          .submission = a_job().submission,
          .shards = {{.number = 1, .state = State::kDone, .points = 3, .done = 3, .job = "123_1", .host = "n1"},
                     {.number = 2,
                      .state = State::kFailed,
                      .points = 3,
                      .done = 1,
                      .host = "n2",
                      .reason = "exit code 3",
                      .code = 3},
                     {.number = 3, .state = State::kWaiting, .points = 2, .job = "123_3", .reason = "Resources"}},
          .left_s = 300};
}

TEST(Statuses, Table) {
  EXPECT_EQ(status_table(a_status()),
            "quickstart in out, with slurm\n"
            "1 of 3 shards are done, 1 waits, 1 failed; 4 of 8 points; about 5 min left\n"
            "\n"
            "shard  state    points  job    host\n"
            "    1  done        3/3  123_1  n1\n"
            "    2  failed      1/3         n2    exit code 3; see out/logs/2.log\n"
            "    3  waiting     0/2  123_3        Resources\n");
}

TEST(Statuses, Document) {
  const Json json = status_json(a_status());
  EXPECT_EQ(json["schema"], "strata.status/1");
  EXPECT_EQ(json["points"], 8);
  EXPECT_EQ(json["points_done"], 4);
  EXPECT_EQ(json["seconds_left"], 300);
  EXPECT_EQ(json["counts"].dump(), R"({"missing":0,"waiting":1,"running":0,"done":1,"failed":1})");
  EXPECT_EQ(json["shards"][1].dump(),
            R"({"shard":2,"state":"failed","points":3,"points_done":1,"job":"","host":"n2","exit_code":3,)"
            R"("reason":"exit code 3","log":"out/logs/2.log"})");
  EXPECT_TRUE(json["shards"][2]["exit_code"].is_null());
}

TEST(Statuses, Words) {
  EXPECT_EQ(describe_left(std::nullopt), "");
  EXPECT_EQ(describe_left(0.2), "about 1 s left");
  EXPECT_EQ(describe_left(89), "about 1 min 30 s left");
  EXPECT_EQ(describe_left(3600), "about 1 h left");
  EXPECT_EQ(describe_left(7200), "about 2 h left");
  EXPECT_EQ(describe({.missing = 1, .waiting = 2, .running = 1, .done = 4}),
            "4 of 8 shards are done, 1 runs, 2 wait, 1 is not submitted");
}

}  // namespace
}  // namespace strata::campaign
