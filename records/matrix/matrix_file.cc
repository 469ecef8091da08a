// SPDX-License-Identifier: LGPL-2.1-only
#include "records/matrix/matrix_file.h"

#include <stdexcept>
#include <utility>

#include "base/error.h"
#include "base/input_file.h"
#include "records/matrix/dense.h"
#include "records/matrix/matrix_market.h"
#include "records/matrix/matrix_text.h"
#include "records/matrix/prof_file.h"

namespace strata {

using namespace matrix_text;  // NOLINT: this file selects among all formats

namespace {

namespace fs = std::filesystem;

// Detects the format by the first line that is not empty. A profile may begin with comments, for example that of a
// process that has sent nothing.
MatrixFormat format_of(Lines lines) {
  bool profile = false;
  while (lines.next()) {
    Words words(lines.line());
    const std::string_view first = words.next();
    if (first.empty()) continue;
    if (is_matrix_market(first)) return MatrixFormat::kMatrixMarket;
    if (first[0] == '#') {
      const std::string_view second = words.next(), third = words.next();
      profile = profile || begins_profile_comment(second, third);
      continue;
    }
    return begins_profile_line(first) ? MatrixFormat::kProfile : MatrixFormat::kDense;
  }
  return profile ? MatrixFormat::kProfile : MatrixFormat::kDense;
}

}  // namespace

MatrixFile read_matrix_files(const std::vector<fs::path>& files, int order, const std::string& kinds) {
  if (files.empty()) throw std::invalid_argument("no files");
  if (kinds.empty() || kinds.find_first_not_of(kProfileKinds) != std::string::npos) {
    throw std::invalid_argument("kinds are letters of EICSR");
  }
  Profiles profiles(order, kinds);
  for (const fs::path& file : files) {
    const std::string text = read_input(file, kFormats);
    Lines lines(file.string(), text);
    if (text.empty()) lines.fail_whole("is empty", kFormats);
    const MatrixFormat format = format_of(lines);
    if (format == MatrixFormat::kProfile) {
      profiles.read(lines);
      continue;
    }
    if (files.size() > 1) lines.fail_whole("is not a profile", "give one file, or several .prof of the same run");
    return {format, format == MatrixFormat::kDense ? read_dense(lines, order) : read_matrix_market(lines, order), {}};
  }
  const std::string all = files.front().string() + (files.size() > 1 ? " and those after it" : "");
  Profiles::Matrices joined = profiles.finish(Lines(all, ""));
  return {MatrixFormat::kProfile, std::move(joined.bytes), std::move(joined.messages)};
}

Pattern read_matrix(const fs::path& file, int order, const std::string& kinds, bool messages) {
  MatrixFile read = read_matrix_files({file}, order, kinds);
  if (!messages) return std::move(read.bytes);
  if (!read.messages) throw InputError(file.string(), "has no numbers of messages", "give a .prof");
  return std::move(*read.messages);
}

std::string format_matrix(const Pattern& bytes, MatrixFormat format, const Pattern* messages) {
  switch (format) {
    case MatrixFormat::kDense:
      return format_dense(bytes);
    case MatrixFormat::kProfile:
      return format_profile(bytes, messages);
    case MatrixFormat::kMatrixMarket:
      return matrix_text::format_matrix_market(bytes);
  }
  return {};
}

}  // namespace strata
