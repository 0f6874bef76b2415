// Every two choices together, one step each: they run, or the table says why not.
#include "pliant/setup/combinations.hpp"

#include <functional>

#include "pliant/base/error.hpp"
#include "pliant/integrate/step_control.hpp"
#include "pliant/material/spline.hpp"
#include "pliant/mesh/body_mesh.hpp"
#include "pliant/mesh/box.hpp"
#include "pliant/mesh/cloth.hpp"
#include "pliant/mesh/rectangle.hpp"
#include "pliant/mesh/strand.hpp"
#include "pliant/potential/solid.hpp"
#include "pliant/setup/model_builder.hpp"
#include "pliant/shape/shapes.hpp"

namespace pliant::combinations_test {
namespace {

/// All that is chosen; of a few elements.
struct Recipe {
  Elements elements = Elements::tetrahedra;
  BodyOptions body = {.material = {.young = 1e4, .poisson = 0.3}, .velocity = {0, -0.5, 0}};
  std::optional<Obstacle> ground = {};
  ContactOptions contact = {};
  std::optional<WindOptions> wind = {};
  TimeOptions time = {};
  SolverOptions solver = {.max_iterations = 20};
};

TetMesh mesh_of(Elements elements) {
  switch (elements) {
    case Elements::tetrahedra:
      return make_box({Vec3(1, 1, 1), {1, 1, 1}});
    case Elements::hexahedra:
      return make_box({.size = Vec3(1, 1, 1), .cells = {1, 1, 1}, .hexahedra = true});
    case Elements::triangles:
      return make_rectangle({.size = {1, 1, 0.1}, .cells = {1, 1}});
    case Elements::sheet:
      return make_sheet(make_cloth_rectangle({.cells = {2, 2}}), 0.01);
    case Elements::strand: {
      const StrandMesh strand = make_strand({}, 3);
      return {.vertices = strand.vertices, .tets = {}, .edges = strand.edges, .thickness = 0.01};
    }
  }
  return {};
}

/// Two bodies, one above the other, the lower one close to the ground.
ModelBuilder told(const Recipe& recipe) {
  ModelBuilder builder;
  for (const double height : {0.501, 1.6}) {
    TetMesh mesh = mesh_of(recipe.elements);
    const double low = std::min_element(mesh.vertices.begin(), mesh.vertices.end(), [](auto& a, auto& b) {
                         return a.y() < b.y();
                       })->y();
    for (Vec3& vertex : mesh.vertices) vertex.y() += height - 0.5 - low;
    builder.add_body(std::move(mesh), recipe.body);
  }
  if (recipe.ground) builder.add_obstacle(*recipe.ground);
  builder.set_contact(recipe.contact);
  if (recipe.wind) builder.set_wind(*recipe.wind);
  builder.set_time(recipe.time);
  builder.set_solver(recipe.solver);
  return builder;
}

std::string format_of(ContactWay way, double friction) {
  return std::string(name(way)) + (friction > 0 ? " with friction" : "");
}

struct Pick {
  std::string axis, name;  ///< two of one axis exclude each other
  std::function<void(Recipe&)> apply;
};

std::vector<Pick> picks_of_methods() {
  std::vector<Pick> all;
  for (const SchemeKind& kind : scheme_kinds())
    all.push_back({"scheme", std::string(kind.name), [kind](Recipe& r) {
                     r.time.scheme.name = kind.name;
                     if (kind.name == "runge-kutta") r.time.scheme.tableau = find_tableau("sdirk2");
                   }});
  for (const SolverMethod& method : solver_methods())
    all.push_back(
        {"solver", std::string(method.name), [method](Recipe& r) { r.solver.method = method.name; }});
  all.push_back({"steps", "tolerance", [](Recipe& r) {
                   r.time.tolerance = 1e-3;
                   r.time.longest_step = 0.01;
                 }});
  return all;
}

std::vector<Pick> picks_of_contacts() {
  std::vector<Pick> all;
  for (const ContactWay way : {ContactWay::constraint, ContactWay::penalty, ContactWay::springs,
                               ContactWay::post_process, ContactWay::program})
    for (const double friction : {0.0, 0.3})
      all.push_back(
          {"obstacle", format_of(way, friction), [=](Recipe& r) {
             r.ground = Obstacle{
                 .name = "ground", .shape = make_half_space(Vec3::UnitY()), .way = way, .friction = friction};
           }});
  for (const ContactWay way : {ContactWay::penalty, ContactWay::program})
    for (const double friction : {0.0, 0.3})
      all.push_back({"contact", format_of(way, friction), [=](Recipe& r) {
                       r.contact.self_collision = true;
                       r.contact.way = way;
                       r.contact.friction = friction;
                     }});
  all.push_back({"contact", "thin", [](Recipe& r) { r.contact.thin_distance = 0.05; }});
  return all;
}

std::vector<Pick> picks_of_bodies() {
  std::vector<Pick> all;
  const auto add = [&](const char* axis, const std::string& name, auto apply) {
    all.push_back({axis, name, apply});
  };
  std::vector<std::string> materials = {"lagged-corotated", "springs"};
  for (const SolidMaterial& solid : solid_materials()) materials.emplace_back(solid.name);
  for (const std::string& name : materials)
    add("material", name, [=](Recipe& r) {
      r.body.material.model = name;
      if (name == "spline")
        r.body.material.parameters = SplineParameters{SplinePoints{{0.5, -1e4, 1, 0, 1.5, 1e4}, {}, {}}};
    });
  const std::pair<const char*, Elements> kinds[] = {{"tetrahedra", Elements::tetrahedra},
                                                    {"hexahedra", Elements::hexahedra},
                                                    {"triangles", Elements::triangles},
                                                    {"sheet", Elements::sheet},
                                                    {"strand", Elements::strand}};
  for (const auto& [name, kind] : kinds)
    add("elements", name, [kind = kind](Recipe& r) { r.elements = kind; });
  add("mass", "consistent", [](Recipe& r) { r.body.material.consistent_mass = true; });
  add("volume", "volume", [](Recipe& r) { r.body.material.volume = 1e3; });
  add("fibre", "fibre", [](Recipe& r) { r.body.material.fibre = FibreOptions{Vec3::UnitX(), 1e3}; });
  add("bending", "bending", [](Recipe& r) { r.body.material.bending = 1; });
  add("bending", "bending_springs", [](Recipe& r) { r.body.material.bending_springs = 0.1; });
  add("damping", "stiffness", [](Recipe& r) { r.body.damping.stiffness = 0.01; });
  add("damping", "mass", [](Recipe& r) { r.body.damping.mass = 1; });
  add("damping", "ether", [](Recipe& r) { r.body.damping.ether = 1; });
  add("wind", "wind", [](Recipe& r) { r.wind = WindOptions{{.velocity = {1, 0, 0}}, 1}; });
  return all;
}

std::vector<Pick> all_picks() {
  std::vector<Pick> all = picks_of_methods();
  for (auto make : {&picks_of_contacts, &picks_of_bodies})
    for (Pick& pick : make()) all.push_back(std::move(pick));
  return all;
}

/// What the rest of a pair is like: both of its sides must go with that.
std::vector<Recipe> surroundings() {
  std::vector<Recipe> all;
  for (const Elements elements : {Elements::tetrahedra, Elements::sheet})
    for (const char* material : {"fixed-corotated", "springs"}) {
      all.emplace_back().elements = elements;
      all.back().body.material.model = material;
    }
  return all;
}

bool goes(const Recipe& recipe) { return find_conflicts(told(recipe).combination()).empty(); }

Recipe with(Recipe recipe, const Pick& pick) {
  pick.apply(recipe);
  return recipe;
}

/// Empty where a step can be taken; what the builder refuses it with otherwise.
std::string step(const Recipe& recipe) {
  const ModelBuilder builder = told(recipe);
  const std::vector<Conflict> conflicts = find_conflicts(builder.combination());
  try {
    Assembly made = builder.build();
    EXPECT_TRUE(conflicts.empty()) << "built, though " << conflicts.front().message;
    constexpr double kStep = 0.002;
    if (made.step_tolerance)
      StepControl(*made.model, *made.scheme, {.tolerance = *made.step_tolerance, .longest = kStep})
          .advance(made.state, kStep);
    else
      made.step(kStep);
    EXPECT_TRUE(made.state.x.allFinite() && made.state.v.allFinite());
  } catch (const InputError& error) {
    if (conflicts.empty()) return error.what();
    EXPECT_EQ(error.complaints().size(), conflicts.size());
    for (size_t i = 0; i < conflicts.size(); ++i)
      EXPECT_TRUE(error.complaints()[i].message.ends_with(conflicts[i].message))
          << error.complaints()[i].message;
  }
  return "";
}

TEST(Combinations, OfAnyTwoChoicesRunOrAreRefusedWithWhatTheTableSays) {
  const std::vector<Pick> picks = all_picks();
  const std::vector<Recipe> bases = surroundings();
  int ran = 0, refused = 0;
  for (const Pick& one : picks)
    for (const Pick& other : picks) {
      if (!(one.axis < other.axis)) continue;
      SCOPED_TRACE(one.axis + " " + one.name + " with " + other.axis + " " + other.name);
      // Where none suits both of them, whatever the table says must be what is said.
      const auto base = std::find_if(bases.begin(), bases.end(), [&](const Recipe& candidate) {
        return goes(with(candidate, one)) && goes(with(candidate, other));
      });
      const Recipe pair = with(with(base == bases.end() ? bases.front() : *base, one), other);
      EXPECT_EQ(step(pair), "");
      ++(goes(pair) ? ran : refused);
    }
  EXPECT_GT(ran, 1000);
  EXPECT_GT(refused, 100);
}

TEST(Combinations, HaveSurroundingsForEveryChoice) {
  const std::vector<Recipe> bases = surroundings();
  for (const Pick& pick : all_picks())
    EXPECT_TRUE(
        std::any_of(bases.begin(), bases.end(), [&](const Recipe& base) { return goes(with(base, pick)); }))
        << pick.axis << " " << pick.name;
}

TEST(Combinations, NameTheBodyTheSchemeAndTheWayOut) {
  Combination asked{.scheme = {.name = "xpbd"}, .bodies = {{.name = "a"}, {.name = "b"}}};
  asked.bodies[0].material = "springs";
  const std::vector<Conflict> found = find_conflicts(asked);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].body, 1u);
  EXPECT_EQ(found[0].message,
            "body b is not made of springs, which position based schemes move; use time.scheme = "
            "\"backward-euler\" with solver.method = \"lbfgs\"");
}

