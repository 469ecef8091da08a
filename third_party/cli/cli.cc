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

// The mistake in a text that should be a number of type T; empty: none.
template <class T>
std::string number_fault(const std::string& text) {
  T value{};
  if (CLI::detail::lexical_cast(text, value) && value == value) return "";
  if (std::is_floating_point_v<T>) return fmt::format("'{}' is not a number", text);
  const bool negative = text.starts_with('-');
  const std::string digits = text.substr(negative ? 1 : 0);
  const bool whole = !digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos;
  return fmt::format("'{}' is {}", text, !whole ? "not a whole number" : negative ? "too small" : "too large");
}

// CLI11's own validators change their messages from version to version, and say "not in range 0.000000 to 179769..."
// for a number that is not positive.
template <class T>
Validator range(T least, T most) {
  const auto fault = [least, most](const std::string& text) {
    std::string wrong = number_fault<T>(text);
    if (wrong.empty()) {
      T value{};
      CLI::detail::lexical_cast(text, value);
      if (value >= least && value <= most) return wrong;
      wrong = fmt::format("'{}' is too {}", text, value < least ? "small" : "large");
    }
    return fmt::format("{}; give {} to {}", wrong, least, most);
  };
  return Validator(fault, CLI::Range(least, most).get_description());
}

Validator number(bool (*right)(double), const std::string& what, const std::string& description) {
  const auto fault = [right, what](const std::string& text) {
    double value = 0;
    if (CLI::detail::lexical_cast(text, value) && std::isfinite(value) && right(value)) return std::string();
    return fmt::format("'{}' is not a number {}", text, what);
  };
  return Validator(fault, description);
}

// The command that was given: the last subcommand of the last subcommand.
const CLI::App* deepest(const CLI::App* app) {
  while (!app->get_subcommands().empty()) app = app->get_subcommands().back();
  return app;
}

// "strata nodecart survey"
std::string path(const CLI::App* app) {
  return app->get_parent() == nullptr ? app->get_name() : path(app->get_parent()) + " " + app->get_name();
}

UnknownWord unknown(const CLI::App* command, std::string word) {
  const bool option = word.starts_with('-');
  std::vector<std::string> names;
  if (option) {
    word.resize(std::min(word.find('='), word.size()));
    for (const CLI::Option* o : command->get_options()) {
      if (o->get_group().empty()) continue;  // an earlier name
      for (const std::string& name : o->get_lnames()) names.push_back("--" + name);
    }
  } else {
    for (const CLI::App* sub : command->get_subcommands([](const CLI::App*) { return true; }))
      names.push_back(sub->get_name());
  }
  const std::vector<const CLI::Option*> options = command->get_options();
  const bool takes_arguments = std::any_of(options.begin(), options.end(), [](auto* o) { return o->get_positional(); });
  const char* what = option                             ? "not an option of"
                     : takes_arguments || names.empty() ? "one argument too many for"
                                                        : "not a command of";
  const std::string of = path(command);
  return {fmt::format("'{}' is {} `{}`", word, what, of), of, word, names};
}

// A mistake in plain words. CLI11's exceptions hold the option and the kind of mistake only in their sentence.
std::string plain(const CLI::ParseError& e, const CLI::App* command) {
  std::string what = e.what();
  const auto both_sides = [&what](const std::string& verb, const std::string& form) {
    const size_t at = what.find(verb);
    if (at == std::string::npos) return what;
    return fmt::format(fmt::runtime(form), what.substr(0, at), what.substr(at + verb.size()));
  };
  if (dynamic_cast<const CLI::ExcludesError*>(&e) != nullptr)
    return both_sides(" excludes ", "{} and {} cannot be given together");
  if (dynamic_cast<const CLI::RequiresError*>(&e) != nullptr) return both_sides(" requires ", "{} needs {}");
  if (dynamic_cast<const CLI::ConversionError*>(&e) != nullptr) {  // "Could not convert: --nodes = 3.5"
    const size_t from = what.find('-'), to = what.find(' ', from);
    const CLI::Option* option =
        from == std::string::npos ? nullptr : command->get_option_no_throw(what.substr(from, to - from));
    if (option == nullptr) return what;
    using Fault = std::string (*)(const std::string&);
    const bool real = option->get_type_name().starts_with("FLOAT");
    for (const Fault fault :
         {real ? number_fault<double> : number_fault<long>, number_fault<int>, number_fault<std::uint64_t>}) {
      for (const std::string& text : option->results())
        if (const std::string wrong = fault(text); !wrong.empty()) return option->get_name() + ": " + wrong;
    }
    return what;
  }
  const std::string name = what.substr(0, what.find_first_of(": "));
  const CLI::Option* option = name.empty() ? nullptr : command->get_option_no_throw(name);
  if (dynamic_cast<const CLI::RequiredError*>(&e) != nullptr) {
    if (option == nullptr) return "no command is given";
    const std::string& about = option->get_description();
    return fmt::format("{} is required: {}", name, about.substr(0, about.find("; ")));
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&e) != nullptr && option != nullptr) {
    const size_t given = option->results().size();
    return given > 1 ? fmt::format("{}: given {} times; give it once", name, given) : name + ": its value is missing";
  }
  return what;
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

