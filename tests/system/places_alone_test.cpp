#include "pliant/system/places_alone.hpp"

#include "integrate/scenes.hpp"

namespace pliant::places_alone_test {
namespace {

using testing::Cube;
using testing::random_vector;

/// A cube with all there is (but a pulled face, which would outweigh them), in the middle of a step, two of
/// its vertices poked.
struct Poked {
  Cube cube{{.cells = 30,
             .young = 1e6,
             .gravity = Vec3(0, -9.81, 0),
             .stiffness_damping = 0.01,
             .mass_damping = 0.1,
             .attach = true}};
  StageObjective objective{cube.model, ResidualNorm::velocity};
  PlacesAlone places{cube.model, objective};
  Vector x, gradient;
  int inner, on_top;

  Poked() : inner(vertex_at(Vec3(0.25, 0, 0))), on_top(vertex_at(Vec3(-0.25, 0.5, 0))) {
    BackwardEuler scheme(cube.model, {});
    cube.state.v = 0.1 * random_vector(cube.state.v.size(), 1);
    objective.begin(scheme.first_stage(cube.state, 0.04));
    x = cube.state.x;
    objective.place_scripted(x);
    for (const int vertex : {inner, on_top}) x.segment<3>(3 * Index{vertex}) += Vec3(0.06, 0.05, -0.04);
    objective.evaluate(x, &gradient);
    objective.set_reference();
  }
  /// Sets x where it proposes anything.
  Safeguard::Proposal propose(int iterations) {
    SearchPoint here;
    here.x = Field(x);
    here.gradient = Field(gradient);
    Field to(x);
    const Safeguard::Proposal proposal = places.propose(iterations, here, to);
    x = to.host();
    return proposal;
  }
  int vertex_at(const Vec3& place) const {
    const auto& vertices = cube.model.bodies[0].rest.vertices;
    return static_cast<int>(std::min_element(vertices.begin(), vertices.end(),
                                             [&](const Vec3& a, const Vec3& b) {
                                               return (a - place).norm() < (b - place).norm();
                                             }) -
                            vertices.begin());
  }
};

bool holds(const SubModel& sub_model, int vertex) {
  const int local = sub_model.local(vertex);
  return local >= 0 && sub_model.free[local];
}

TEST(PlacesAlone, AreWhereTheGradientIsEachAPieceOfItsOwn) {
  Poked s;
  const std::vector<SubModel> sub_models = s.places.find(s.gradient);
  ASSERT_EQ(sub_models.size(), 2u);
  for (const int vertex : {s.inner, s.on_top})
    EXPECT_EQ(holds(sub_models[0], vertex) + holds(sub_models[1], vertex), 1) << vertex;
}

TEST(PlacesAlone, AreNowhereWhereTheGradientIsEverywhere) {
  Poked s;
  EXPECT_TRUE(s.places.find(random_vector(s.x.size(), 7)).empty());
}

TEST(PlacesAlone, ASubModelHasTheForcesOfTheWhole) {
  Poked s;
  const std::vector<SubModel> sub_models = s.places.find(s.gradient);
  ASSERT_FALSE(sub_models.empty());
  for (const SubModel& sub_model : sub_models) {
    const std::unique_ptr<Model> model =
        s.cube.model.sub_model(sub_model, s.cube.model.fixed_dofs(s.objective.stage().time));
    const auto taken = [&](const Vector& whole) {
      Vector some(3 * std::ssize(sub_model.vertices));
      for (Index i = 0; i < std::ssize(sub_model.vertices); ++i)
        some.segment<3>(3 * i) = whole.segment<3>(3 * Index{sub_model.vertices[i]});
      return some;
    };
    Stage stage = s.objective.stage();
    stage.x_a = taken(stage.x_a);
    stage.x_v = taken(stage.x_v);
    stage.x_step = taken(stage.x_step);
    StageObjective part(*model, ResidualNorm::velocity);
    part.begin(stage);
    Vector gradient;
    part.evaluate(taken(s.x), &gradient);
    const Vector expected = taken(s.gradient);
    int free = 0;
    for (Index i = 0; i < std::ssize(sub_model.vertices); ++i) {
      const double difference = (gradient - expected).segment<3>(3 * i).norm();
      EXPECT_LT(sub_model.free[i] ? difference : 0.0, 1e-12 * s.gradient.norm()) << sub_model.vertices[i];
      EXPECT_TRUE(sub_model.free[i] || gradient.segment<3>(3 * i).norm() == 0) << sub_model.vertices[i];
      free += sub_model.free[i];
    }
    EXPECT_GT(free, 10);
  }
}

TEST(PlacesAlone, MoveToWhereTheWholeIsLower) {
  Poked s;
  const std::vector<SubModel> sub_models = s.places.find(s.gradient);
  const Vector before = s.x;
  const Safeguard::Proposal proposal = s.propose(21);
  ASSERT_TRUE(proposal.made);
  EXPECT_GT(proposal.linear_solves, 1);
  Vector gradient;
  EXPECT_LT(s.objective.evaluate(s.x, &gradient), 0);
  EXPECT_LT(s.objective.residual(gradient), 0.5 * s.objective.residual(s.gradient));
  for (int i = 0; i < s.cube.model.vertex_count(); ++i) {
    const bool free =
        std::any_of(sub_models.begin(), sub_models.end(), [&](const SubModel& p) { return holds(p, i); });
    EXPECT_TRUE(free || s.x.segment<3>(3 * Index{i}) == before.segment<3>(3 * Index{i})) << i;
  }
}

TEST(PlacesAlone, MoveOnlyInLongDescents) {
  Poked s;
  const Vector before = s.x;
  for (const int iterations : {0, 20}) EXPECT_FALSE(s.propose(iterations).made) << iterations;
  EXPECT_EQ(s.x, before);
}

}  // namespace
}  // namespace pliant::places_alone_test
