// SPDX-License-Identifier: LGPL-2.1-only
#include "console/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "console/duration.h"
#include "console/terminal.h"

namespace strata::console {
namespace {

constexpr const char* kClear = "\r\033[K";
constexpr double kRedraw_s = 0.05;  // faster redrawing flickers, and slows down terminals over ssh

// The first `width` characters of UTF-8 text, without line breaks and other control characters.
std::string fitted(std::string text, int width) {
  int characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (std::iscntrl(byte) != 0) text[i] = ' ';
    if ((byte & 0xC0) == 0x80) continue;  // continuation byte of a character
    if (++characters > width) return text.substr(0, i);
  }
  return text;
}

std::string count_text(std::size_t done, std::size_t total) {
  return fmt::format("[{:>{}}/{}] ", done, std::to_string(total).size(), total);
}

}  // namespace

void tell(const std::string& text) { std::fputs(text.c_str(), stderr); }  // unlike fmt::print, does not throw

Screen stderr_screen() {
  return {.rewrites = rewrites_lines(STDERR_FILENO),
          .columns = [] { return columns(STDERR_FILENO); },
          .seconds =
              [] { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); },
          .write = tell};
}

Progress::Progress(Work work, Screen screen)
    : work_(std::move(work)), screen_(std::move(screen)), start_s_(screen_.seconds()), done_(work_.already) {
  if (!work_.quiet && work_.already > 0)
    screen_.write(fmt::format("{}: {} of {} points are there already\n", work_.what, work_.already, work_.total));
  if (work_.total > done_) working("");
}

Progress::~Progress() { clear(); }

void Progress::point_done(const std::string& text) {
  ++done_;
  if (!screen_.rewrites) return log(text);
  show(text, {});
}

void Progress::points_done(std::size_t done, const std::string& text, std::optional<double> left_s) {
  done_ = done;
  if (screen_.rewrites) return draw(text, fraction_done(), left_s);
  if (text != last_) log(text);
  last_ = text;
}

void Progress::working(const std::string& text, std::optional<double> fraction) {
  if (screen_.rewrites && (!drawn_ || screen_.seconds() - drawn_s_ >= kRedraw_s)) show(text, fraction);
}

void Progress::show(const std::string& text, std::optional<double> fraction) {
  const double before =
      fraction || work_.total == 0 ? 0 : static_cast<double>(work_.already) / static_cast<double>(work_.total);
  const double now = fraction.value_or(fraction_done());
  draw(text, now, seconds_left(now, before));
}

void Progress::note(const std::string& line) {
  clear();
  if (!work_.quiet) screen_.write(line + "\n");
}

void Progress::clear() {
  if (drawn_) screen_.write(kClear);
  drawn_ = false;
}

void Progress::log(const std::string& text) {
  if (work_.quiet || !work_.logged) return;
  screen_.write(count_text(done_, work_.total) + text + "\n");
}

double Progress::fraction_done() const {
  return work_.total == 0 ? 0 : static_cast<double>(done_) / static_cast<double>(work_.total);
}

// Assumes that the rest goes at the average speed since the start.
std::optional<double> Progress::seconds_left(double fraction, double fraction_before) const {
  const double gained = fraction - fraction_before;
  if (!work_.even || gained <= 0) return {};
  return (screen_.seconds() - start_s_) * std::max(0.0, 1 - fraction) / gained;
}

void Progress::draw(const std::string& text, double fraction, std::optional<double> left_s) {
  if (work_.quiet) return;
  const double now = screen_.seconds(), passed_s = now - start_s_;
  std::vector<std::string> parts;
  if (work_.even) parts.push_back(fmt::format("{:.0f} %", std::floor(100 * std::min(fraction, 1.0) + 1e-9)));
  if (left_s && fraction < 1) {
    parts.push_back(duration_text(*left_s) + " left");
  } else if (!work_.even || passed_s >= 1) {
    parts.push_back(duration_text(passed_s) + " so far");
  }
  if (!text.empty()) parts.push_back(text);
  const std::string line =
      (work_.total == 0 ? "" : count_text(done_, work_.total)) + fmt::format("{}", fmt::join(parts, " · "));
  screen_.write(kClear + fitted(line, screen_.columns() - 1));  // text in the last column may wrap
  drawn_s_ = now;
  drawn_ = true;
}

}  // namespace strata::console
