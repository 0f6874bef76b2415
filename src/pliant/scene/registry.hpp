#pragma once

#include <memory>
#include <span>

#include "pliant/contact/obstacle.hpp"
#include "pliant/integrate/schemes.hpp"
#include "pliant/scene/keys.hpp"
#include "pliant/setup/combinations.hpp"
#include "pliant/system/stage_solver.hpp"

namespace pliant {

/// The words a scene file may use, with what they mean. Explicit tables: objects that register themselves
/// would vanish from a static library.
std::span<const Choice> scheme_choices();
std::span<const Choice> solver_choices();
std::span<const Choice> material_choices();
std::span<const Choice> initial_choices();
std::span<const Choice> preconditioner_choices();
std::span<const Choice> search_choices();
std::span<const Choice> mass_choices();
std::span<const Choice> norm_choices();
std::span<const Choice> failure_choices();
std::span<const Choice> interpolation_choices();
std::span<const Choice> contact_choices();
std::span<const Choice> body_contact_choices();
std::span<const Choice> grid_choices();

ContactWay contact_way(const std::string& name);
/// The rows must be complete.
Tableau to_tableau(const TableauKeys& keys);
SchemeOptions scheme_options(const TimeKeys& keys);
SolverOptions solver_options(const SolverKeys& keys);

/// What the table of combinations is asked of a scene whose meshes have not been read; what is no shape of
/// another kind is taken for tetrahedra.
Combination combination_of(const SceneKeys& keys);
Combination::Body parts_of(const MaterialKeys& keys);
/// `position` among the bodies names those without a name.
Combination::Body parts_of(const BodyKeys& keys, size_t position);
ContactOptions contact_options(const ContactKeys& keys);

}  // namespace pliant
