#include "command/check/text.h"

#include <unistd.h>

#include <cstdio>

namespace strata::command {

std::string grouped(long n) {
  std::string text = std::to_string(n);
  for (int at = static_cast<int>(text.size()) - 3; at > 0; at -= 3) text.insert(static_cast<size_t>(at), 1, ',');
  return text;
}

std::string counted(long n, const std::string& one) {
  const bool y = !one.empty() && one.back() == 'y';
  return grouped(n) + " " + (n == 1 ? one : y ? one.substr(0, one.size() - 1) + "ies" : one + "s");
}

std::string indented(const std::string& text, int by) {
  std::string result;
  bool begin = true;
  for (char c : text) {
    if (begin && c != '\n') result.append(static_cast<size_t>(by), ' ');
    result += c;
    begin = c == '\n';
  }
  return result;
}

ProgressLine::ProgressLine() : terminal_(::isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::draw(const std::string& text) {
  if (!terminal_) return;
  std::fputs(("\r\033[K" + text).c_str(), stderr);
  drawn_ = true;
}

void ProgressLine::clear() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

}  // namespace strata::command
