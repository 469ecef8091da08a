// SPDX-License-Identifier: LGPL-2.1-only
// The steps of an execution, in two notations: SimGrid's record, "1;3/1;3", and the text of a key, "1,3/1,3". Keys use
// commas because a shell takes a semicolon as the end of a command.
//
// A step is the number of an actor, which is its rank + 1, and if the actor can continue in several ways, the number of
// the choice.
#pragma once

#include <string>
#include <vector>

namespace strata::check {

using Path = std::vector<std::string>;  // steps such as "3" or "3/1"

/// The actor that takes a step.
std::string actor_of(const std::string& step);

Path path_of_record(const std::string& record);
std::string record_of(const Path& path);

/// Throws InputError.
Path path_of_key(const std::string& text);
std::string key_text_of(const Path& path);

}  // namespace strata::check
