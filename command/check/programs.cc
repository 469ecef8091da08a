#include "command/check/programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "check/engine/explore.h"
#include "platforms/error.h"
#include "platforms/svg_text.h"
#include "command/check/text.h"
#include "sim/launcher/child.h"

namespace strata::command {
namespace {

using sim::Verdict;

// A shell takes `;` for the end of a command, so a key has commas where SimGrid's record has these.
std::string path_to_key(std::string path) {
  std::replace(path.begin(), path.end(), ';', ',');
  return path;
}

std::string key_to_path(std::string key) {
  std::replace(key.begin(), key.end(), ',', ';');
  return key;
}

std::string steps_text(const sim::CounterExample& c) {
  std::string text;
  const size_t width = std::to_string(c.steps.size()).size();
  for (size_t i = 0; i < c.steps.size(); ++i)
    text += fmt::format("{:>{}}  rank {}  {}\n", i + 1, width, c.steps[i].rank, c.steps[i].what);
  return text;
}

Json steps_json(const sim::CounterExample& c) {
  Json steps = Json::array();
  for (const sim::Step& s : c.steps) steps.push_back({{"rank", s.rank}, {"what", s.what}});
  return steps;
}

std::string ranks_text(const ProgramQuestion& q) {
  const RankPlacement& p = q.exploration.placement;
  const std::string threads =
      p.progress.empty() ? ""
                         : fmt::format(" with {}", counted(static_cast<long>(p.progress.size()), "progress thread"));
  return counted(static_cast<long>(p.ranks.size()), "rank") + threads;
}

std::string buffering_text(const ProgramQuestion& q) {
  switch (q.exploration.buffering) {
    case sim::Buffering::kAll:
      return "every send complete at once";
    case sim::Buffering::kNone:
      return "every send waiting for its receive";
    case sim::Buffering::kSome:
      break;
  }
  return fmt::format("sends of less than {:.0f} B complete at once", q.exploration.eager_limit_bytes);
}

}  // namespace

std::string text_of(sim::Buffering buffering, double eager_limit_bytes) {
  return buffering == sim::Buffering::kAll    ? "all"
         : buffering == sim::Buffering::kNone ? "none"
                                              : fmt::format("{:.0f}", eager_limit_bytes);
}

std::string ProgramResult::key() const {
  if (!explored.counter_example) return "";
  return fmt::format("{}/{}:{}", question.name, sim::name_of(explored.verdict),
                     path_to_key(explored.counter_example->path));
}

std::vector<ProgramResult> check_programs(const std::vector<ProgramQuestion>& questions,
                                          const std::function<void(const ProgramResult&)>& done) {
  if (questions.empty()) return {};
  const sim::ModelChecker checker = sim::need_model_checker();
  const sim::Installation installation = sim::find_installation();
  ProgressLine line;
  std::set<std::string> wrong;
  std::vector<ProgramResult> results;
  for (size_t i = 0; i < questions.size(); ++i) {
    const ProgramQuestion& q = questions[i];
    if (wrong.count(q.name) > 0) continue;
    const auto progress = [&](long states, long executions) {
      line.draw(fmt::format("[{}/{}] {}: {}, {}", i + 1, questions.size(), q.name, counted(states, "state"),
                            counted(executions, "execution")));
    };
    try {
      results.push_back({q, sim::explore(checker, installation, *q.machine, q.exploration, progress)});
    } catch (const InputError&) {
      throw;
    } catch (const std::runtime_error& e) {
      throw check::CheckerFailed("the checker failed on " + q.name + ": " + e.what());
    }
    line.clear();
    if (!results.back().holds()) wrong.insert(q.name);
    done(results.back());
  }
  return results;
}

std::string text_of(const ProgramResult& r) {
  const sim::Explored& e = r.explored;
  std::string text = fmt::format("{:<11} {}: {}, {}; {}, {}, {:.1f} s\n", sim::name_of(e.verdict), r.question.name,
                                 ranks_text(r.question), buffering_text(r.question), counted(e.states, "state"),
                                 counted(e.executions, "execution"), e.seconds);
  if (!e.limit.empty()) text += fmt::format("  no violation until then: {}\n", e.limit);
  if (!e.counter_example) return text;
  const sim::CounterExample& c = *e.counter_example;
  text += fmt::format("\n    {}\n\n{}\n", c.why, indented(steps_text(c), 4));
  return text + fmt::format("    again:  {}\n\n", r.question.again(r.key()));
}

Json json_of(const ProgramResult& r) {
  const sim::Explored& e = r.explored;
  Json result = {{"name", r.question.name},
                 {"ranks", r.question.exploration.placement.ranks.size()},
                 {"progress_threads", r.question.exploration.placement.progress.size()},
                 {"arguments", r.question.exploration.arguments},
                 {"buffering", text_of(r.question.exploration.buffering, r.question.exploration.eager_limit_bytes)},
                 {"verdict", sim::name_of(e.verdict)},
                 {"states", e.states},
                 {"transitions", e.transitions},
                 {"executions", e.executions},
                 {"seconds", e.seconds},
                 {"limit", e.limit.empty() ? Json(nullptr) : Json(e.limit)},
                 {"counter_example", nullptr}};
  if (e.counter_example) {
    result["counter_example"] = {{"key", r.key()},
                                 {"again", r.question.again(r.key())},
                                 {"message", e.counter_example->why},
                                 {"steps", steps_json(*e.counter_example)}};
  }
  return result;
}

std::string verdict_of(const std::vector<ProgramResult>& results) {
  long states = 0, executions = 0, wrong = 0;
  double seconds = 0;
  for (const ProgramResult& r : results) {
    states += r.explored.states;
    executions += r.explored.executions;
    seconds += r.explored.seconds;
    wrong += !r.holds();
  }
  const long all = static_cast<long>(results.size());
  return fmt::format("{}: {}, {}, {}, {:.1f} s\n",
                     wrong == 0 ? "no violation in any order of messages"
                                : fmt::format("{} of {} violated or undecided", wrong, counted(all, "exploration")),
                     counted(all, "exploration"), counted(states, "state"), counted(executions, "execution"), seconds);
}

std::string svg_of(const ProgramResult& r) {
  if (!r.explored.counter_example) return "";
  const sim::CounterExample& c = *r.explored.counter_example;
  constexpr int kFont = 12, kLine = 18, kMargin = 12, kNumber = 40;  // px
  size_t longest = 8;
  int ranks = 1;
  for (const sim::Step& s : c.steps) {
    longest = std::max(longest, s.what.size());
    ranks = std::max(ranks, s.rank + 1);
  }
  const double column = kMonospaceAdvance * kFont * static_cast<double>(longest) + 16;
  const double left = kMargin + kNumber, width = left + column * ranks + kMargin;
  double y = kMargin + kLine;
  std::string body = fmt::format("<text x=\"{}\" y=\"{}\" font-weight=\"bold\">{}</text>\n", kMargin, y,
                                 svg_escape(r.question.name + ": " + c.why));
  y += 1.5 * kLine;
  const double top = y + kLine / 3.0, bottom = top + kLine * static_cast<double>(c.steps.size()) + kLine / 2.0;
  for (int rank = 0; rank < ranks; ++rank) {
    const double x = left + column * rank;
    body += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" font-weight=\"bold\">rank {}</text>\n"
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#bbbbbb\"/>\n",
        x, y, rank, x - 6, top, x - 6, bottom);
  }
  for (size_t i = 0; i < c.steps.size(); ++i) {
    y += kLine;
    const double x = left + column * c.steps[i].rank;
    body += fmt::format(
        "<text x=\"{}\" y=\"{:.1f}\" fill=\"#888888\">{}</text>\n"
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" fill=\"#dde8f5\"/>\n"
        "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        kMargin, y, i + 1, x - 4, y - kLine + 5, column - 6, kLine - 2, x, y, svg_escape(c.steps[i].what));
  }
  const double title =
      kMargin * 2 + kMonospaceAdvance * kFont * static_cast<double>(r.question.name.size() + c.why.size() + 2);
  return svg_page(std::max(width, title), bottom + kMargin, kFont, body);
}

int replay_program(const ProgramQuestion& q, const std::string& text, bool debugger, bool json) {
  const check::Key key = check::parse_key(text);
  const sim::ModelChecker checker = sim::need_model_checker();
  const sim::Installation installation = sim::find_installation();
  const std::string path = key_to_path(key.text);
  if (debugger) return sim::replay_in_debugger(checker, installation, *q.machine, q.exploration, path);
  const sim::Replayed replayed = sim::replay(checker, installation, *q.machine, q.exploration, path);
  const bool holds = replayed.verdict == Verdict::kHolds;
  if (json) {
    const Json document = {{"schema", "strata.check/1"},
                           {"verdict", sim::name_of(replayed.verdict)},
                           {"key", text},
                           {"message", holds ? Json(nullptr) : Json(replayed.run.why)},
                           {"steps", steps_json(replayed.run)},
                           {"stdout", replayed.run.out},
                           {"stderr", replayed.run.err}};
    std::fputs((document.dump() + "\n").c_str(), stdout);
    return holds ? 0 : 1;
  }
  fmt::print("{}: {}, {}\n\n{}\n", q.name, ranks_text(q), buffering_text(q), steps_text(replayed.run));
  if (!replayed.run.out.empty()) fmt::print("stdout:\n{}\n", indented(replayed.run.out, 2));
  if (!replayed.run.err.empty()) fmt::print("stderr:\n{}\n", indented(replayed.run.err, 2));
  fmt::print("{}\n", holds ? "holds" : fmt::format("{}: {}", sim::name_of(replayed.verdict), replayed.run.why));
  return holds ? 0 : 1;
}

}  // namespace strata::command
