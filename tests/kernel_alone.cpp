// Compiles every kernel for plain doubles, and nothing else; a program is not made of it. All of it is worked
// out by the compiler, which for that needs PLIANT_KERNEL on every function on the way, as a compiler for
// GPUs does.
#undef PLIANT_KERNEL
#define PLIANT_KERNEL constexpr inline
#define PLIANT_KERNEL_CALL constexpr inline

#include "pliant/kernel/as_rigid_as_possible.hpp"
#include "pliant/kernel/corotated.hpp"
#include "pliant/kernel/extrapolated_neo_hookean.hpp"
#include "pliant/kernel/fibre.hpp"
#include "pliant/kernel/fixed_corotated.hpp"
#include "pliant/kernel/hex_solid.hpp"
#include "pliant/kernel/hinge.hpp"
#include "pliant/kernel/membrane.hpp"
#include "pliant/kernel/mooney_rivlin.hpp"
#include "pliant/kernel/neo_hookean.hpp"
#include "pliant/kernel/plane_solid.hpp"
#include "pliant/kernel/polynomial.hpp"
#include "pliant/kernel/spring.hpp"
#include "pliant/kernel/st_venant_kirchhoff.hpp"
#include "pliant/kernel/stable_neo_hookean.hpp"
#include "pliant/kernel/strain_limit.hpp"
#include "pliant/kernel/turned_linear.hpp"
#include "pliant/kernel/valanis_landel.hpp"
#include "pliant/kernel/volume.hpp"

#if defined(EIGEN_WORLD_VERSION) || defined(_IMMINTRIN_H_INCLUDED)
#error "kernels may not bring in Eigen nor packs"
#endif

namespace pliant {
namespace {

/// Whether the compiler can work out everything that a material does with some stretches, and with F.
template <class Material>
constexpr bool is_worked_out(const Material& material = {}) {
  const LameOf<double> moduli{3, 7};
  const Small3<double> stretches[3] = {{1.5, 1, 0.5}, {1, 0.5, 0}, {2, 1, -0.5}};
  for (int k = 0; k < 3; ++k) {
    if constexpr (std::is_same_v<Material, MooneyRivlin> || std::is_same_v<Material, NeoHookean>)
      if (k > 0) continue;  // its numbers overflow there
    static_cast<void>(material.energy(moduli, stretches[k]));
    static_cast<void>(material.gradient(moduli, stretches[k]));
    StretchHessian<double> h = material.hessian(moduli, stretches[k]);
    make_definite(h, Definiteness::clamp);
  }
  Small33<double> stress{};
  const Small33<double> F{{{1.5, 0.25, 0}, {0, 1, 0}, {0, 0, 0.5}}};
  static_cast<void>(energy_density(material, moduli, F, &stress));
  return true;
}

/// The same of an element whose corner 3 is at this height; edges lie along axes, so that the decomposition
/// has nothing to do.
template <class Kernel>
constexpr bool has_all(const Kernel& kernel, double height) {
  double rest[Kernel::kRest] = {};
  for (int k = 0; k < Kernel::kRest; ++k) rest[k] = k % 4 == 0 || k >= 9 ? 1.0 : 0.0;
  Small3<double> x[Kernel::kCorners] = {}, gradient[Kernel::kCorners] = {};
  for (int a = 0; a < Kernel::kCorners; ++a) {
    const bool brick = Kernel::kCorners == 8;
    x[a] = {brick ? a & 1 : double(a == 1), brick ? a >> 1 & 1 : double(a == 2),
            height * (brick ? a >> 2 : double(a == 3))};
  }
  Small33<double> blocks[Kernel::kCorners * (Kernel::kCorners + 1) / 2] = {};
  static_cast<void>(kernel.energy(rest, x));
  static_cast<void>(kernel.gradient(rest, x, gradient));
  for (int how = 0; how < 3; ++how) kernel.hessian(rest, x, static_cast<Definiteness>(how), blocks);
  return true;
}

static_assert(is_worked_out<FixedCorotated>() && is_worked_out<StVenantKirchhoff>());
static_assert(is_worked_out<NeoHookean>() && is_worked_out<StableNeoHookean>());
static_assert(is_worked_out<ExtrapolatedNeoHookean>() && is_worked_out<MooneyRivlin>());
static_assert(is_worked_out<Corotated>() && is_worked_out<TurnedLinear>());
static_assert(is_worked_out<AsRigidAsPossible>() && is_worked_out<Polynomial>());
static_assert(is_worked_out(StrainLimit{0.9, 1.1}) && is_worked_out<KeptVolume>());

constexpr SplinePiece kPieces[] = {{0, 0, {1, 2, 0, 0}}, {0, 0, {1, 2, 3, 4}}, {1, 2, {3, 4, 0, 0}}};
constexpr SplinePieces kSpline{kPieces, 3};
static_assert(is_worked_out(SplineMaterial{kSpline, kSpline, kSpline}));

static_assert(has_all(Spring(), 1) && has_all(Hinge(), 1) && has_all(Fibre(), 1));
static_assert(has_all(TetSolid<FixedCorotated>(), 1) && has_all(TetSolid<FixedCorotated>(), 0));
static_assert(has_all(TetSolid<NeoHookean>(), 1) && has_all(TetSolid<StableNeoHookean>(), 1));
static_assert(has_all(TetSolid<Corotated>(), 1) && has_all(TetSolid<TurnedLinear>(), 0));
static_assert(has_all(HexSolid<FixedCorotated>(), 1) && has_all(HexSolid<NeoHookean>(), 1));
static_assert(has_all(PlaneSolid<FixedCorotated>(), 1));
static_assert(has_all(Membrane<FixedCorotated>(), 1) && has_all(Membrane<AsRigidAsPossible>(), 1));

}  // namespace
}  // namespace pliant
