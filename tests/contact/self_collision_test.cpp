#include "pliant/contact/self_collision.hpp"

#include "derivative_checker.hpp"
#include "meshes.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/meshing/mesher.hpp"
#include "pliant/shape/shapes.hpp"
#include "pliant/spatial/surface_tree.hpp"

namespace pliant::self_collision_test {
namespace {

using testing::check_derivative;
using testing::cube;
using testing::positions;
using testing::random_vector;

constexpr double kStiffness = 1e3;

struct Values {
  double energy = 0;
  Vector energies, gradient;
};

Values evaluate(const SelfCollision& collision, const Vector& x) {
  Values values{0, Vector(collision.contributions()), Vector::Zero(x.size())};
  collision.evaluate(x, {values.energies.data(), static_cast<size_t>(values.energies.size())},
                     &values.gradient);
  values.energy = values.energies.sum();
  return values;
}

/// A cube without the eighth part where x, y and z are positive, and a point, its first vertex. Inside of it
/// the surface has an edge and a corner that points can be nearest to.
struct Notched {
  TetMesh point, body;
  std::optional<SelfCollision> collision;
  Vector rest;

  explicit Notched(const Vec3& place) {
    point.vertices = {place};
    body = cube(2);
    std::erase_if(body.tets, [&](const std::array<int, 4>& tet) {
      Vec3 middle = Vec3::Zero();
      for (const int corner : tet) middle += body.vertices[corner] / 4;
      return middle.minCoeff() > 0;
    });
    // The corner that nothing is left at.
    const auto far = std::max_element(body.vertices.begin(), body.vertices.end(),
                                      [](const Vec3& a, const Vec3& b) { return a.sum() < b.sum(); });
    *far = Vec3(2, 2, 2);
    rest.resize(3 + 3 * std::ssize(body.vertices));
    rest << place, positions(body);
    const std::vector<SelfCollision::Collider> colliders{{point, 0}, {body, 1}};
    collision.emplace(colliders, SelfCollision::Options{Vector::Constant(rest.size() / 3, kStiffness), 0.3});
  }
};

struct Place {
  const char* what;
  Vec3 point;
  double depth;
};

const std::vector<Place> kPlaces = {{"Face", {-0.06, 0.15, 0.3}, 0.06},
                                    {"Edge", {-0.06, -0.08, 0.25}, 0.1},
                                    {"Corner", {-0.06, -0.08, -0.1}, std::sqrt(0.02)}};

class Nearest : public ::testing::TestWithParam<Place> {};

TEST_P(Nearest, IsFound) {
  const Notched notched(GetParam().point);
  const auto overlaps = notched.collision->find_inside(notched.rest);
  ASSERT_EQ(overlaps.size(), 1);
  EXPECT_EQ(overlaps[0].vertex, 0);
  EXPECT_EQ(overlaps[0].body, 1);
  EXPECT_NEAR(overlaps[0].depth, GetParam().depth, 1e-12);
  EXPECT_NEAR(notched.collision->overlap(notched.rest), GetParam().depth, 1e-12);
}

TEST_P(Nearest, HasTheGradientAndHessianThatDifferencesGive) {
  const Notched notched(GetParam().point);
  const Vector x = notched.rest + 0.01 * random_vector(notched.rest.size(), 3);
  const Vector along = random_vector(x.size(), 4);
  const auto energy = [&](double t) {
    return Vector(Vector::Constant(1, evaluate(*notched.collision, x + t * along).energy));
  };
  const auto gradient = [&](double t) { return evaluate(*notched.collision, x + t * along).gradient; };
  EXPECT_TRUE(check_derivative(energy, Vector::Constant(1, gradient(0).dot(along)), {.step = 2e-3}));
  const BlockPattern pattern(static_cast<int>(x.size() / 3), {});
  BlockMatrix hessian(pattern);
  hessian.set_zero();
  notched.collision->add_hessian(x, Definiteness::none, hessian);
  Vector product;
  hessian.multiply(along, product);
  EXPECT_TRUE(check_derivative(gradient, product, {.step = 2e-3}));
}

INSTANTIATE_TEST_SUITE_P(Parts, Nearest, ::testing::ValuesIn(kPlaces),
                         [](const auto& parameter) { return parameter.param.what; });

/// A plate and a cube on top of it that is a little too low, with almost the same edges; the contacts of the
/// cube's lower vertices, and of the plate's upper ones.
std::vector<ContactPoint> contacts_of_cube_on_plate(double plate_height, double depth, double width,
                                                    bool facing) {
  TetMesh plate = cube(2), on_top = cube(2);
  for (Vec3& vertex : plate.vertices) vertex.y() *= plate_height;
  for (Vec3& vertex : on_top.vertices) vertex.y() += 0.5 + plate_height / 2 - depth;
  for (Vec3& vertex : on_top.vertices) vertex.x() *= width, vertex.z() *= width;
  Vector x(3 * (std::ssize(plate.vertices) + std::ssize(on_top.vertices)));
  x << positions(plate), positions(on_top);
  const std::vector<SelfCollision::Collider> colliders{{plate, 0},
                                                       {on_top, static_cast<int>(plate.vertices.size())}};
  const SelfCollision collision(
      colliders,
      {.stiffness = Vector::Constant(x.size() / 3, kStiffness), .within_bodies = false, .facing = facing});
  std::vector<ContactPoint> contacts;
  collision.add_contacts(x, contacts);
  return contacts;
}

TEST(SelfCollision, LooksForTheClosestOfWhatFacesAVertexWhereItIsAskedFor) {
  const auto count_upright = [](const std::vector<ContactPoint>& contacts) {
    return std::count_if(contacts.begin(), contacts.end(),
                         [](const ContactPoint& contact) { return std::abs(contact.normal.y()) > 0.99; });
  };
  // Whichever of the two is the wider one.
  for (const double width : {1 - 1e-3, 1 + 1e-3}) {
    const auto facing = contacts_of_cube_on_plate(1, 0.01, width, true),
               closest = contacts_of_cube_on_plate(1, 0.01, width, false);
    EXPECT_EQ(facing.size(), 9 + 1) << "of the narrower one, and the middle of the wider one";
    EXPECT_EQ(count_upright(facing), std::ssize(facing));
    EXPECT_EQ(count_upright(closest), 2) << "there was nothing to choose";
  }
  // More than half through a thin plate: back to where it came from.
  const auto through = contacts_of_cube_on_plate(0.1, 0.06, 0.8, true);
  EXPECT_EQ(through.size(), 9 + 1);
  for (const ContactPoint& contact : through)
    EXPECT_GT(contact.normal.y() * (contact.vertices[0] < 27 ? -1 : 1), 0.99) << contact.vertices[0];
}

TEST(SelfCollision, LeavesThroughTheSideItIsCloseToWhereWhatFacesItIsFar) {
  // A rod that stands in a cube, close to one of its sides, deeper than an edge is long.
  TetMesh block = cube(10), rod = cube(2);
  for (Vec3& vertex : rod.vertices) {
    vertex = vertex.cwiseProduct(Vec3(0.1, 0.6, 0.1));
    vertex += Vec3(0.44, 0.5 + 0.3 - 0.25, 0);
  }
  Vector x(3 * (std::ssize(block.vertices) + std::ssize(rod.vertices)));
  x << positions(block), positions(rod);
  const int first = static_cast<int>(block.vertices.size());
  const SelfCollision collision(
      {{block, 0}, {rod, first}},
      {.stiffness = Vector::Constant(x.size() / 3, kStiffness), .within_bodies = false, .facing = true});
  std::vector<ContactPoint> contacts;
  collision.add_contacts(x, contacts);
  int of_rod = 0;
  for (const ContactPoint& contact : contacts) {
    if (contact.vertices[0] < first) continue;
    ++of_rod;
    // The outer ones are 1 cm from the side and 25 cm from the top.
    if (x[3 * contact.vertices[0]] > 0.45) {
      EXPECT_GT(contact.normal.x(), 0.99) << contact.vertices[0];
    }
  }
  EXPECT_GE(of_rod, 9);
  EXPECT_LT(collision.overlap(x), 0.12);
}

/// Two balls, one of them bent so that it also runs into itself, that overlap.
struct Balls {
  TetMesh first = mesh_shape(*make_sphere(0.5), {.cell = 0.2});
  TetMesh second = mesh_shape(*make_torus(0.4, 0.15), {.cell = 0.12});
  std::optional<SelfCollision> collision;
  Vector x;

