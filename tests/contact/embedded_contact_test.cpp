#include "pliant/contact/embedded_contact.hpp"

#include "contact/obstacles.hpp"
#include "derivative_checker.hpp"
#include "errors.hpp"
#include "meshes.hpp"
#include "pliant/contact/penalty.hpp"
#include "pliant/contact/self_collision.hpp"

namespace pliant::embedded_contact_test {
namespace {

using testing::check_derivative;
using testing::cube;
using testing::obstacle;
using testing::positions;
using testing::random_vector;

/// The weights of the corners 0, e1, e2 and e3 of a frame on a point of its body.
std::array<SeenPoints::Share, 4> in_frame(int frame, const Vec3& X) {
  const int first = 4 * frame;
  return {{{first, 1 - X.sum()}, {first + 1, X.x()}, {first + 2, X.y()}, {first + 3, X.z()}}};
}

/// Cubes that follow frames of four blocks, the second one in the upper corner of the first.
struct Frames {
  TetMesh mesh = cube(2);
  SeenPoints points{8};
  Vector x{24};

  Frames() {
    for (int frame = 0; frame < 2; ++frame) {
      for (const Vec3& X : mesh.vertices) points.add(in_frame(frame, X));
      const Vec3 place = frame * Vec3(0.71, 0.83, 0.77);
      const Mat3 turn = Eigen::AngleAxisd(0.1 + 0.2 * frame, Vec3(1, 2, 0.5).normalized()).matrix();
      for (int corner = 0; corner < 4; ++corner)
        x.segment<3>(12 * frame + 3 * corner) =
            place + (corner > 0 ? Vec3(turn.col(corner - 1)) : Vec3::Zero());
    }
  }
};

std::vector<std::unique_ptr<ContactTerm>> terms_of(const Frames& frames,
                                                   const std::vector<Obstacle>& obstacles) {
  const auto count = static_cast<Index>(frames.mesh.vertices.size());
  std::vector<std::unique_ptr<ContactTerm>> terms;
  terms.push_back(std::make_unique<ObstaclePenalty>(obstacles, Vector::Constant(2 * count, 1e3)));
  terms.push_back(std::make_unique<SelfCollision>(
      std::vector<SelfCollision::Collider>{{frames.mesh, 0}, {frames.mesh, static_cast<int>(count)}},
      SelfCollision::Options{.stiffness = Vector::Constant(2 * count, 1e3), .friction = 0.4}));
  return terms;
}

struct Values {
  double energy;
  Vector gradient;
};

Values values_of(const Potential& term, const Vector& x) {
  Vector energies(term.contributions());
  Values values{0, Vector::Zero(x.size())};
  term.evaluate(x, {energies.data(), static_cast<size_t>(energies.size())}, &values.gradient);
  values.energy = energies.sum();
  return values;
}

TEST(EmbeddedContact, HasTheDerivativesThatDifferencesGive) {
  const Frames frames;
  // No point in its middle, where the way out jumps.
  std::vector<Obstacle> obstacles{
      obstacle(testing::shifted(make_sphere(0.6), {0.11, 0.07, -0.13}), ContactWay::penalty)};
  for (auto& of_points : terms_of(frames, obstacles)) {
    EmbeddedContact term(std::move(of_points), frames.points);
    std::vector<std::pair<int, int>> edges;
    term.add_pattern(edges);
    const BlockPattern pattern(8, edges);
    Stage stage;
    stage.x_a = stage.x_v = stage.x_step = frames.x;
    term.begin_stage(stage);
    const Vector along = 0.1 * random_vector(24, 3);
    BlockMatrix hessian(pattern);
    hessian.set_zero();
    term.add_hessian(frames.x, Definiteness::none, hessian);
    Vector product;
    hessian.multiply(along, product);
    const auto energy = [&](double t) {
      return Vector(Vector::Constant(1, values_of(term, frames.x + t * along).energy));
    };
    const auto gradient = [&](double t) { return values_of(term, frames.x + t * along).gradient; };
    EXPECT_TRUE(check_derivative(energy, Vector::Constant(1, gradient(0).dot(along)), {.step = 1e-3}));
    EXPECT_TRUE(check_derivative(gradient, product, {.step = 1e-3}));
  }
}

TEST(EmbeddedContact, OfPointsThatAreTheirOwnBlocksIsTheContactItself) {
  const TetMesh mesh = cube(3);
  std::vector<Obstacle> obstacles{obstacle(make_sphere(0.6), ContactWay::penalty)};
  const int count = static_cast<int>(mesh.vertices.size());
  ObstaclePenalty plain(obstacles, Vector::Constant(count, 1e3));
  SeenPoints points(count);
  for (int i = 0; i < count; ++i) points.add(std::array{SeenPoints::Share{i, 1}});
  EmbeddedContact embedded(plain.clone_term(), points);
  Stage stage;
  stage.x_a = stage.x_v = stage.x_step = positions(mesh);
  plain.begin_stage(stage);
  embedded.begin_stage(stage);
  const Vector x = positions(mesh) + 0.1 * random_vector(3 * count, 5);
  const Values of_plain = values_of(plain, x), of_embedded = values_of(embedded, x);
  ASSERT_GT(of_plain.energy, 0.1);
  EXPECT_EQ(of_plain.energy, of_embedded.energy);
  EXPECT_EQ(of_plain.gradient, of_embedded.gradient);
  EXPECT_EQ(plain.stored(x, 0), embedded.stored(x, 0));
}

TEST(EmbeddedContact, PressesFramesWhereTheirPointsTouch) {
  const Frames frames;
  std::vector<Obstacle> obstacles;
  EmbeddedContact term(std::move(terms_of(frames, obstacles)[1]), frames.points);
  std::vector<ContactPoint> contacts;
  term.add_contacts(frames.x, contacts);
  ASSERT_GE(contacts.size(), 2u);
  EXPECT_GT(term.overlap(frames.x), 0.01);
  Vector force = Vector::Zero(24);
  for (const ContactPoint& contact : contacts) {
    double sum = 0;
    int blocks = 0;
    for (; blocks < ContactPoint::kMost && contact.vertices[blocks] >= 0; ++blocks) {
      sum += contact.weights[blocks];
      force.segment<3>(3 * contact.vertices[blocks]) +=
          contact.weights[blocks] * contact.force * contact.normal;
    }
    EXPECT_GE(blocks, 5);
    EXPECT_NEAR(sum, 0, 1e-12) << "of what moves alike nothing is relative";
  }
  const Vector gradient = values_of(term, frames.x).gradient;
  EXPECT_LT((force + gradient).norm(), 1e-9 * gradient.norm());
  // Friction that is strong enough stops the points against each other.
  Vector v = random_vector(24, 8);
  const std::vector<char> fixed(24, 0);
  contacts.resize(1);
  contacts[0].friction = 1e9;
  apply_friction(contacts, Vector::Constant(8, 0.5), fixed, 1, v);
  Vec3 relative = Vec3::Zero();
  for (int k = 0; k < ContactPoint::kMost && contacts[0].vertices[k] >= 0; ++k)
    relative += contacts[0].weights[k] * v.segment<3>(3 * contacts[0].vertices[k]);
  relative -= contacts[0].normal.dot(relative) * contacts[0].normal;
  EXPECT_LT(relative.norm(), 1e-12);
}

/// Lets no point go further than a length.
class Slow final : public ContactTerm, public StepLimit {
 public:
  Index contributions() const override { return 0; }
  void evaluate(const Vector&, std::span<double>, Vector*) const override {}
  void add_hessian(const Vector&, Definiteness, BlockMatrix&) const override {}
  std::unique_ptr<ContactTerm> clone_term() const override { return std::make_unique<Slow>(); }
  std::unique_ptr<ContactTerm> term_sub_model(const SubModel&) const override { return clone_term(); }
  void begin_stage(const Stage&) override {}
  double stored(const Vector&, double) const override { return 0; }
  Power power(const Vector&, const Vector&, const Interval&) const override { return {}; }
  StepLimit* step_limit() override { return this; }
  double limit(const Vector&, Vector& step, const Interval&) override {
    for (Index i = 0; i < step.size(); i += 3) {
      const double length = step.segment<3>(i).norm();
      if (length > 0.1) step.segment<3>(i) *= 0.1 / length;
    }
    return 1;
  }
};

TEST(EmbeddedContact, HoldsAllOfAFrameBackThatAPointIsHeldBackBy) {
  const Frames frames;
  EmbeddedContact term(std::make_unique<Slow>(), frames.points);
  Vector step = random_vector(24, 4);
  const Vector asked = step;
  const double share = term.limit(frames.x, step, {0, 0});
  EXPECT_EQ(step, asked);
  double farthest = 0;
  const Vector moved = frames.points.taken(share * step);
  for (Index i = 0; i < moved.size(); i += 3) farthest = std::max(farthest, moved.segment<3>(i).norm());
  EXPECT_NEAR(farthest, 0.1, 1e-12);
}

TEST(EmbeddedContact, OfASubModelHasThePointsThatAreWhollyInIt) {
  const Frames frames;
  std::vector<Obstacle> obstacles{obstacle(make_half_space({0, 1, 0}), ContactWay::penalty)};
  EmbeddedContact term(std::move(terms_of(frames, obstacles)[0]), frames.points);
  const SubModel second{.vertices = {4, 5, 6, 7}, .free = {1, 1, 1, 1}};
  const auto part = term.term_sub_model(second);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->contributions(), term.contributions() / 2);
  Vector x = frames.x;
  for (Index i = 1; i < 24; i += 3) x[i] -= i < 12 ? -9 : 1;  // the first frame is far above
  EXPECT_GT(part->stored(second.taken(x), 0), 1);
  EXPECT_NEAR(part->stored(second.taken(x), 0), term.stored(x, 0), 1e-9 * term.stored(x, 0));
}

TEST(EmbeddedContact, RefusesPointsOfMoreBlocksThanAPlaceOfContactCanName) {
  SeenPoints points(27);
  std::vector<SeenPoints::Share> shares;
  for (int i = 0; i < 27; ++i) shares.push_back({i, 1.0 / 27});
  points.add(shares);
  EXPECT_ERROR(std::invalid_argument, "too many blocks", EmbeddedContact(std::make_unique<Slow>(), points));
}

TEST(SeenPoints, RefuseBlocksThatThereAreNoneOf) {
  SeenPoints points(2);
  const std::array outside{SeenPoints::Share{2, 1}};
  EXPECT_ERROR(std::invalid_argument, "has a block that there is none of", points.add(outside));
}

}  // namespace
}  // namespace pliant::embedded_contact_test
