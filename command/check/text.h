// What the reports of `strata check` have in common: numbers, indented blocks, and the line that tells how far it is.
#pragma once

#include <string>

namespace strata::command {

/// 1,234,567.
std::string grouped(long n);
/// "1 case", "1,234 cases".
std::string counted(long n, const std::string& one);
/// Every line that is not empty moved to the right.
std::string indented(const std::string& text, int by);

/// How far something is, on stderr: a line that is drawn anew on a terminal, nothing elsewhere. Goes at its end.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void draw(const std::string& text);
  void clear();

 private:
  bool terminal_, drawn_ = false;
};

}  // namespace strata::command
