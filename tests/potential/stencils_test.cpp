// Single stencils say the same as the potential whose contributions they are, to the bit.
#include "pliant/potential/stencils.hpp"

#include "meshes.hpp"
#include "pliant/mesh/cloth.hpp"
#include "pliant/mesh/rectangle.hpp"
#include "pliant/potential/fibres.hpp"
#include "pliant/potential/gravity.hpp"
#include "pliant/potential/hinges.hpp"
#include "pliant/potential/solid.hpp"
#include "pliant/potential/springs.hpp"
#include "potential/moduli.hpp"

namespace pliant::stencils_test {
namespace {

using testing::positions;
using testing::random_vector;

/// What a potential says, as far as it belongs to one contribution alone.
struct Whole {
  std::unique_ptr<Potential> potential;
  const Stencils& stencils;
  Vector x, gradient;
  std::vector<double> energies;
  BlockPattern pattern;

  Whole(std::unique_ptr<Potential> made, const Vector& at)
      : potential(std::move(made)), stencils(dynamic_cast<const Stencils&>(*potential)), x(at) {
    std::vector<std::pair<int, int>> edges;
    potential->add_pattern(edges);
    pattern = BlockPattern(static_cast<int>(x.size() / 3), edges);
    potential->attach(pattern);
    energies.resize(static_cast<size_t>(potential->contributions()));
    gradient.setZero(x.size());
    potential->evaluate(x, energies, &gradient);
  }
};

/// The records of some stencils, one after another, and what they say together.
struct Together {
  std::vector<int> vertices;
  std::vector<double> rest, x, energy, gradient, blocks;

