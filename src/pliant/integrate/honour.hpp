#pragma once

#include <string>
#include <string_view>

#include "pliant/system/model.hpp"

namespace pliant {

/// What every scheme asks when it is made, so that no contact of a model is lost in silence: whether it has
/// to offer what they demand. Throws InputError.
void require_honoured(const Model& model, std::string_view scheme, const Demands& offers);

/// What it says where steps need not end with a stage, where forces besides those of stages are taken, and
/// where either leads to places that were not searched for.
std::string holds_no_constraints(std::string_view scheme);
std::string finds_no_springs(std::string_view scheme);
std::string goes_too_far(std::string_view scheme);

}  // namespace pliant
