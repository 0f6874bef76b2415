#pragma once

#include <string>
#include <vector>

#include "pliant/system/model.hpp"
#include "pliant/system/state.hpp"

namespace pliant {

/// What is wrong with one body of a model.
struct BodyComplaint {
  size_t body = 0;
  std::string message;  ///< names it
};

/// Bodies that start with vertices inside an obstacle or, where they collide, inside a body. With
/// `allow_overlap` the former are pushed out and both are warned of; what cannot be pushed out is still
/// complained about. Scripted vertices go where their scripts say, inside or not. The model is finished, and
/// the state has its scripts applied.
std::vector<BodyComplaint> separate_at_start(const Model& model, bool allow_overlap, State& state);

/// Bodies with elements whose energy is infinite, as that of materials that forbid inversion is: it would be
/// so from the first step on. `materials` are what to call those of the bodies.
std::vector<BodyComplaint> find_infinite_starts(const Model& model, const std::vector<std::string>& materials,
                                                const State& state);

}  // namespace pliant