  Together(const Whole& whole, Index first, Index count, Definiteness definiteness, double scale = 1) {
    const StencilKind& kind = whole.stencils.kind();
    const auto size = [&](int each) { return static_cast<size_t>(count * each); };
    vertices.resize(size(kind.corners));
    rest.resize(size(kind.rest));
    for (Index s = 0; s < count; ++s)
      whole.stencils.copy_stencil(first + s, &vertices[size(0) + static_cast<size_t>(s * kind.corners)],
                                  &rest[static_cast<size_t>(s * kind.rest)]);
    for (const int vertex : vertices)
      for (int i = 0; i < 3; ++i) x.push_back(whole.x[3 * Index{vertex} + i]);
    energy.resize(size(1));
    gradient.resize(size(3 * kind.corners));
    blocks.resize(size(9 * kind.blocks()));
    const std::vector<double> scales(size(1), scale);
    kind.run({.count = count,
              .rest = rest.data(),
              .x = x.data(),
              .scale = scale == 1 ? nullptr : scales.data(),
              .energy = energy.data(),
              .gradient = gradient.data(),
              .blocks = blocks.data(),
              .definiteness = definiteness});
  }
};

/// The same mesh with vertices of its own for each element, so that every entry of a gradient or a Hessian
/// comes from one.
TetMesh exploded(const TetMesh& mesh) {
  TetMesh apart;
  apart.thickness = mesh.thickness;
  const auto copy = [&](const auto& from, auto& to) {
    for (auto element : from) {
      for (int& corner : element) {
        apart.vertices.push_back(mesh.vertices[corner]);
        corner = static_cast<int>(apart.vertices.size()) - 1;
      }
      to.push_back(element);
    }
  };
  if (!mesh.hexes.empty())
    copy(mesh.hexes, apart.hexes);
  else if (!mesh.triangles.empty())
    copy(mesh.triangles, apart.triangles);
  else
    copy(mesh.tets, apart.tets);
  if (!mesh.edges.empty())
    for (const auto& [a, b, c] : apart.triangles)
      apart.edges.insert(apart.edges.end(), {{a, b}, {b, c}, {c, a}});
  return apart;
}

TetMesh sheet() {
  const TriangleMesh cloth = make_cloth_rectangle({.size = {1, 0.8}, .cells = {4, 4}});
  TetMesh mesh;
  mesh.vertices = cloth.vertices;
  mesh.triangles = cloth.triangles;
  mesh.thickness = 0.01;
  for (const auto& [a, b, c] : cloth.triangles) mesh.edges.insert(mesh.edges.end(), {{a, b}, {b, c}, {c, a}});
  return mesh;
}

void expect_single_stencils_to_be_those_of(const Whole& whole, const std::string& name) {
  const StencilKind& kind = whole.stencils.kind();
  ASSERT_EQ(whole.stencils.stencils(), whole.potential->contributions()) << name;
  ASSERT_GT(whole.stencils.stencils(), 16) << name << ": more than a pack";
  EXPECT_GT(whole.gradient.norm(), 0) << name;
  for (const Definiteness how : {Definiteness::none, Definiteness::clamp}) {
    BlockMatrix H(whole.pattern);
    whole.potential->add_hessian(whole.x, how, H);
    for (Index s = 0; s < whole.stencils.stencils(); ++s) {
      const Together one(whole, s, 1, how);
      ASSERT_EQ(one.energy[0], whole.energies[static_cast<size_t>(s)]) << name << s;
      for (size_t d = 0; d < one.gradient.size(); ++d)
        ASSERT_EQ(one.gradient[d], whole.gradient[3 * one.vertices[d / 3] + static_cast<Index>(d % 3)])
            << name;
      const double* block = one.blocks.data();
      for (int a = 0; a < kind.corners; ++a)
        for (int b = a; b < kind.corners; ++b, block += 9) {
          const auto [place, transposed] = whole.pattern.find(one.vertices[a], one.vertices[b]);
          for (int e = 0; e < 9; ++e)
            ASSERT_EQ(block[transposed ? 3 * (e % 3) + e / 3 : e], H.block(place)[e]) << name;
        }
    }
  }
}

/// Positions at which no element is flat or inverted.
Vector shaken(const TetMesh& mesh) {
  return positions(mesh) + 0.03 * random_vector(3 * std::ssize(mesh.vertices), 5);
}

TEST(Stencils, OfEveryMaterialAndElementHaveTheBitsOfAllTogether) {
  std::map<std::string, TetMesh> meshes = {
      {"tets", testing::cube(2)},
      {"hexes", make_box({.size = {1, 1, 1}, .cells = {3, 3, 2}, .hexahedra = true})},
      {"planar", make_rectangle({.size = {1, 1, 0.1}, .cells = {3, 3}})},
      {"sheet", sheet()}};
  for (auto& [name, mesh] : meshes) {
    const TetMesh apart = exploded(mesh);
    for (const SolidMaterial& material : solid_materials())
      expect_single_stencils_to_be_those_of(Whole(testing::make_sample(material.name, apart), shaken(apart)),
                                            std::string(material.name) + ", " + name);
  }
}

TEST(Stencils, OfSpringsFibresAndWeightsHaveTheBitsOfAllTogether) {
  const TetMesh apart = exploded(testing::cube(2));
  const Vector x = shaken(apart);
  expect_single_stencils_to_be_those_of(Whole(make_fibres(apart, 0, Vec3(1, 2, -1), 1e3), x), "fibres");
  Vector mass = random_vector(std::ssize(apart.vertices), 3);
  expect_single_stencils_to_be_those_of(Whole(std::make_unique<Gravity>(mass, Vec3(1, -9.81, 0.3)), x),
                                        "weights");
}

TEST(Stencils, OfHingesAndSpringsHaveTheEnergiesOfAllTogether) {
  const TetMesh mesh = sheet();
  const Vector x = shaken(mesh);
  for (const bool hinges : {true, false}) {
    const Whole whole(hinges ? make_hinges(mesh, 0, 2.0) : make_springs(mesh, 0, 1e4), x);
    Vector gradient = Vector::Zero(x.size());
    for (Index s = 0; s < whole.stencils.stencils(); ++s) {
      const Together one(whole, s, 1, Definiteness::none);
      ASSERT_EQ(one.energy[0], whole.energies[static_cast<size_t>(s)]);
      for (size_t d = 0; d < one.gradient.size(); ++d)
        gradient[3 * one.vertices[d / 3] + static_cast<Index>(d % 3)] += one.gradient[d];
    }
    EXPECT_LT((gradient - whole.gradient).norm(), 1e-12 * whole.gradient.norm());
  }
}

TEST(Stencils, ManyAtOnceHaveTheBitsOfEachAlone) {
  const TetMesh mesh = testing::cube(2);
  const Whole whole(testing::make_sample("fixed-corotated", mesh), shaken(mesh));
  const Index count = whole.stencils.stencils() - 3;
  const Together all(whole, 3, count, Definiteness::clamp);
  for (Index s = 0; s < count; ++s) {
    const Together one(whole, 3 + s, 1, Definiteness::clamp);
    EXPECT_EQ(one.energy[0], all.energy[static_cast<size_t>(s)]);
    EXPECT_TRUE(std::equal(one.gradient.begin(), one.gradient.end(), all.gradient.begin() + s * 12));
    EXPECT_TRUE(std::equal(one.blocks.begin(), one.blocks.end(), all.blocks.begin() + s * 90));
  }
}

TEST(Stencils, AScaleMultipliesAllThatAStencilSays) {
  const TetMesh mesh = testing::cube(2);
  const Whole whole(testing::make_sample("neo-hookean", mesh), shaken(mesh));
  const Together plain(whole, 0, 2, Definiteness::none), twice(whole, 0, 2, Definiteness::none, 2);
  for (size_t k = 0; k < plain.energy.size(); ++k) EXPECT_EQ(twice.energy[k], 2 * plain.energy[k]);
  for (size_t k = 0; k < plain.gradient.size(); ++k) EXPECT_EQ(twice.gradient[k], 2 * plain.gradient[k]);
  for (size_t k = 0; k < plain.blocks.size(); ++k) EXPECT_EQ(twice.blocks[k], 2 * plain.blocks[k]);
}

}  // namespace
}  // namespace pliant::stencils_test
