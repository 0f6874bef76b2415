#include "pliant/system/model.hpp"

#include "integrate/scenes.hpp"

namespace pliant {
namespace {

using testing::Twins;

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
