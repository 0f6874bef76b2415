#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "pliant/mesh/region.hpp"
#include "pliant/setup/assembly.hpp"
#include "pliant/setup/combinations.hpp"
#include "pliant/setup/make_scheme.hpp"
#include "pliant/setup/plan.hpp"

namespace pliant {

/// A body of a builder.
struct BodyId {
  size_t number = 0;
};

/// Puts a simulation together without a scene file: bodies, what holds and moves them, obstacles, contacts,
/// forces, scheme and solver. What is wrong is an InputError that names the body: with single numbers where
/// they are given, with all the rest in `build`.
///
///     ModelBuilder builder;
///     const BodyId bar = builder.add_body(make_box({.size = {3, 1, 1}, .cells = {24, 8, 8}}),
///                                         {.name = "bar", .material = {.young = 5e5}});
///     builder.hold(bar, builder.vertices_in(bar, PlaneRegion{{-1.5, 0, 0}, {-1, 0, 0}}));
///     Assembly hanging = builder.build();
///     hanging.step(1.0 / 24);
class ModelBuilder {
 public:
  BodyId add_body(TetMesh rest, BodyOptions options = {});

  /// Of the rest shape; a region without any is refused.
  std::vector<int> vertices_in(BodyId body, const Region& region) const;

  /// Vertices that stay where they start.
  void hold(BodyId body, std::vector<int> vertices) { add_script(body, {std::move(vertices), {}, {}}); }
  /// Vertices that move as told, until they are let go.
  void move(BodyId body, std::vector<int> vertices, Motion motion,
            double release = std::numeric_limits<double>::infinity()) {
    add_script(body, {std::move(vertices), {}, std::move(motion), release});
  }
  /// The same. Vertices are those of the body; without places of its own the motion starts where they do. A
  /// vertex can follow one script only.
  void add_script(BodyId body, Script script);
  void attach(BodyId body, AttachmentOptions attachment);

  /// One without a name is called obstacle, obstacle-2, ... Its surface is for pictures and may be empty.
  void add_obstacle(Obstacle obstacle);

  void set_contact(const ContactOptions& contact) { plan_.contact = contact; }
  void set_gravity(const Vec3& acceleration) { plan_.gravity = acceleration; }
  void set_wind(const WindOptions& wind) { plan_.wind = wind; }
  void set_time(TimeOptions time) { plan_.time = std::move(time); }
  void set_solver(SolverOptions solver) { plan_.solver = std::move(solver); }

  /// Model, state and scheme, checked. Throws InputError with every complaint.
  Assembly build() const;

  /// The model and the state that it starts in alone, as they were asked for, unchecked.
  std::unique_ptr<Model> make_model(State& start) const { return pliant::make_model(plan_, start); }
  /// How it is to be stepped.
  SteppingOptions stepping() const;
  /// What the table of combinations is asked.
  Combination combination() const;

  const ModelPlan& plan() const { return plan_; }

 private:
  BodyPlan& body(BodyId id) { return plan_.bodies.at(id.number); }
  void refuse_defects() const;

  ModelPlan plan_;
};

}  // namespace pliant
