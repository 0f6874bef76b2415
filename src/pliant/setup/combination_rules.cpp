// The table of what does not go together.
#include "pliant/setup/combination_rules.hpp"

#include <map>

#include "pliant/base/text.hpp"
#include "pliant/integrate/honour.hpp"
#include "pliant/integrate/position_based.hpp"
#include "pliant/potential/capabilities.hpp"
#include "pliant/potential/lagged_solid.hpp"
#include "pliant/potential/solid.hpp"
#include "pliant/setup/obstacle_contacts.hpp"

namespace pliant {

namespace {

using BodyChoice = Combination::Body;
using ObstacleChoice = Combination::Obstacle;
using Side = CombinationSide;
using Rule = CombinationRule;
using Subject = CombinationSubject;

Side the(const std::string& words, bool (*holds)(const Combination&)) {
  return {words, Subject::whole, [=](const Combination& c, size_t) { return holds(c); }};
}
Side the_scheme(const std::string& words, bool (*holds)(const SchemeOptions&)) {
  return {"a scheme " + words, Subject::whole, [=](const Combination& c, size_t) { return holds(c.scheme); }};
}
Side a_body(const std::string& words, bool (*holds)(const BodyChoice&)) {
  return {"a body " + words, Subject::body,
          [=](const Combination& c, size_t i) { return holds(c.bodies[i]); }};
}
Side an_obstacle(const std::string& words, bool (*holds)(const ObstacleChoice&)) {
  return {"an obstacle " + words, Subject::obstacle,
          [=](const Combination& c, size_t i) { return holds(c.obstacles[i]); }};
}

bool is_projective(const std::string& material) {
  if (material == "springs") return true;
  static const std::map<std::string, bool, std::less<>> solids = [] {
    const TetMesh one{{Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()}, {{0, 1, 2, 3}}};
    std::map<std::string, bool, std::less<>> found;
    for (const SolidMaterial& solid : solid_materials()) {
      const std::unique_ptr<Potential> made = solid.make({one}, lame(1, 0.3), solid.initial);
      const auto* constant = dynamic_cast<const ConstantProxy*>(made.get());
      found[std::string(solid.name)] = constant && constant->is_projective();
    }
    return found;
  }();
  const auto solid = solids.find(material);
  return solid != solids.end() && solid->second;
}

bool is_thin(const BodyChoice& body) {
  return body.elements == Elements::sheet || body.elements == Elements::strand;
}

bool is_springy(const ObstacleChoice& obstacle) { return demands_of(obstacle.way).stages_only; }
bool is_constraint(const ObstacleChoice& obstacle) { return demands_of(obstacle.way).ends_with_stage; }
bool is_energy(ContactWay way) { return !obstacle_contact(way).make({}, {})->energies().empty(); }
bool is_solved_for(ContactWay way) {
  return is_energy(way) || obstacle_contact(way).make({}, {})->feasible_places() != nullptr;
}
/// What choices are named that are so: "a", "b" or "c".
std::string names_of_ways(bool (*is_so)(ContactWay)) {
  std::vector<std::string> names;
  for (const ObstacleContact& contact : obstacle_contacts())
    if (is_so(contact.way)) names.push_back('"' + std::string(contact.name) + '"');
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 < names.size() ? ", " : " or ") + names[i];
  return text;
}
bool has_drags(const BodyChoice& body) { return body.drags; }
bool is_lagged(const BodyChoice& body) { return body.material == kLaggedCorotated; }
bool adds_to_solids(const BodyChoice& body) { return body.volume || body.fibre; }

auto says(std::string text) {
  return [=](const Combination&, const BodyChoice&) { return text; };
}

const Side& local_global() {
  static const Side side = the("solver local-global", [](const Combination& c) {
    return c.solver == "local-global" && uses_solver(c.scheme);
  });
  return side;
}

const Side& consistent() {
  static const Side side =
      a_body("with a consistent mass", [](const BodyChoice& b) { return b.consistent_mass; });
  return side;
}

void add_rules_of_obstacles(std::vector<Rule>& rules) {
  rules.push_back(
      {KeyTable::scene, "time",
       the_scheme("whose steps do not end where its forces are taken",
                  [](const SchemeOptions& s) { return !ends_with_a_stage(s); }),
       an_obstacle("with contact = \"constraint\"", is_constraint),
       [](const Combination& c, const BodyChoice&) { return holds_no_constraints(c.scheme.name); }});
  rules.push_back({KeyTable::scene, "time",
                   the_scheme("that takes forces besides those of its stages",
                              [](const SchemeOptions& s) { return !solves_every_stage(s); }),
                   an_obstacle("with contact = \"springs\"", is_springy),
                   [](const Combination& c, const BodyChoice&) { return finds_no_springs(c.scheme.name); }});
  rules.push_back(
      {KeyTable::scene, "contact",
       the("bodies that programs keep apart", [](const Combination& c) { return by_program(c.contact); }),
       an_obstacle("with contact = \"constraint\"", is_constraint),
       says("method = \"program\" would push bodies into obstacles that are constraints; give obstacles "
            "contact = \"program\" or \"penalty\"")});
}

/// Contacts that change the velocity of a vertex take it for a mass of its own.
void add_rules_of_masses(std::vector<Rule>& rules) {
  const auto refusal = says(
      "a body with a consistent mass matrix knows no contact but penalties without friction; use "
      "contact = \"penalty\" and friction = 0, or material.mass = \"lumped\"");
  rules.push_back({KeyTable::scene, "contact", consistent(),
                   the("friction or programs between bodies",
                       [](const Combination& c) {
                         return by_program(c.contact) ||
                                ((c.contact.self_collision || c.contact.thin_distance) &&
                                 c.contact.friction > 0);
                       }),
                   refusal});
  rules.push_back({KeyTable::scene, "obstacle", consistent(),
                   an_obstacle("with friction, or contact other than " + names_of_ways(&is_energy),
                               [](const ObstacleChoice& o) { return o.friction || !is_energy(o.way); }),
                   refusal});
  rules.push_back({KeyTable::body, "damping", consistent(),
                   a_body("with damping.ether or damping.internal", has_drags),
                   says("damping.ether and damping.internal take vertices for masses of their own; use "
                        "damping.mass, or material.mass = \"lumped\"")});
  rules.push_back({KeyTable::material, "mass", consistent(),
                   a_body("made of springs", [](const BodyChoice& b) { return b.material == "springs"; }),
                   says("springs connect points, whose masses are lumped; leave it out")});
}

void add_rules_of_schemes(std::vector<Rule>& rules) {
  rules.push_back(
      {KeyTable::scene, "time", the_scheme("bdf2", [](const SchemeOptions& s) { return s.name == "bdf2"; }),
       a_body("with damping.ether or damping.internal", has_drags),
       says("bdf2 remembers the velocities before, which damping.ether and damping.internal do not slow "
            "down; use damping.mass, or another scheme")});
  rules.push_back(
      {KeyTable::scene, "time", the_scheme("that moves springs", moves_springs),
       a_body("with more elasticity than that of springs",
              [](const BodyChoice& b) { return b.material != "springs" || adds_to_solids(b) || b.bending; }),
       [](const Combination&, const BodyChoice& b) { return is_not_of_springs(b.name); }});
  const auto tolerance = the("steps by time.tolerance", [](const Combination& c) { return c.tolerance; });
  rules.push_back({KeyTable::time, "tolerance", tolerance,
                   the_scheme("bdf2", [](const SchemeOptions& s) { return s.name == "bdf2"; }),
                   says("bdf2 starts anew whenever the step changes; use tr-bdf2 with tolerance, or leave it "
                        "out")});
  rules.push_back({KeyTable::time, "tolerance", tolerance,
                   the_scheme("pbd", [](const SchemeOptions& s) { return s.name == "pbd"; }),
                   says("pbd projects once a step however short it is, so that its errors do not fall with "
                        "the step; use xpbd with tolerance, or leave it out")});
}

/// local-global takes full steps, which are only safe where every energy is at most as stiff as its matrix.
void add_rules_of_solvers(std::vector<Rule>& rules) {
  const auto refuse = [&](Side other) {
    rules.push_back(
        {KeyTable::scene, "solver", local_global(), std::move(other), says(kLocalGlobalIsUnsafe)});
  };
  refuse(a_body("of a material that is not projective, with fibres or bending",
                [](const BodyChoice& b) { return !is_projective(b.material) || b.fibre || b.bending; }));
  refuse(a_body("with damping.stiffness", [](const BodyChoice& b) { return b.stiffness_damping; }));
  refuse(the("wind", [](const Combination& c) { return c.wind; }));
  refuse(an_obstacle("with contact = " + names_of_ways(&is_solved_for),
                     [](const ObstacleChoice& o) { return is_solved_for(o.way); }));
  refuse(the("bodies that penalties keep apart", [](const Combination& c) {
    return c.contact.thin_distance || (c.contact.self_collision && !by_program(c.contact));
  }));
}

void add_rules_of_materials(std::vector<Rule>& rules) {
  rules.push_back({KeyTable::body, "material", a_body("that is thin", is_thin),
                   a_body("of lagged-corotated, or a strand of anything but springs",
                          [](const BodyChoice& b) {
                            return is_lagged(b) ||
                                   (b.elements == Elements::strand && b.material != "springs");
                          }),
                   [](const Combination&, const BodyChoice& b) {
                     return format("a {} cannot be made of {}; leave the model out", b.shape, b.material);
                   }});
  rules.push_back({KeyTable::body, "material",
                   a_body("that is neither cloth nor ribbon",
                          [](const BodyChoice& b) { return b.elements && b.elements != Elements::sheet; }),
                   a_body("with bending", [](const BodyChoice& b) { return b.bending; }),
                   says("bending is for cloth and ribbons; leave it out")});
  rules.push_back({KeyTable::body, "material",
                   a_body("that is not thin", [](const BodyChoice& b) { return b.elements && !is_thin(b); }),
                   a_body("with bending_springs", [](const BodyChoice& b) { return b.bending_springs; }),
                   says("bending_springs are for cloth, ribbons and strands; leave them out")});
  rules.push_back({KeyTable::body, "material", a_body("that is thin", is_thin),
                   a_body("with volume or fibre", adds_to_solids),
                   says("volume and fibre are for solids; leave them out")});
  rules.push_back({KeyTable::body, "material",
                   a_body("of hexahedra or in a plane",
                          [](const BodyChoice& b) {
                            return b.elements == Elements::hexahedra || b.elements == Elements::triangles;
                          }),
                   a_body("with fibre", [](const BodyChoice& b) { return b.fibre; }),
                   [](const Combination&, const BodyChoice& b) {
                     return format(
                         "body {}: fibres run through tetrahedra, of which it has none; leave fibre "
                         "out",
                         b.name);
                   }});
  rules.push_back({KeyTable::material, "model", a_body("of lagged-corotated", is_lagged),
                   a_body("with volume or fibre", adds_to_solids),
                   says(format("volume and fibre do not go with {}; leave them out, or use model = "
                               "\"corotated\"",
                               kLaggedCorotated))});
}

void add_rules_of_tears(std::vector<Rule>& rules) {
  const auto tears = a_body("that tears", [](const BodyChoice& b) { return b.tears; });
  rules.push_back({KeyTable::material, "tear", tears,
                   a_body("with young_field", [](const BodyChoice& b) { return b.painted; }),
                   says("what tears cannot have a young_field; leave one out")});
  rules.push_back(
      {KeyTable::body, "material", tears,
       a_body("of hexahedra", [](const BodyChoice& b) { return b.elements == Elements::hexahedra; }),
       [](const Combination&, const BodyChoice& b) {
         return format(
             "body {} is made of hexahedra, which do not tear; use tetrahedra or leave "
             "material.tear out",
             b.name);
       }});
}

}  // namespace

const std::vector<CombinationRule>& combination_rules() {
  static const std::vector<Rule> all = [] {
    std::vector<Rule> table;
    add_rules_of_obstacles(table);
    add_rules_of_masses(table);
    add_rules_of_schemes(table);
    add_rules_of_solvers(table);
    add_rules_of_materials(table);
    add_rules_of_tears(table);
    return table;
  }();
  return all;
}

}  // namespace pliant
