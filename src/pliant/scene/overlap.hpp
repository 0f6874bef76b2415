#pragma once

#include "pliant/scene/keys.hpp"
#include "pliant/system/model.hpp"
#include "pliant/system/state.hpp"

namespace pliant {

/// Refuses bodies that start with vertices inside an obstacle or, where they collide, inside a body
/// (InputError); or pushes the former out and warns of both where `contact.allow_initial_overlap` says so.
/// Scripted vertices go where their scripts say, inside or not. The model is finished, and the state has its
/// scripts applied.
void separate_at_start(const SceneKeys& keys, const Model& model, State& state);

}  // namespace pliant
