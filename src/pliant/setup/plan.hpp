#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pliant/mesh/tet_mesh.hpp"
#include "pliant/setup/options.hpp"
#include "pliant/system/model.hpp"
#include "pliant/system/state.hpp"

namespace pliant {

/// A body as it was asked for. Vertices of its scripts and attachments are numbered within the body.
struct BodyPlan {
  BodyOptions options;
  TetMesh rest;
  std::vector<Script> scripts;
  std::vector<AttachmentOptions> attachments;
};

/// All that a `ModelBuilder` was told.
struct ModelPlan {
  std::vector<BodyPlan> bodies;
  std::vector<Obstacle> obstacles;
  ContactOptions contact;
  Vec3 gravity = kEarthGravity;
  std::optional<WindOptions> wind;
  TimeOptions time;
  SolverOptions solver;
};

/// The model, and the state that it starts in. Throws InputError where there are too many vertices.
std::unique_ptr<Model> make_model(const ModelPlan& plan, State& start);

/// The contacts of the model: of its obstacles, of bodies with each other and with themselves, and friction.
void add_contacts(const ModelPlan& plan, Model& model);

/// Says of contacts that were asked for and nothing in the model can have.
void warn_of_idle_contacts(const ContactOptions& contact, const Model& model);

}  // namespace pliant
