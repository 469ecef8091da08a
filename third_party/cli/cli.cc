// SPDX-License-Identifier: LGPL-2.1-only
#include "third_party/cli/cli.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

namespace strata::cli {
namespace {

// Refuses `--out ""`. It is usually a mistake, such as an unset shell variable, and would otherwise act as if the
// option were missing. An empty positional argument may be intended: `strata check --program p --np 2 -- ""`.
void refuse_empty_values(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() || option->count() == 0) continue;
    const std::vector<std::string>& values = option->results();
    if (std::find(values.begin(), values.end(), "") != values.end())
      throw ParseError(option->get_name() + ": the value is empty; give one, or leave the option out");
  }
  for (const CLI::App* sub : app.get_subcommands()) refuse_empty_values(*sub);
}

// CLI11's own validators change their messages from version to version, and say "not in range 0.000000 to 179769..."
// for a number that is not positive.
template <class T>
Validator range(T least, T most) {
  const auto fault = [least, most](const std::string& text) {
    T value{};
    if (CLI::detail::lexical_cast(text, value) && value >= least && value <= most) return std::string();
    return fmt::format("Value {} not in range {} to {}", text, least, most);
  };
  return Validator(fault, CLI::Range(least, most).get_description());
}

Validator number(bool (*right)(double), const std::string& what, const std::string& description) {
  const auto fault = [right, what](const std::string& text) {
    double value = 0;
    if (CLI::detail::lexical_cast(text, value) && std::isfinite(value) && right(value)) return std::string();
    return fmt::format("Value {} is not a number {}", text, what);
  };
  return Validator(fault, description);
}

// Reads -np as --np, as mpirun does, if the command has this option: CLI11 would read it as -n with the value "p".
void accept_one_dash(std::vector<std::string>& words, const CLI::App& command) {
  for (std::string& word : words) {
    if (word == "--") return;
    if (word.size() < 3 || word[0] != '-' || word[1] == '-') continue;
    const std::string name = "-" + word.substr(0, word.find('='));
    if (command.get_option_no_throw(name) != nullptr) word = "-" + word;
  }
}

using Json = nlohmann::ordered_json;

// The words of "TEXT:{smpi,pure}". CLI11 writes the type of an option with IsMember in this form.
std::vector<std::string> choices_of(const std::string& type) {
  const size_t open = type.find('{'), close = type.find('}', open);
  if (open == std::string::npos || close == std::string::npos) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

Json described(const CLI::Option& option) {
  Json names = Json::array();
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  const bool positional = names.empty();
  if (positional) names.push_back(option.get_name(true));
  const std::string type = option.get_type_name();
  Json value = nullptr;
  if (option.get_items_expected_max() != 0) value = type.substr(0, type.find(':'));
  return {{"names", names},
          {"positional", positional},
          {"value", value},
          {"choices", choices_of(type)},
          {"repeated", option.get_items_expected_max() > 1},
          {"required", option.get_required()},
          {"about", option.get_description()}};
}

Json described(const CLI::App& app) {
  Json options = Json::array(), commands = Json::array();
  for (const CLI::Option* option : app.get_options()) options.push_back(described(*option));
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    commands.push_back(described(*sub));
  return {{"name", app.get_name()},
          {"about", app.get_description()},
          {"footer", app.get_footer()},
          {"options", options},
          {"commands", commands}};
}

}  // namespace

Validator::Validator(const Fault& fault, const std::string& description, const std::string& name)
    : validator_(
          std::make_shared<CLI::Validator>([fault](std::string& value) { return fault(value); }, description, name)) {}
Validator::Validator(const CLI::Validator& validator) : validator_(std::make_shared<CLI::Validator>(validator)) {}

Validator Range(int least, int most) { return range(least, most); }
Validator Range(long least, long most) { return range(least, most); }
Validator Range(double least, double most) { return range(least, most); }
Validator IsMember(const std::vector<std::string>& values) { return Validator(CLI::IsMember(values)); }
const Validator PositiveNumber = number([](double value) { return value > 0; }, "above 0", "POSITIVE");
const Validator NonNegativeNumber = number([](double value) { return value >= 0; }, "of 0 or more", "NONNEGATIVE");

Option* Option::required() {
  option_->required();
  return this;
}

Option* Option::check(const Validator& validator) {
  option_->check(*validator.validator_);
  return this;
}

Option* Option::check(const Fault& fault) {
  option_->check(fault);
  return this;
}

Option* Option::excludes(Option* other) {
  option_->excludes(other->option_);
  return this;
}

Option* Option::excludes(const std::string& other) {
  option_->excludes(other);
  return this;
}

Option* Option::needs(Option* other) {
  option_->needs(other->option_);
  return this;
}

Option* Option::delimiter(char separator) {
  option_->delimiter(separator);
  return this;
}

Option* Option::allow_extra_args(bool allow) {
  option_->allow_extra_args(allow);
  return this;
}

Option* Option::type_name(const std::string& name) {
  option_->type_name(name);
  return this;
}

Option* Option::description(const std::string& text) {
  option_->description(text);
  return this;
}

App::App(const std::string& description, const std::string& name)
    : owned_(std::make_unique<CLI::App>(description, name)), app_(owned_.get()) {}
