#include "pliant/system/model.hpp"

#include "integrate/scenes.hpp"

namespace pliant {
namespace {

/// One body of two cubes that do not touch, their vertices taking turns, the second cube larger; all of the
/// second and a vertex of the first are scripted.
struct Twins {
  Model model;

  Twins() {
    const TetMesh cube = testing::cube(2);
    Body body{"twins", {}, 0};
    for (const Vec3& vertex : cube.vertices) {
      body.rest.vertices.push_back(vertex);
      body.rest.vertices.push_back(Vec3(5, 0, 0) + 2 * vertex);
    }
    for (const int twin : {0, 1})
      for (const auto& t : cube.tets)
        body.rest.tets.push_back({2 * t[0] + twin, 2 * t[1] + twin, 2 * t[2] + twin, 2 * t[3] + twin});
    const std::vector<double> masses = lumped_masses(body.rest, 1000);
    model.mass = Eigen::Map<const Vector>(masses.data(), std::ssize(masses));
    model.terms.push_back(
        {"twins", Term::Kind::elastic, make_solid("fixed-corotated", body.rest, 0, lame(1e4, 0.3))});
    Script script;
    for (int i = 0; i < std::ssize(body.rest.vertices); ++i) {
      if (i % 2 == 0 && i != 4) continue;
      script.vertices.push_back(i);
      script.start.push_back(body.rest.vertices[i]);
    }
    model.scripts.push_back(script);
    model.bodies.push_back(std::move(body));
    model.finish();
  }
};

TEST(Components, ArePartsThatNoElementJoinsEvenWithinABody) {
  const Twins twins;
  const std::vector<Piece> pieces = twins.model.components();
  ASSERT_EQ(pieces.size(), 2u);
  for (int twin = 0; twin < 2; ++twin)
    for (size_t i = 0; i < pieces[twin].vertices.size(); ++i)
      EXPECT_EQ(pieces[twin].vertices[i], 2 * static_cast<int>(i) + twin);
}

TEST(Components, HoldTheirShareOfTheModel) {
  const Twins twins;
  const std::vector<Piece> pieces = twins.model.components();
  const TetMesh cube = testing::cube(2);
  for (int twin = 0; twin < 2; ++twin) {
    const std::unique_ptr<Model> part = twins.model.component(pieces[twin]);
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
}  // namespace pliant