  explicit Balls(bool facing = false) {
    x.resize(3 * (std::ssize(first.vertices) + std::ssize(second.vertices)));
    x << positions(first), positions(second);
    for (Index i = 0; i < x.size() / 3; ++i) {
      const bool of_second = i >= std::ssize(first.vertices);
      Vec3 place = x.segment<3>(3 * i);
      // The ring is pressed together until its sides run into each other.
      if (of_second) {
        place.x() -= 0.31 * std::exp(-std::pow(place.z() / 0.2, 2)) * std::tanh(place.x() / 0.1);
        place += Vec3(0.45, 0.1, 0);
      }
      x.segment<3>(3 * i) = place;
    }
    x += 0.005 * random_vector(x.size(), 8);
    const std::vector<SelfCollision::Collider> colliders{{first, 0}, {second, second_vertex()}};
    collision.emplace(
        colliders,
        SelfCollision::Options{
            .stiffness = Vector::Constant(x.size() / 3, kStiffness), .friction = 0.3, .facing = facing});
  }
  int second_vertex() const { return static_cast<int>(first.vertices.size()); }
};

TEST(SelfCollision, FindsWhatTryingAllPairsFinds) {
  const Balls balls;
  struct Found {
    int vertex, collider;
    double depth, pushed;  // by how far where what faces it is looked for
  };
  std::vector<Found> expected;
  int of_itself = 0, aside = 0;
  const TetMesh* meshes[2] = {&balls.first, &balls.second};
  const int starts[2] = {0, balls.second_vertex()};
  const auto place = [&](int vertex) -> Vec3 { return balls.x.segment<3>(3 * Index{vertex}); };
  const auto outward_at = [&](const Surface& surface, int first, int vertex) {
    Vec3 outward = Vec3::Zero();
    for (const auto& triangle : surface.mesh.triangles) {
      std::array<int, 3> v{};
      for (size_t c = 0; c < 3; ++c) v[c] = first + surface.vertex_of[triangle[c]];
      if (std::find(v.begin(), v.end(), vertex) == v.end()) continue;
      outward += (place(v[1]) - place(v[0])).cross(place(v[2]) - place(v[0]));
    }
    return outward;
  };
  const auto just_outside = [&](const Surface& surface, int first, int vertex) {
    return Vec3(place(vertex) + 1e-7 * outward_at(surface, first, vertex).normalized());
  };
  double shortest_edge = std::numeric_limits<double>::infinity();  // mean of a body, at rest
  for (const TetMesh* mesh : meshes) {
    const Surface surface = extract_surface(*mesh);
    double sum = 0;
    for (const auto& t : surface.mesh.triangles)
      for (size_t c = 0; c < 3; ++c)
        sum += (surface.mesh.vertices[t[c]] - surface.mesh.vertices[t[(c + 1) % 3]]).norm();
    shortest_edge = std::min(shortest_edge, sum / (3 * static_cast<double>(surface.mesh.triangles.size())));
  }
  for (int own = 0; own < 2; ++own)
    for (const int local : extract_surface(*meshes[own]).vertex_of)
      for (int other = 0; other < 2; ++other) {
        const int vertex = starts[own] + local, first = starts[other];
        const auto holds = [&](const std::array<int, 4>& tet) {
          std::array<Vec3, 4> corners;
          for (size_t c = 0; c < 4; ++c) {
            if (first + tet[c] == vertex) return false;
            corners[c] = place(first + tet[c]);
          }
          return tet_contains(corners, place(vertex));
        };
        const auto times_around = [&](const Vec3& point) {
          int times = 0;
          for (const auto& tet : meshes[other]->tets) {
            std::array<Vec3, 4> p;
            for (size_t c = 0; c < 4; ++c) p[c] = place(first + tet[c]);
            if (tet_contains(p, point)) times += signed_volume(p[0], p[1], p[2], p[3]) < 0 ? -1 : 1;
          }
          return times;
        };
        if (std::none_of(meshes[other]->tets.begin(), meshes[other]->tets.end(), holds)) continue;
        const Surface surface = extract_surface(*meshes[other]);
        if (own == other && times_around(just_outside(surface, first, vertex)) <= 0) continue;
        const Vec3 outward = outward_at(extract_surface(*meshes[own]), starts[own], vertex);
        double nearest = std::numeric_limits<double>::infinity(), nearest_facing = nearest;
        for (const auto& [a, b, c] : surface.mesh.triangles) {
          const int corners[3] = {first + surface.vertex_of[a], first + surface.vertex_of[b],
                                  first + surface.vertex_of[c]};
          if (std::find(corners, corners + 3, vertex) != corners + 3) continue;
          const auto closest =
              closest_point(place(vertex), place(corners[0]), place(corners[1]), place(corners[2]));
          nearest = std::min(nearest, closest.squared_distance);
          const Vec3 normal =
              (place(corners[1]) - place(corners[0])).cross(place(corners[2]) - place(corners[0]));
          if (normal.dot(outward) < 0) nearest_facing = std::min(nearest_facing, closest.squared_distance);
        }
        const double depth = std::sqrt(nearest), facing = std::sqrt(nearest_facing);
        expected.push_back(
            {vertex, other, depth, facing <= 2 * depth + 0.05 * shortest_edge ? facing : depth});
        of_itself += own == other;
        aside += expected.back().pushed > depth;
      }
  const auto found = balls.collision->find_inside(balls.x);
  EXPECT_GT(of_itself, 3);
  EXPECT_GT(std::ssize(expected) - of_itself, 5);
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].vertex, expected[i].vertex);
    EXPECT_EQ(found[i].body, expected[i].collider);
    EXPECT_NEAR(found[i].depth, expected[i].depth, 1e-12);
  }

  const Balls facing(true);
  std::vector<ContactPoint> contacts;
  facing.collision->add_contacts(facing.x, contacts);
  EXPECT_GT(aside, 1);
  ASSERT_EQ(contacts.size(), expected.size());
  for (size_t i = 0; i < contacts.size(); ++i) {
    Vec3 offset = Vec3::Zero();
    for (size_t k = 0; k < 4; ++k) offset += contacts[i].weights[k] * place(contacts[i].vertices[k]);
    EXPECT_EQ(contacts[i].vertices[0], expected[i].vertex);
    EXPECT_NEAR(offset.norm(), expected[i].pushed, 1e-12);
  }
  EXPECT_EQ(facing.collision->overlap(balls.x), balls.collision->overlap(balls.x));
}

