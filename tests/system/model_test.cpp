#include "pliant/system/model.hpp"

#include "integrate/scenes.hpp"
#include "pliant/mesh/box.hpp"

namespace pliant::model_test {
namespace {

using testing::Twins;

TEST(ConsistentMass, GivesLinearVelocitiesTheirKineticEnergy) {
  // Shape functions hold a velocity that is linear in the place exactly, so that a box that spins has the
  // energy of the continuum, on any mesh; lumped masses give it more.
  const Vec3 size(1.2, 0.7, 0.5), spin(1, -2, 0.5);
  for (const bool hexahedra : {false, true}) {
    const TetMesh mesh = make_box({.size = size, .cells = {2, 1, 3}, .hexahedra = hexahedra});
    Model model;
    model.bodies.push_back({"box", mesh, 0});
    const std::vector<double> masses = lumped_masses(mesh, 1000);
    model.mass = Eigen::Map<const Vector>(masses.data(), std::ssize(masses));
    model.consistent_mass.emplace(static_cast<int>(masses.size()), mass_pairs(mesh, 1000));
    Vector v(3 * model.mass.size());
    for (Index i = 0; i < model.mass.size(); ++i)
      v.segment<3>(3 * i) = spin.cross(mesh.vertices[static_cast<size_t>(i)]);
    const double mass = 1000 * size.prod();
    double exact = 0, lumped = 0;
    for (int k = 0; k < 3; ++k)
      exact += 0.5 * spin[k] * spin[k] * mass * (size.squaredNorm() - size[k] * size[k]) / 12;
    for (Index d = 0; d < v.size(); ++d) lumped += 0.5 * model.mass[d / 3] * v[d] * v[d];
    EXPECT_NEAR(0.5 * v.dot(model.momentum(v)), exact, 1e-12 * exact);
    EXPECT_GT(lumped, 1.1 * exact);
  }
}

TEST(ConsistentMass, AccelerationsAreThoseThatMomentumNeeds) {
  const testing::Cube cube({.pull = true, .consistent = true});
  const Vector force = testing::random_vector(cube.state.x.size(), 1);
  const Vector a = cube.model.accelerations(force, 0.1, 0.1), back = cube.model.momentum(a);
  const std::vector<char> fixed = cube.model.fixed_dofs(0.1);
  for (Index d = 0; d < a.size(); ++d) {
    EXPECT_NEAR(fixed[d] ? 0 : back[d] - force[d], 0, 1e-12);
    EXPECT_TRUE(!fixed[d] || a[d] == 0);
  }
}

TEST(Components, ArePartsThatNoElementJoinsEvenWithinABody) {
  const Twins twins;
  const std::vector<SubModel> sub_models = twins.model.components();
  ASSERT_EQ(sub_models.size(), 2u);
  for (int twin = 0; twin < 2; ++twin)
    for (size_t i = 0; i < sub_models[twin].vertices.size(); ++i)
      EXPECT_EQ(sub_models[twin].vertices[i], 2 * static_cast<int>(i) + twin);
}

TEST(Components, HoldTheirShareOfTheModel) {
  const Twins twins;
  const std::vector<SubModel> sub_models = twins.model.components();
  const TetMesh cube = testing::cube(2);
  for (int twin = 0; twin < 2; ++twin) {
    const std::unique_ptr<Model> part = twins.model.component(sub_models[twin]);
    ASSERT_EQ(part->bodies.size(), 1u);
    EXPECT_EQ(part->bodies[0].rest.tets, cube.tets);
    EXPECT_NEAR(part->mass.sum(), twin == 0 ? 1000 : 8000, 1e-9);
    EXPECT_NEAR(part->diameter, (twin == 0 ? 1 : 2) * std::sqrt(3), 1e-12);
    EXPECT_EQ(part->terms[0].potential->contributions(), std::ssize(cube.tets));
    const std::vector<char> fixed = part->fixed_dofs(0);
    EXPECT_EQ(std::count(fixed.begin(), fixed.end(), 1), twin == 0 ? 3 : 3 * std::ssize(cube.vertices));
    Vector x = Vector::Zero(3 * part->vertex_count());
    part->apply_scripts(0, x, nullptr);
    EXPECT_EQ(x.segment<3>(3 * 2), twins.model.bodies[0].rest.vertices[4 + twin]);
  }
}

TEST(Components, AreOneWhereABodyHangsTogether) {
  const testing::Cube cube({.pull = true});
  EXPECT_EQ(cube.model.components().size(), 1u);
}

}  // namespace
}  // namespace pliant::model_test