using Suggested = std::map<const CLI::Option*, std::vector<std::string>>;

Json described(const CLI::App& app, const Suggested& suggested) {
  Json options = Json::array(), commands = Json::array();
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // an earlier name
    options.push_back(described(*option));
    const auto found = suggested.find(option);
    options.back()["suggested"] = found == suggested.end() ? std::vector<std::string>() : found->second;
  }
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    commands.push_back(described(*sub, suggested));
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
Validator IsMember(const std::vector<std::string>& values) {
  const auto fault = [values](const std::string& text) {
    if (std::find(values.begin(), values.end(), text) != values.end()) return std::string();
    return fmt::format("'{}' is not one of {}", text, fmt::join(values, ", "));
  };
  return Validator(fault, CLI::IsMember(values).get_description());
}
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

Option* Option::formerly(const std::string& name) {
  const auto take = [now = option_, name, old_names = app_->old_names_](const std::vector<std::string>& values) {
    if (now->count() > 0) throw CLI::ExcludesError(name, now->get_name());
    old_names->push_back(fmt::format("{} is now called {}", name, now->get_name()));
    for (const std::string& value : values) now->add_result(value);
    now->run_callback();
  };
  const bool is_flag = option_->get_items_expected_max() == 0;
  CLI::Option* old = is_flag ? app_->app_->add_flag_function(name, [take](std::int64_t) { take({"true"}); })
                             : app_->app_->add_option_function<std::vector<std::string>>(name, take);
  if (!is_flag) old->expected(option_->get_expected_min(), option_->get_expected_max());
  old->group("");
  return this;
}

Option* Option::formerly_value(const std::string& old, const std::string& now) {
  const auto renamed = [=, name = option_->get_name(), old_names = app_->old_names_](const std::string& value) {
    if (value != old) return value;
    old_names->push_back(fmt::format("{0} {1} is now called {0} {2}", name, old, now));
    return now;
  };
  option_->transform(renamed, "", "");
  return this;
}

Option* Option::suggests(const std::vector<std::string>& values) {
  suggested_ = values;
  return this;
}

Option* Option::writes(Written what) {
  written_ = what;
  return this;
}

App::App(const std::string& description, const std::string& name)
    : owned_(std::make_unique<CLI::App>(description, name)),
      app_(owned_.get()),
      old_names_(std::make_shared<std::vector<std::string>>()) {}
App::App(CLI::App* subcommand, const App& parent) : app_(subcommand), old_names_(parent.old_names_) {}
App::~App() = default;

Option* App::keep(CLI::Option* option) {
  options_.emplace_back(new Option(option, this));
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
  subcommands_.emplace_back(new App(app_->add_subcommand(name, description), *this));
  return subcommands_.back().get();
}

App* App::subcommand(const std::string& name) const {
  for (const std::unique_ptr<App>& sub : subcommands_) {
    if (sub->app_->get_name() == name) return sub.get();
  }
  return nullptr;
}

void App::formerly(const std::string& name, const std::vector<std::string>& now) { former_commands_[name] = now; }

void App::group(const std::string& heading, const std::vector<std::string>& commands) {
  for (const std::string& name : commands) app_->get_subcommand(name)->group(heading);
}
void App::require_subcommand(int number) { app_->require_subcommand(number); }
void App::require_subcommand(int least, int most) {
  app_->require_subcommand(static_cast<std::size_t>(least), static_cast<std::size_t>(most));
}
void App::footer(const std::string& text) { app_->footer(text); }
void App::set_version_flag(const std::string& name, const std::string& version) {
  app_->set_version_flag(name, version);
}
void App::callback(const std::function<void()>& done) {
  app_->callback([app = app_, done] {
    if (app->get_subcommands().empty()) done();
  });
}

void App::take_rest(std::vector<std::string>& rest) {
  rest_ = &rest;
  app_->prefix_command();
}