TEST(SelfCollision, NeitherPushesNorTurnsTheWhole) {
  const Balls balls;
  const Vector gradient = evaluate(*balls.collision, balls.x).gradient;
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  for (Index i = 0; i < balls.x.size(); i += 3) {
    force += gradient.segment<3>(i);
    torque += Vec3(balls.x.segment<3>(i)).cross(Vec3(gradient.segment<3>(i)));
  }
  ASSERT_GT(gradient.norm(), 0.1);
  EXPECT_LT(force.norm(), 1e-12 * gradient.norm());
  EXPECT_LT(torque.norm(), 1e-12 * gradient.norm());
}

TEST(SelfCollision, DoesNothingWhereNothingOverlaps) {
  const TetMesh one = cube(2);
  const std::vector<SelfCollision::Collider> colliders{{one, 0}, {one, 27}};
  const SelfCollision collision(colliders, {Vector::Constant(54, kStiffness), 0.3});
  Vector x(162);
  x << positions(one), positions(one);
  for (Index i = 27; i < 54; ++i) x[3 * i] += 1.001;
  const Values values = evaluate(collision, x);
  EXPECT_EQ(values.energy, 0);
  EXPECT_TRUE(values.gradient.isZero(0));
  EXPECT_EQ(collision.stored(x, 0), 0);
  std::vector<ContactPoint> contacts;
  collision.add_contacts(x, contacts);
  EXPECT_TRUE(contacts.empty());
  EXPECT_EQ(collision.overlap(x), 0);
}

