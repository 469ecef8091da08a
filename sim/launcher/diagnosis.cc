#include "sim/launcher/diagnosis.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

namespace strata::sim {
namespace {

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string w; in >> w;) words.push_back(w);
  return words;
}

// What follows "@strata WORD " in the first line that begins so; nothing where there is none.
bool marked(const std::string& text, const std::string& word, std::string& rest) {
  const std::string mark = "@strata " + word;
  const size_t at = text.find(mark);
  if (at == std::string::npos) return false;
  const size_t end = std::min(text.find('\n', at), text.size());
  rest = text.substr(at + mark.size(), end - at - mark.size());
  if (!rest.empty() && rest[0] == ' ') rest.erase(0, 1);
  return true;
}

std::string last_line(const std::string& text) {
  std::istringstream in(text);
  std::string last;
  for (std::string line; std::getline(in, line);) {
    // smpirun's own epilogue repeats the command; it tells nothing new.
    if (line.empty() || line.find("--cfg=") != std::string::npos || line.rfind("Execution failed", 0) == 0) continue;
    if (line.find("xbt_cfg/INFO") != std::string::npos) continue;
    last = line;
  }
  return last;
}

// "recv 1 7 ..." of the trace: operation, peer, tag.
std::string point_to_point(const std::vector<std::string>& w) {
  const bool receives = w[1].find("recv") != std::string::npos;
  std::string text = w[1];
  if (w.size() > 2) text += (receives ? " from rank " : " to rank ") + w[2];
  if (w.size() > 3) text += " (tag " + w[3] + ")";
  return text;
}

}  // namespace

std::string waits_in(const std::vector<std::string>& trace) {
  std::vector<std::string> pending;  // nonblocking operations, oldest first
  std::vector<std::string> last;
  for (const std::string& line : trace) {
    const std::vector<std::string> w = words_of(line);
    if (w.size() < 2) continue;
    if (w[1] == "compute") continue;
    if (w[1] == "isend" || w[1] == "irecv" || w[1] == "Issend") pending.push_back(point_to_point(w));
    last = w;
  }
  if (last.empty()) return "waits before its first call";
  if (last[1] == "finalize") return "";
  if (last[1] == "wait" || last[1] == "waitall" || last[1] == "waitany" || last[1] == "waitsome") {
    size_t count = last[1] == "waitall" && last.size() > 2 ? std::stoul(last[2]) : 1;
    count = std::min(count, pending.size());
    std::string text = "waits in " + last[1];
    for (size_t i = pending.size() - count; i < pending.size(); ++i)
      text += (i + count == pending.size() ? " for " : ", ") + pending[i];
    return text;
  }
  if (last.size() > 2 && (last[1].find("send") != std::string::npos || last[1].find("recv") != std::string::npos)) {
    return "waits in " + point_to_point(last);
  }
  return "waits in " + last[1];
}

std::string who_waits(const std::filesystem::path& folder, int most) {
  std::map<int, std::vector<std::string>> traces;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    std::ifstream in(entry.path());
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    const std::vector<std::string> first = lines.empty() ? std::vector<std::string>() : words_of(lines.front());
    if (!first.empty()) traces[std::stoi(first.front())] = lines;
  }
  std::string text;
  int told = 0, more = 0;
  for (const auto& [rank, lines] : traces) {
    const std::string wait = waits_in(lines);
    if (wait.empty()) continue;
    if (told == most) {
      ++more;
      continue;
    }
    text += (text.empty() ? "" : "; ") + ("rank " + std::to_string(rank) + " " + wait);
    ++told;
  }
  if (more > 0) text += "; and " + std::to_string(more) + " more ranks";
  return text;
}

std::string describe_failure(int status, const std::string& error, bool& deadlock) {
  std::string rest;
  deadlock = false;
  if (marked(error, "deadlock", rest)) {
    deadlock = true;
    return "deadlock";
  }
  if (marked(error, "crash", rest)) {
    const std::vector<std::string> w = words_of(rest);  // rank R signal N
    const int number = w.size() > 3 ? std::stoi(w[3]) : 0;
    const std::string who = w.size() > 1 && std::stol(w[1]) >= 0 ? "rank " + w[1] : "the simulator";
    return who + " crashed: " + ::strsignal(number);
  }
  if (marked(error, "wrong", rest)) return "wrong data: " + rest;
  if (marked(error, "usage", rest)) return rest;
  if (marked(error, "platform", rest)) return "the platform plugin: " + rest;
  std::string text;
  if (WIFEXITED(status)) {
    text = "the program ended with status " + std::to_string(WEXITSTATUS(status));
  } else {
    text = "the simulator was ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
           ::strsignal(WTERMSIG(status)) + ")";
  }
  const std::string last = last_line(error);
  return last.empty() ? text : text + ": " + last;
}

}  // namespace strata::sim
