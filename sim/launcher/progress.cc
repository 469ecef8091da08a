// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace strata::sim {

void tell(const std::string& text) { std::fputs(text.c_str(), stderr); }  // fmt::print throws

Progress::Progress(std::string what, std::size_t total, std::size_t already, bool quiet)
    : what_(std::move(what)), total_(total), done_(already), quiet_(quiet), terminal_(::isatty(STDERR_FILENO) != 0) {
  if (!quiet_ && already > 0) tell(fmt::format("{}: {} of {} points are there already\n", what_, already, total));
}

Progress::~Progress() {
  if (drawn_) std::fputs("\n", stderr);
}

void Progress::point_done(const std::string& description) {
  ++done_;
  if (quiet_) return;
  if (!terminal_) {
    tell(fmt::format("[{:>{}}/{}] {}\n", done_, std::to_string(total_).size(), total_, description));
    return;
  }
  draw(description.substr(0, 60));
}

void Progress::update(std::size_t done, const std::string& description, const std::string& left) {
  done_ = done;
  if (quiet_) return;
  if (terminal_) return draw(description + (left.empty() ? "" : "; " + left));
  if (description != last_)
    tell(fmt::format("[{:>{}}/{}] {}\n", done_, std::to_string(total_).size(), total_, description));
  last_ = description;
}

void Progress::note(const std::string& line) {
  if (!quiet_) tell((drawn_ ? "\r\033[K" : "") + line + "\n");
}

void Progress::draw(const std::string& description) {
  constexpr std::size_t kWidth = 30;
  const std::size_t full = total_ == 0 ? kWidth : kWidth * done_ / total_;
  tell(fmt::format("\r\033[K{} [{}{}] {}/{} {}", what_, std::string(full, '#'), std::string(kWidth - full, '.'), done_,
                   total_, description));
  drawn_ = true;
}

}  // namespace strata::sim
