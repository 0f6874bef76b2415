#pragma once

// From a kernel of one element, a template over its scalar, to functions of packs of elements. Every kernel
// that this is used for takes seconds to compile, which is why nothing else is a template over it.

#include <memory>
#include <utility>

#include "pliant/base/pack.hpp"
#include "pliant/kernel/small.hpp"
#include "pliant/potential/element_functions.hpp"

namespace pliant {

/// How many elements at once energies and gradients are worked on for; as Hessians, unless the kernel says
/// otherwise.
template <class Kernel>
constexpr Width value_width() {
  if constexpr (requires { Kernel::kValueWidth; })
    return Kernel::kValueWidth;
  else
    return Kernel::kWidth;
}

/// The functions of a kernel for elements in packs T.
template <class Kernel, class T>
struct Packed {
  static constexpr int kCorners = Kernel::kCorners, kBlocks = kCorners * (kCorners + 1) / 2;
  static_assert(kCorners <= kMostCorners && Kernel::kRest <= kMostRest && kWidestPack % kLanes<T> == 0);

  T rest[Kernel::kRest];
  Small3<T> corners[kCorners];

  PLIANT_KERNEL Packed(const ElementRecords& from, Index place) {
    for (int k = 0; k < Kernel::kRest; ++k)
      rest[k] = load<T>(&from.rest[from.start[k] + from.step[k] * place]);
    for (int a = 0; a < kCorners; ++a)
      for (int i = 0; i < 3; ++i) corners[a][i] = load_at<T>(from.x + i, &from.dofs[a * from.stride + place]);
  }

  static void energy(const void* kernel, const ElementRecords& from, Index place, double* energies) {
    const Packed at(from, place);
    store(static_cast<const Kernel*>(kernel)->energy(at.rest, at.corners), energies);
  }
  static void gradient(const void* kernel, const ElementRecords& from, Index place, double* energies,
                       double* gradient) {
    const Packed at(from, place);
    Small3<T> forces[kCorners];
    store(static_cast<const Kernel*>(kernel)->gradient(at.rest, at.corners, forces), energies);
    for (int a = 0; a < kCorners; ++a)
      for (int i = 0; i < 3; ++i) store(forces[a][i], gradient + (3 * a + i) * kLanes<T>);
  }
  static void hessian(const void* kernel, const ElementRecords& from, Index place, Definiteness definiteness,
                      double* entries) {
    const Packed at(from, place);
    Small33<T> blocks[kBlocks];
    static_cast<const Kernel*>(kernel)->hessian(at.rest, at.corners, definiteness, blocks);
    for (int k = 0; k < kBlocks; ++k)
      for (int e = 0; e < 9; ++e) store(blocks[k](e / 3, e % 3), entries + (9 * k + e) * kLanes<T>);
  }
};

template <class Kernel>
void kernel_proxy(const void* kernel, const StretchRange& range, Index count, const double* rest,
                  double* entries) {
  constexpr int kBlocks = Kernel::kCorners * (Kernel::kCorners + 1) / 2;
  typename Kernel::Proxy of_element(*static_cast<const Kernel*>(kernel), range);
  for (Index e = 0; e < count; ++e) of_element(rest + e * Kernel::kRest, entries + e * kBlocks);
}

/// With T for Hessians and E for energies and gradients: the same bits whatever they are. What the kernel
/// refers to is `kept` as long as the functions are.
template <class Kernel, class T = PackOfWidth<Kernel::kWidth>, class E = PackOfWidth<value_width<Kernel>()>>
ElementFunctions element_functions(const Kernel& kernel = {}, std::shared_ptr<const void> kept = nullptr) {
  const auto held =
      std::make_shared<const std::pair<Kernel, std::shared_ptr<const void>>>(kernel, std::move(kept));
  ElementFunctions functions{.name = Kernel::kName,
                             .corners = Kernel::kCorners,
                             .rest = Kernel::kRest,
                             .volume = Kernel::kVolume,
                             .kernel = {held, &held->first},
                             .value_lanes = kLanes<E>,
                             .lanes = kLanes<T>,
                             .energy = &Packed<Kernel, E>::energy,
                             .gradient = &Packed<Kernel, E>::gradient,
                             .hessian = &Packed<Kernel, T>::hessian,
                             .projective = Kernel::kProjective};
  if constexpr (requires { typename Kernel::Proxy; }) functions.proxy = &kernel_proxy<Kernel>;
  return functions;
}

}  // namespace pliant