App::App(CLI::App* subcommand) : app_(subcommand) {}
App::~App() = default;

Option* App::keep(CLI::Option* option) {
  options_.emplace_back(new Option(option));
  return options_.back().get();
}

Option* App::add_option(const std::string& name, std::string& value, const std::string& description) {
  return keep(app_->add_option(name, value, description));
}

Option* App::add_option(const std::string& name, const std::function<void(const std::string&)>& set,
                        const std::string& description) {
  return keep(app_->add_option_function<std::string>(name, set, description));
}

Option* App::add_option(const std::string& name, int& value, const std::string& description) {
  return keep(app_->add_option(name, value, description));
}

Option* App::add_option(const std::string& name, long& value, const std::string& description) {
  return keep(app_->add_option(name, value, description));
}

Option* App::add_option(const std::string& name, std::uint64_t& value, const std::string& description) {
  return keep(app_->add_option(name, value, description));
}

Option* App::add_option(const std::string& name, double& value, const std::string& description) {
  return keep(app_->add_option(name, value, description));
}

Option* App::add_option(const std::string& name, std::optional<double>& value, const std::string& description) {
  return keep(app_->add_option(name, value, description));
}

Option* App::add_option(const std::string& name, std::vector<std::string>& value, const std::string& description) {
  return keep(app_->add_option(name, value, description));
}

Option* App::add_option(const std::string& name, std::vector<int>& value, const std::string& description) {
  return keep(app_->add_option(name, value, description));
}

Option* App::add_option(const std::string& name, std::vector<long>& value, const std::string& description) {
  return keep(app_->add_option(name, value, description));
}

Option* App::add_option(const std::string& name, std::vector<double>& value, const std::string& description) {
  return keep(app_->add_option(name, value, description));
}

Option* App::add_flag(const std::string& name, bool& value, const std::string& description) {
  return keep(app_->add_flag(name, value, description));
}

Option* App::get_option(const std::string& name) { return keep(app_->get_option(name)); }

App* App::add_subcommand(const std::string& name, const std::string& description) {
  subcommands_.emplace_back(new App(app_->add_subcommand(name, description)));
  return subcommands_.back().get();
}

void App::require_subcommand(int number) { app_->require_subcommand(number); }
void App::require_subcommand(int least, int most) {
  app_->require_subcommand(static_cast<std::size_t>(least), static_cast<std::size_t>(most));
}
void App::footer(const std::string& text) { app_->footer(text); }
void App::set_version_flag(const std::string& name, const std::string& version) {
  app_->set_version_flag(name, version);
}
void App::callback(const std::function<void()>& done) { app_->callback(done); }

void App::take_rest(std::vector<std::string>& rest) {
  rest_ = &rest;
  app_->prefix_command();
}

void App::parse(int argc, char** argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  for (const std::unique_ptr<App>& sub : subcommands_) {
    if (sub->rest_ == nullptr || words.empty() || words.front() != sub->app_->get_name()) continue;
    // CLI11 would give the words after `--` to the parent command.
    const auto mark = std::find(words.begin(), words.end(), "--");
    sub->rest_->assign(mark, words.end());
    words.erase(mark, words.end());
  }
  const std::vector<std::string> given = words;
  for (const std::unique_ptr<App>& sub : subcommands_) {
    if (!words.empty() && words.front() == sub->app_->get_name()) accept_one_dash(words, *sub->app_);
  }
  std::reverse(words.begin(), words.end());  // CLI11 expects reverse order
  try {
    app_->parse(std::move(words));
  } catch (const CLI::Success& e) {
    std::ostringstream out;
    app_->exit(e, out, out);
    throw Success(e.what(), out.str());
  } catch (const CLI::ParseError& e) {
    throw ParseError(e.what());
  }
  for (const std::unique_ptr<App>& sub : subcommands_) {
    if (sub->rest_ == nullptr || !sub->app_->parsed()) continue;
    std::vector<std::string> before = sub->app_->remaining();
    if (!before.empty() && before.front().starts_with("-"))
      throw ParseError("The following argument was not expected: " + before.front());
    before.assign(given.end() - static_cast<std::ptrdiff_t>(before.size()),
                  given.end());  // they are not options of ours
    const bool mark_is_ours = before.empty() && !sub->rest_->empty();
    before.insert(before.end(), sub->rest_->begin() + (mark_is_ours ? 1 : 0), sub->rest_->end());
    *sub->rest_ = std::move(before);
  }
  refuse_empty_values(*app_);
}

std::string App::describe(const std::string& schema) const {
  Json document = {{"schema", schema}};
  document.update(described(*app_));
  return document.dump() + "\n";
}

std::size_t App::count(const std::string& option) const { return app_->count(option); }

std::vector<std::string> App::get_subcommands() const {
  std::vector<std::string> names;
  for (const CLI::App* sub : static_cast<const CLI::App*>(app_)->get_subcommands()) names.push_back(sub->get_name());
  return names;
}

bool App::got_subcommand(const std::string& name) const {
  const std::vector<std::string> names = get_subcommands();
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> App::remaining() const { return app_->remaining(); }

}  // namespace strata::cli
