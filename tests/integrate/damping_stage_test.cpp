// The matrix of stiffness damping is made for stages that have velocities, and for these always.
#include "integrate/scenes.hpp"

namespace pliant::damping_stage_test {
namespace {

using testing::Cube;
using testing::random_vector;

/// Counts how often its Hessian is asked for.
class Counting final : public Potential {
 public:
  Counting(const Potential& of, int& count) : of_(of), count_(count) {}
  Index contributions() const override { return of_.contributions(); }
  void evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const override {
    of_.evaluate(x, energies, gradient);
  }
  void add_hessian(const Vector& x, Definiteness definiteness, BlockMatrix& hessian) const override {
    ++count_;
    of_.add_hessian(x, definiteness, hessian);
  }
  void add_pattern(std::vector<std::pair<int, int>>& edges) const override { of_.add_pattern(edges); }
  std::unique_ptr<Potential> sub_model(const SubModel&) const override { return nullptr; }

 private:
  const Potential& of_;
  int& count_;
};

struct Damped {
  Cube cube;
  int made = 0;
  Counting elastic{*cube.model.terms[0].potential, made};
  StiffnessDamping damping{{&elastic}, 0.1};

  Damped() { damping.attach(cube.model.pattern); }

  void begin(const Vector& x_step, double c_v) {
    Stage stage;
    stage.c_v = c_v;
    stage.x_step = stage.x_v = x_step;
    damping.begin_stage(stage);
  }
  Vector force(const Vector& x) const {
    Vector gradient = Vector::Zero(x.size()), energies(damping.contributions());
    damping.evaluate(x, {energies.data(), static_cast<size_t>(energies.size())}, &gradient);
    EXPECT_TRUE(energies.allFinite());
    return gradient;
  }
};

TEST(StiffnessDamping, MakesNoMatrixForAStageWithoutVelocities) {
  Damped damped;
  const Vector x = damped.cube.state.x, off = x + 0.1 * random_vector(x.size(), 3);
  damped.begin(x, 0);
  EXPECT_EQ(damped.made, 0);
  EXPECT_EQ(damped.force(off), Vector::Zero(x.size()));
  BlockMatrix hessian(damped.cube.model.pattern);
  hessian.set_zero();
  damped.damping.add_hessian(off, Definiteness::clamp, hessian);
  EXPECT_EQ(hessian.trace(), 0);
  EXPECT_EQ(damped.damping.power(off, off, {0, 0}).dissipated, 0);
}

TEST(StiffnessDamping, MakesItsMatrixForTheNextStageWithVelocities) {
  Damped often, once;
  const Vector x = often.cube.state.x, there = x + 0.1 * random_vector(x.size(), 3),
               off = x + 0.1 * random_vector(x.size(), 4);
  often.begin(x, 10);
  EXPECT_GT(often.force(off).norm(), 1);
  often.begin(there, 0);  // another step, without
  EXPECT_EQ(often.made, 1);
  often.begin(x, 10);  // that of the matrix that there is
  EXPECT_EQ(often.made, 1);
  often.begin(there, 0);
  often.begin(there, 10);
  EXPECT_EQ(often.made, 2);
  once.begin(there, 10);
  EXPECT_EQ(often.force(off), once.force(off));
}

}  // namespace
}  // namespace pliant::damping_stage_test
