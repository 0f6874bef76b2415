#include "pliant/potential/solid.hpp"

#include <set>

#include "dense.hpp"
#include "derivative_checker.hpp"
#include "errors.hpp"
#include "meshes.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/material/mooney_rivlin.hpp"
#include "potential/moduli.hpp"
#include "test_names.hpp"

namespace pliant::solid_test {
namespace {

using testing::positions;
using testing::random_vector;

struct Solid {
  TetMesh mesh;
  std::unique_ptr<Potential> potential;
  BlockPattern pattern;

  explicit Solid(std::string_view material, int cells = 2)
      : mesh(testing::cube(cells)), potential(testing::make_sample(material, mesh)) {
    std::vector<std::pair<int, int>> edges;
    potential->add_pattern(edges);
    pattern = BlockPattern(static_cast<int>(mesh.vertices.size()), edges);
    potential->attach(pattern);
  }

  Vector energies(const Vector& x, Vector* gradient = nullptr) const {
    Vector result(potential->contributions());
    potential->evaluate(x, {result.data(), static_cast<size_t>(result.size())}, gradient);
    return result;
  }
  Vector gradient(const Vector& x) const {
    Vector g = Vector::Zero(x.size());
    energies(x, &g);
    return g;
  }
  Eigen::MatrixXd hessian(const Vector& x, Definiteness definiteness) const {
    BlockMatrix H(pattern);
    potential->add_hessian(x, definiteness, H);
    Eigen::MatrixXd dense(x.size(), x.size());
    Vector column;
    for (Index d = 0; d < x.size(); ++d) {
      H.multiply(Vector::Unit(x.size(), d), column);
      dense.col(d) = column;
    }
    return dense;
  }
};

struct Situation {
  std::string what;
  Vector x;
  double step;  ///< over which even an energy with ridges is smooth
};

/// Near rest, deformed, stretched far, flat, mirrored, tangled, nearly collapsed.
std::vector<Situation> situations(const Solid& solid) {
  const Vector X = positions(solid.mesh), noise = random_vector(X.size(), 7);
  const auto scaled = [&](double a, double b, double c) {
    Vector x = X;
    for (Index i = 0; i < x.size(); i += 3) x.segment<3>(i).array() *= Vec3(a, b, c).array();
    return x;
  };
  return {{"near rest", X + 0.01 * noise, 1e-2},
          {"deformed", scaled(1.3, 0.8, 1.1) + 0.05 * noise, 1e-2},
          {"far", scaled(50, 3, 0.5) + noise, 1e-2},
          {"flat", scaled(1, 1, 0) + 1e-3 * noise, 1e-4},
          {"mirrored", scaled(1, 1, -1) + 0.05 * noise, 1e-3},
          {"tangled", noise, 1e-3},
          {"nearly collapsed", 1e-2 * noise, 1e-4}};
}

class SolidOf : public ::testing::TestWithParam<std::string_view> {
 protected:
  bool forbids_inversion() const { return GetParam() == "neo-hookean" || GetParam() == "mooney-rivlin"; }
  /// Energies of the stretches themselves, not of their squares and product, have ridges where elements are
  /// flat or collapsed; the extrapolated one has a third derivative that jumps at its limit, and limits of
  /// strain a second.
  double smooth(double step) const {
    if (GetParam() == "extrapolated-neo-hookean" || has_limits()) return std::min(step, 1e-3);
    constexpr std::string_view kRidged[] = {"fixed-corotated", "corotated", "as-rigid-as-possible",
                                            "polynomial", "spline"};
    return std::find(std::begin(kRidged), std::end(kRidged), GetParam()) != std::end(kRidged) ? step : 1e-2;
  }
  /// Within its limits nothing resists, and there is nothing to check.
  bool has_limits() const { return GetParam() == "strain-limited"; }
  bool usable(const Solid& solid, const Vector& x) const {
    const Vector energies = solid.energies(x);
    return energies.allFinite() && (!has_limits() || energies.norm() > 0);
  }
};

TEST_P(SolidOf, GradientMatchesDifferencesOfEnergyEverywhere) {
  const Solid solid(GetParam());
  int checked = 0;
  for (const auto& [what, x, step] : situations(solid)) {
    if (!usable(solid, x)) continue;
    ++checked;
    const Vector d = random_vector(x.size(), 11);
    const Vector slope = Vector::Constant(1, solid.gradient(x).dot(d));
    EXPECT_TRUE(testing::check_derivative(
        [&](double t) { return Vector::Constant(1, solid.energies(x + t * d).sum()); }, slope,
        {.step = smooth(step), .tolerance = 1e-5}))
        << what;
  }
  EXPECT_GE(checked, forbids_inversion() ? 2 : has_limits() ? 6 : 7);
}

TEST_P(SolidOf, HessianMatchesDifferencesOfGradientEverywhere) {
  const Solid solid(GetParam());
  for (const auto& [what, x, step] : situations(solid)) {
    if (!usable(solid, x)) continue;
    const Vector d = random_vector(x.size(), 13);
    const Vector slope = solid.hessian(x, Definiteness::none) * d;
    // Its own derivative jumps at a limit of strain: no stretch may pass one within a step.
    const double shorter = has_limits() ? 0.2 : 1;
    EXPECT_TRUE(testing::check_derivative([&](double t) { return solid.gradient(x + t * d); }, slope,
                                          {.step = shorter * smooth(step), .tolerance = 1e-5}))
        << what;
  }
}

TEST_P(SolidOf, HessianIsSymmetric) {
  const Solid solid(GetParam());
  for (const auto& [what, x, step] : situations(solid)) {
    if (!usable(solid, x)) continue;
    for (const auto definiteness : {Definiteness::none, Definiteness::clamp, Definiteness::abs}) {
      const Eigen::MatrixXd H = solid.hessian(x, definiteness);
      EXPECT_LE((H - H.transpose()).norm(), 1e-12 * H.norm()) << what;
    }
  }
}

TEST_P(SolidOf, ProjectedHessianHasNoNegativeEigenvalue) {
  const Solid solid(GetParam());
  bool was_indefinite = false;
  for (const auto& [what, x, step] : situations(solid)) {
    if (!usable(solid, x)) continue;
    const auto lowest = [&](Definiteness definiteness) {
      const Eigen::VectorXd e = testing::eigenvalues(solid.hessian(x, definiteness));
      return e[0] / std::max(e.cwiseAbs().maxCoeff(), 1e-300);
    };
    was_indefinite |= lowest(Definiteness::none) < -1e-6;
    EXPECT_GT(lowest(Definiteness::clamp), -1e-12) << what;
    EXPECT_GT(lowest(Definiteness::abs), -1e-12) << what;
  }
  EXPECT_TRUE(was_indefinite) << "nothing to project in any state";
}

TEST_P(SolidOf, ProjectionLeavesADefiniteElementAlone) {
  const Solid solid(GetParam());
  Vector x = positions(solid.mesh);
  for (Index i = 0; i < x.size(); i += 3) x.segment<3>(i).array() *= Vec3(1.2, 1.15, 1.1).array();
  const Eigen::MatrixXd H = solid.hessian(x, Definiteness::none);
  EXPECT_LT((H - solid.hessian(x, Definiteness::clamp)).norm(), 1e-14 * H.norm());
}

TEST(StrainLimited, ResistsBeyondItsLimitsAlone) {
  const Solid solid("strain-limited");
  const Lame moduli = testing::sample_moduli();
  const auto stretched = [&](double a, double b, double c) {
    Vector x = positions(solid.mesh);
    for (Index i = 0; i < x.size(); i += 3) x.segment<3>(i).array() *= Vec3(a, b, c).array();
    return x;
  };
  const Vector within = stretched(1.149, 0.901, 1);
  EXPECT_EQ(solid.energies(within).norm(), 0);
  EXPECT_EQ(solid.gradient(within).norm(), 0);
  // mu times the squared distance to the nearest stretches allowed, of a unit cube.
  const double beyond = 0.15 * 0.15 + 0.1 * 0.1;
  EXPECT_NEAR(solid.energies(stretched(1.3, 1, 0.8)).sum(), moduli.mu * beyond, 1e-9);
}

TEST_P(SolidOf, ForcesAddUpToNothingAndDoNotTurn) {
  const Solid solid(GetParam());
  for (const auto& [what, x, step] : situations(solid)) {
    if (!usable(solid, x)) continue;
    const Vector g = solid.gradient(x);
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    for (Index i = 0; i < x.size(); i += 3) {
      force += g.segment<3>(i);
      torque += Vec3(x.segment<3>(i)).cross(Vec3(g.segment<3>(i)));
    }
    EXPECT_LT(force.norm(), 1e-12 * g.norm()) << what;
    EXPECT_LT(torque.norm(), 1e-11 * g.norm() * x.cwiseAbs().maxCoeff()) << what;
  }
}

TEST_P(SolidOf, HasTheSameBitsForAnyNumberOfThreads) {
  const Solid solid(GetParam(), 9);
  const Vector x = positions(solid.mesh) + 0.02 * random_vector(3 * std::ssize(solid.mesh.vertices), 17);
  const auto all = [&](int count) {
    set_threads(count);
    BlockMatrix H(solid.pattern);
    solid.potential->add_hessian(x, Definiteness::clamp, H);
    Vector product;
    H.multiply(x, product);
    return std::tuple(solid.energies(x), solid.gradient(x), product);
  };
  const auto one = all(1);
  EXPECT_EQ(all(2), one);
  EXPECT_EQ(all(5), one);
  set_threads(0);
}

std::vector<std::string_view> names_of_materials() {
  std::vector<std::string_view> names;
  for (const SolidMaterial& material : solid_materials()) names.push_back(material.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, SolidOf, ::testing::ValuesIn(names_of_materials()),
                         [](const auto& parameter) { return testing::as_test_name(parameter.param); });

TEST(Solid, EnergyOfAStretchedCubeIsTheDensityTimesItsVolume) {
  const Solid solid("fixed-corotated", 3);
  Vector x = positions(solid.mesh);
  for (Index i = 0; i < x.size(); i += 3) x[i] *= 1.5;
  const Lame l = lame(1e3, 0.3);
  EXPECT_NEAR(solid.energies(x).sum(), l.mu * 0.25 + l.lambda / 2 * 0.25, 1e-10);
}

TEST(Solid, MooneyRivlinTakesItsModuliFromTheLameParameters) {
  // Simple shear by g keeps the volume and adds g^2 to both invariants, whatever the share of c01; a stretch
  // tells the two apart.
  const TetMesh mesh = testing::cube(2);
  const auto energy = [&](double c01_share, const Mat3& F) {
    const auto potential = make_solid("mooney-rivlin", mesh, 0, lame(1e3, 0.3), MooneyRivlinShare{c01_share});
    Vector x = positions(mesh), energies(potential->contributions());
    for (Index i = 0; i < x.size(); i += 3) x.segment<3>(i) = F * Vec3(x.segment<3>(i));
    potential->evaluate(x, {energies.data(), static_cast<size_t>(energies.size())}, nullptr);
    return energies.sum();
  };
  const Lame l = lame(1e3, 0.3);
  const Mat3 growth = 1.1 * Mat3::Identity();
  Mat3 shear = Mat3::Identity(), stretch = Vec3(2, std::sqrt(0.5), std::sqrt(0.5)).asDiagonal();
  shear(0, 1) = 0.3;
  for (const double share : {0.0, 0.2, 1.0}) {
    EXPECT_NEAR(energy(share, shear), l.mu / 2 * 0.09, 1e-9 * l.mu) << share;
    EXPECT_NEAR(energy(share, growth), (l.lambda + 2 * l.mu / 3) / 2 * std::pow(1.331 - 1, 2), 1e-9 * l.mu);
    // I_C = 4 + 1/2 + 1/2, II_C = 2 + 2 + 1/4
    EXPECT_NEAR(energy(share, stretch), l.mu / 2 * ((1 - share) * 2 + share * 1.25), 1e-9 * l.mu) << share;
  }
}

TEST(Solid, RefusesParametersThatAreWrongOrOfAnotherMaterial) {
  const auto make = [](std::string_view material, const Parameters& own) {
    return make_solid(material, testing::cube(1), 0, lame(1, 0.3), own);
  };
  EXPECT_ERROR(InputError, "c01_share = 1.5 is out of range, it must be at least 0 and at most 1",
               make("mooney-rivlin", MooneyRivlinShare{1.5}));
  EXPECT_ERROR(InputError, "stretch_min must not be above stretch_max",
               make("strain-limited", StrainLimit{.low = 1.1, .high = 0.9}));
  EXPECT_ERROR(InputError, "the parameters are those of strain-limited, and the model is mooney-rivlin",
               make("mooney-rivlin", StrainLimit()));
  EXPECT_ERROR(InputError, "the parameters are those of strain-limited, and the model is corotated",
               make("corotated", StrainLimit()));
  EXPECT_ERROR(InputError, "the parameters are of no material", make("corotated", 0.3));
  EXPECT_ERROR(InputError, "model = \"spline\" needs control points", make("spline", {}));
  EXPECT_ERROR(InputError, "control points are pairs of a place and a value",
               make("spline", SplineParameters{SplinePoints{{0.5, -1e4, 1}, {}, {}}}));
}

TEST(Solid, SaysWhatItsParametersAreSetTo) {
  const SolidMaterial& spline = *find_solid("spline");
  EXPECT_EQ(settings_of(spline, {}), std::vector<Setting>());
  const SplineParameters points{SplinePoints{{0.5, -1e4, 1, 0.1}, {}, {}}};
  EXPECT_EQ(
      settings_of(spline, points),
      (std::vector<Setting>{{"spline.a", "[0.5, -10000, 1, 0.1]"}, {"spline.b", "[]"}, {"spline.c", "[]"}}));
  EXPECT_EQ(changed_keys(spline, points), std::vector<std::string>{"spline"});
  const SolidMaterial& limited = *find_solid("strain-limited");
  EXPECT_EQ(changed_keys(limited, limited.initial), std::vector<std::string>());
  EXPECT_EQ(changed_keys(limited, StrainLimit{.low = 1, .high = 1.2}),
            std::vector<std::string>{"stretch_max"});
}

/// Scene files know them all by one name each.
TEST(Solid, HasNoKeyOfAnotherMaterial) {
  std::set<std::string> keys;
  for (const SolidMaterial& material : solid_materials()) {
    const Parameters own = testing::sample_parameters(material.name);
    for (const Setting& setting : settings_of(material, own))
      EXPECT_TRUE(keys.insert(setting.key).second) << material.name << ": " << setting.key;
  }
  EXPECT_TRUE(keys.contains("c01_share") && keys.contains("stretch_min") && keys.contains("spline.a"));
}

TEST(Solid, RefusesAnUnknownMaterialByName) {
  EXPECT_ERROR(InputError, "no material is called 'jelly'",
               make_solid("jelly", testing::cube(1), 0, lame(1, 0.3)));
}

}  // namespace
}  // namespace pliant::solid_test
