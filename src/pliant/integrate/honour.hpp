#pragma once

#include <string>
#include <string_view>

#include "pliant/integrate/stage_scheme.hpp"
#include "pliant/system/model.hpp"

namespace pliant {

/// Who sees to contacts that are programs: obstacles of that way, and bodies that a program keeps apart.
enum class Programs {
  refused,       ///< nobody
  left_to_other  ///< a `ContactProgram`, whose predictor the scheme is
};

/// What every scheme asks when it is made, so that no contact of a model is lost in silence. Throws
/// InputError.
void require_honoured(const Model& model, std::string_view scheme, const SchemeOffers& offers,
                      Programs programs);

/// What it says of obstacles that are constraints, and of those that are springs.
std::string holds_no_constraints(std::string_view scheme);
std::string finds_no_springs(std::string_view scheme);

}  // namespace pliant