class LookedBefore : public ::testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(Facing, LookedBefore, ::testing::Bool());

TEST_P(LookedBefore, HasTheSameBits) {
  const Balls balls(GetParam());
  Vector x = balls.x;
  // Most steps are so short that what was near before is looked at only, some are longer.
  for (unsigned seed = 0; seed < 16; ++seed) {
    x += (seed % 5 == 4 ? 0.02 : 0.002) * random_vector(x.size(), 20 + seed);
    const Balls never_used(GetParam());
    const Values used = evaluate(*balls.collision, x), first_time = evaluate(*never_used.collision, x);
    ASSERT_GT(used.energy, 0);
    EXPECT_EQ(used.energies, first_time.energies) << seed;
    EXPECT_EQ(used.gradient, first_time.gradient) << seed;
  }
}

TEST(SelfCollision, HasTheSameBitsForAnyNumberOfThreads) {
  const auto values = [](int threads) {
    set_threads(threads);
    const Balls balls;
    const BlockPattern pattern(static_cast<int>(balls.x.size() / 3), {});
    BlockMatrix hessian(pattern);
    hessian.set_zero();
    balls.collision->add_hessian(balls.x, Definiteness::clamp, hessian);
    Vector product;
    hessian.multiply(balls.x, product);
    const Values found = evaluate(*balls.collision, balls.x);
    set_threads(0);
    return std::tuple(found.energies, found.gradient, product);
  };
  EXPECT_EQ(values(1), values(4));
}

TEST(SelfCollision, NamesContactsWhoseForcesAreItsGradient) {
  const Balls balls;
  std::vector<ContactPoint> contacts;
  balls.collision->add_contacts(balls.x, contacts);
  Vector left = evaluate(*balls.collision, balls.x).gradient;
  const double size = left.norm();
  for (const ContactPoint& contact : contacts) {
    EXPECT_EQ(contact.friction, 0.3);
    for (int k = 0; k < 4; ++k)
      left.segment<3>(3 * Index{contact.vertices[k]}) += contact.weights[k] * contact.force * contact.normal;
  }
  EXPECT_LT(left.norm(), 1e-9 * size);
}

}  // namespace
}  // namespace pliant::self_collision_test