TEST(Combinations, AreAboutTheSameBodyWhereBothChoicesAreABodys) {
  Combination asked{.bodies = {{.name = "a"}, {.name = "b"}}};
  asked.bodies[0].elements = Elements::hexahedra;
  asked.bodies[1].tears = true;
  EXPECT_TRUE(find_conflicts(asked).empty());
  asked.bodies[0].tears = true;
  ASSERT_EQ(find_conflicts(asked).size(), 1u);
  EXPECT_EQ(find_conflicts(asked)[0].body, 0u);
  EXPECT_TRUE(find_conflicts(asked, KeyTable::scene).empty());
}

TEST(Combinations, AreShownWithTheSchemesThatTheyAreAbout) {
  const std::vector<CombinationRow> rows = combination_rows();
  const auto held = std::find_if(rows.begin(), rows.end(), [](const CombinationRow& row) {
    return row.message.starts_with("scheme NAME cannot hold bodies");
  });
  ASSERT_NE(held, rows.end());
  EXPECT_NE(held->schemes.find("implicit-midpoint"), std::string::npos);
  EXPECT_EQ(held->schemes.find("sdirk2"), std::string::npos);
  EXPECT_EQ(held->other, "an obstacle with contact = \"constraint\"");
}

}  // namespace
}  // namespace pliant::combinations_test
