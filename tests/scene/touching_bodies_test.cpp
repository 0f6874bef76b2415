// Contacts of scenes as terms of the energy, and bodies that start inside of each other.
#include "pliant/contact/self_collision.hpp"
#include "scene/complaints.hpp"

namespace pliant::touching_bodies_test {
namespace {

Simulation built(const std::string& more) {
  return build(place_scene(parse_scene(kHead + more, "s.toml"), "."));
}

std::string complaints_of_building(const std::string& more) {
  try {
    built(more);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string body(const std::string& name, double height, double young = 1e5) {
  return "[[body]]\nname = \"" + name +
         "\"\nshape = { cells = [1, 1, 1], size = [0.5, 1, 0.5] }\ntranslate = [0, " +
         std::to_string(height) +
         ", 0]\nmaterial = { model = \"fixed-corotated\", young = " + std::to_string(young) + " }\n";
}
/// 2 x 2 x 2 cells, so that vertices of the other are inside of it.
const std::string kLarge =
    "[[body]]\nname = \"large\"\nshape = { cells = [2, 2, 2] }\nmaterial = { model = \"fixed-corotated\", "
    "young = 2e5 "
    "}\n";
const std::string kCollide = "[contact]\nself_collision = true\n";
const std::string kAllowed = "allow_initial_overlap = true\n";

TEST(BodiesInEachOther, AreRefusedWithDepthAndPlace) {
  const std::string said = complaints_of_building(kLarge + body("small", 0.9) + kCollide);
  EXPECT_TRUE(contains(said,
                       "s.toml:8:1: body small starts inside body large: 4 of its 8 vertices are, the "
                       "deepest by 0.1 m at [-0.25, 0.4, -0.25]; move one of the two, or set "
                       "contact.allow_initial_overlap = true to have them pushed apart"))
      << said;
  EXPECT_TRUE(contains(said, "body large starts inside body small")) << "the middle of its top is\n" << said;
}

TEST(BodiesInEachOther, AreFineWithoutSelfCollision) {
  EXPECT_EQ(complaints_of_building(kLarge + body("small", 0.9)), "");
}

TEST(BodiesInEachOther, AreFineWhereTheyOnlyTouch) {
  EXPECT_EQ(complaints_of_building(kLarge + body("small", 1) + kCollide), "");
}

TEST(BodiesInEachOther, ArePushedApartWhereAllowed) {
  ::testing::internal::CaptureStderr();
  Simulation simulation = built(kLarge + body("small", 0.9) + kCollide + kAllowed);
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_TRUE(contains(said, "body small starts inside body large")) << said;
  EXPECT_TRUE(contains(said, "collisions will push it out")) << said;
  const auto& term = simulation.model->contacts.back();
  const double before = term->overlap(simulation.state.x);
  EXPECT_NEAR(before, 0.1, 1e-9);
  for (int i = 0; i < 12; ++i) simulation.scheme->step(simulation.state, 1 / 24.0);
  EXPECT_LT(term->overlap(simulation.state.x), 0.3 * before);
}

TEST(ContactStiffness, IsTenTimesThatOfTheBodyOfAVertex) {
  const auto energy = [](const std::string& more) {
    const Simulation simulation = built(kLarge + body("small", 0.9) + kCollide + kAllowed + more);
    return simulation.model->contacts.back()->energies()[0]->stored(simulation.state.x, 0);
  };
  // Four vertices of the small body and one of the large one, all 0.1 m deep.
  EXPECT_NEAR(energy(""), (4 * 10 * 1e5 + 10 * 2e5) * 1e-3, 1e-3);
  EXPECT_NEAR(energy("stiffness = 3e4\n"), 5 * 3e4 * 1e-3, 1e-3);
}

TEST(ContactStiffness, OfPenaltiesIsTenTimesThatOfTheBodyUnlessTheObstacleHasOne) {
  const auto energy = [](const std::string& more) {
    const Simulation simulation = built(
        body("small", 0.5) + "[[obstacle]]\nshape = { kind = \"plane\" }\ncontact = \"penalty\"\n" + more);
    EXPECT_EQ(simulation.model->contacts.size(), 1);
    Vector x = simulation.state.x;
    for (Index i = 1; i < x.size(); i += 3) x[i] -= 0.1;
    return simulation.model->contacts[0]->energies()[0]->stored(x, 0);
  };
  EXPECT_NEAR(energy(""), 4 * 10 * 1e5 * 1e-3, 1e-3);
  EXPECT_NEAR(energy("stiffness = 3e4\n"), 4 * 3e4 * 1e-3, 1e-3);
}

TEST(Contacts, AreThereOnlyWhereSomethingNeedsThem) {
  const auto contacts = [](const std::string& more) {
    return built(body("small", 2) + more).model->contacts.size();
  };
  const std::string plane = "[[obstacle]]\nshape = { kind = \"plane\" }\n";
  EXPECT_EQ(contacts(""), 0);
  EXPECT_EQ(contacts(plane), 1);
  EXPECT_EQ(contacts(plane + "friction = 0.3\n"), 2);
  EXPECT_EQ(contacts(kCollide), 1);
  EXPECT_EQ(contacts(kCollide + "method = \"program\"\n" + plane + "contact = \"program\"\n"), 1)
      << "a program sees to all";
}

}  // namespace
}  // namespace pliant::touching_bodies_test