void App::parse(int argc, char** argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const auto former = words.empty() ? former_commands_.end() : former_commands_.find(words.front());
  if (former != former_commands_.end()) {
    old_names_->push_back(fmt::format("`{0} {1}` is now called `{0} {2}`", app_->get_name(), former->first,
                                      fmt::join(former->second, " ")));
    words.erase(words.begin());
    words.insert(words.begin(), former->second.begin(), former->second.end());
  }
  App* command = words.empty() ? nullptr : subcommand(words[0]);
  if (command != nullptr && words.size() > 1) {
    if (App* below = command->subcommand(words[1]); below != nullptr) {
      for (CLI::Option* option : command->app_->get_options()) option->required(false);
      command = below;
    }
  }
  for (const std::unique_ptr<App>& sub : subcommands_) {
    if (sub->rest_ == nullptr || words.empty() || words.front() != sub->app_->get_name()) continue;
    // CLI11 would give the words after `--` to the parent command.
    const auto mark = std::find(words.begin(), words.end(), "--");
    sub->rest_->assign(mark, words.end());
    words.erase(mark, words.end());
  }
  const std::vector<std::string> given = words;
  if (command != nullptr) accept_one_dash(words, *command->app_);
  std::reverse(words.begin(), words.end());  // CLI11 expects reverse order
  try {
    app_->parse(std::move(words));
  } catch (const CLI::Success& e) {
    std::ostringstream out;
    app_->exit(e, out, out);
    throw Success(e.what(), out.str());
  } catch (const CLI::ParseError& e) {
    const CLI::App* chosen = deepest(app_);
    const std::vector<std::string> left = app_->remaining(true);
    // An unknown word matters more than what is missing, because it may be a mistyped form of it.
    const bool is_last =
        dynamic_cast<const CLI::ExtrasError*>(&e) != nullptr || dynamic_cast<const CLI::RequiredError*>(&e) != nullptr;
    const bool may_be_other_program = chosen->get_prefix_command() && !left.empty() && !left.front().starts_with('-');
    if (is_last && !left.empty() && !may_be_other_program)
      throw unknown(app_->remaining().empty() ? chosen : app_, left.front());
    throw ParseError(plain(e, chosen));
  }
  for (const std::unique_ptr<App>& sub : subcommands_) {
    if (sub->rest_ == nullptr || !sub->app_->parsed()) continue;
    std::vector<std::string> before = sub->app_->remaining();
    if (!before.empty() && before.front().starts_with("-")) throw unknown(sub->app_, before.front());
    before.assign(given.end() - static_cast<std::ptrdiff_t>(before.size()),
                  given.end());  // they are not options of ours
    const bool mark_is_ours = before.empty() && !sub->rest_->empty();
    before.insert(before.end(), sub->rest_->begin() + (mark_is_ours ? 1 : 0), sub->rest_->end());
    *sub->rest_ = std::move(before);
  }
  refuse_empty_values(*app_);
}

std::string App::describe(const std::string& schema) const {
  Suggested suggested;
  for (std::vector<const App*> apps = {this}; !apps.empty();) {
    const App* app = apps.back();
    apps.pop_back();
    for (const std::unique_ptr<Option>& option : app->options_) {
      if (!option->suggested_.empty()) suggested[option->option_] = option->suggested_;
    }
    for (const std::unique_ptr<App>& sub : app->subcommands_) apps.push_back(sub.get());
  }
  Json document = {{"schema", schema}};
  document.update(described(*app_, suggested));
  return document.dump() + "\n";
}

std::size_t App::count(const std::string& option) const { return app_->count(option); }

std::vector<std::string> App::get_subcommands() const {
  std::vector<std::string> names;
  for (const CLI::App* sub : static_cast<const CLI::App*>(app_)->get_subcommands()) names.push_back(sub->get_name());
  return names;
}

std::vector<GivenOutput> App::given_outputs() const {
  std::vector<GivenOutput> outputs;
  for (const std::unique_ptr<Option>& option : options_) {
    if (option->written_ == Written::kNothing) continue;
    for (const std::string& path : option->option_->results()) {
      if (path != "-") outputs.push_back({option->option_->get_name(), path, option->written_});
    }
  }
  for (const std::unique_ptr<App>& sub : subcommands_) {
    if (!sub->app_->parsed()) continue;
    const std::vector<GivenOutput> more = sub->given_outputs();
    outputs.insert(outputs.end(), more.begin(), more.end());
  }
  return outputs;
}

bool App::got_subcommand(const std::string& name) const {
  const std::vector<std::string> names = get_subcommands();
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string App::given_command() const { return path(deepest(app_)); }

}  // namespace strata::cli
