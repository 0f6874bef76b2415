#include "pliant/setup/combinations.hpp"

#include "pliant/setup/combination_rules.hpp"

namespace pliant {

namespace {

/// The first thing that a side holds of; none where it holds of nothing.
std::optional<size_t> first_of(const CombinationSide& side, const Combination& c) {
  const size_t count = side.subject == CombinationSubject::body       ? c.bodies.size()
                       : side.subject == CombinationSubject::obstacle ? c.obstacles.size()
                                                                      : 1;
  for (size_t i = 0; i < count; ++i)
    if (side.holds(c, i)) return i;
  return {};
}

void find(const CombinationRule& rule, const Combination& c, std::vector<Conflict>& found) {
  const auto conflict = [&](std::optional<size_t> body) {
    const Combination::Body none;
    found.push_back({rule.table, rule.key, body, rule.message(c, body ? c.bodies[*body] : none)});
  };
  if (rule.one.subject == CombinationSubject::body && rule.other.subject == CombinationSubject::body) {
    for (size_t i = 0; i < c.bodies.size(); ++i)
      if (rule.one.holds(c, i) && rule.other.holds(c, i)) conflict(i);
    return;
  }
  const auto one = first_of(rule.one, c), other = first_of(rule.other, c);
  if (!one || !other) return;
  conflict(rule.one.subject == CombinationSubject::body     ? one
           : rule.other.subject == CombinationSubject::body ? other
                                                            : std::nullopt);
}

}  // namespace

Elements elements_of(const TetMesh& rest) {
  if (rest.thin()) return rest.triangles.empty() ? Elements::strand : Elements::sheet;
  if (rest.planar()) return Elements::triangles;
  return rest.hexes.empty() ? Elements::tetrahedra : Elements::hexahedra;
}

Combination::Body parts_of(const MaterialOptions& material) {
  return {.material = material.model,
          .consistent_mass = material.consistent_mass,
          .painted = !material.young_of_element.empty(),
          .volume = material.volume > 0,
          .fibre = material.fibre.has_value(),
          .bending = material.bending > 0,
          .bending_springs = material.bending_springs > 0};
}

void add_parts(const DampingOptions& damping, Combination::Body& body) {
  body.stiffness_damping = damping.stiffness > 0;
  body.drags = damping.ether > 0 || damping.internal > 0;
}

std::vector<Conflict> find_conflicts(const Combination& combination) {
  std::vector<Conflict> found;
  for (const CombinationRule& rule : combination_rules()) find(rule, combination, found);
  return found;
}

std::vector<Conflict> find_conflicts(const Combination& combination, KeyTable table) {
  std::vector<Conflict> found;
  for (const CombinationRule& rule : combination_rules())
    if (rule.table == table) find(rule, combination, found);
  return found;
}

std::vector<CombinationRow> combination_rows() {
  Combination names;
  names.scheme.name = "NAME";
  const Combination::Body body{.name = "NAME", .material = "MATERIAL", .shape = "SHAPE"};
  std::vector<CombinationRow> rows;
  for (const CombinationRule& rule : combination_rules()) {
    std::string schemes;
    for (const CombinationSide* side : {&rule.one, &rule.other})
      if (side->words.starts_with("a scheme that") || side->words.starts_with("a scheme whose"))
        for (const SchemeKind& kind : scheme_kinds()) {
          Combination of;
          of.scheme.name = kind.name;
          if (kind.name != "runge-kutta" && side->holds(of, 0))
            schemes += (schemes.empty() ? "" : ", ") + std::string(kind.name);
        }
    rows.push_back({rule.one.words, rule.other.words, rule.message(names, body), schemes});
  }
  return rows;
}

}  // namespace pliant
