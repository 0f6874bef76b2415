#pragma once

// From a kernel for one element to a Potential: batches over packs, coloured parallel sums, assembly into the
// block matrix.

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <numeric>
#include <vector>

#include "pliant/base/large_array.hpp"
#include "pliant/base/pack.hpp"
#include "pliant/base/small_kernel.hpp"
#include "pliant/potential/element_schedule.hpp"
#include "pliant/potential/potential.hpp"

namespace pliant {

/// Eight doubles at once, and an 8x8 matrix of them turned around its diagonal: from an entry of eight blocks
/// to eight entries of a block.
typedef double Eight __attribute__((vector_size(64)));
typedef long long EightPlaces __attribute__((vector_size(64)));
inline constexpr EightPlaces kTransposed = {0, 3, 6, 1, 4, 7, 2, 5};  ///< of a 3x3 block; entry 8 stays

PLIANT_KERNEL Eight load_eight(const double* from) {
  Eight eight;
  std::memcpy(&eight, from, sizeof eight);
  return eight;
}
PLIANT_KERNEL void store_eight(const Eight& eight, double* to) { std::memcpy(to, &eight, sizeof eight); }

PLIANT_KERNEL void transpose_eight(Eight* r) {
  constexpr EightPlaces kEven = {0, 8, 2, 10, 4, 12, 6, 14}, kOdd = {1, 9, 3, 11, 5, 13, 7, 15};
  constexpr EightPlaces kLowPairs = {0, 1, 8, 9, 4, 5, 12, 13}, kHighPairs = {2, 3, 10, 11, 6, 7, 14, 15};
  constexpr EightPlaces kLowHalf = {0, 1, 2, 3, 8, 9, 10, 11}, kHighHalf = {4, 5, 6, 7, 12, 13, 14, 15};
  Eight s[8];
  for (int k = 0; k < 8; k += 2) {
    s[k] = __builtin_shuffle(r[k], r[k + 1], kEven);
    s[k + 1] = __builtin_shuffle(r[k], r[k + 1], kOdd);
  }
  for (int k = 0; k < 8; k += 4)
    for (int odd = 0; odd < 2; ++odd) {
      r[k + odd] = __builtin_shuffle(s[k + odd], s[k + odd + 2], kLowPairs);
      r[k + odd + 2] = __builtin_shuffle(s[k + odd], s[k + odd + 2], kHighPairs);
    }
  for (int k = 0; k < 4; ++k) {
    s[k] = __builtin_shuffle(r[k], r[k + 4], kLowHalf);
    s[k + 4] = __builtin_shuffle(r[k], r[k + 4], kHighHalf);
  }
  for (int k = 0; k < 8; ++k) r[k] = s[k];
}

/// What a kernel's energies and gradients are worked on with; as its Hessians, unless it says otherwise.
template <class Kernel>
struct EvaluationLanesOf {
  using type = typename Kernel::Lanes;
};
template <class Kernel>
requires requires { typename Kernel::EvaluationLanes; }
struct EvaluationLanesOf<Kernel> {
  using type = typename Kernel::EvaluationLanes;
};

template <class Kernel>
class ElementPotential : public Potential {
 public:
  static constexpr int kCorners = Kernel::kCorners;
  static constexpr int kBlocks = kCorners * (kCorners + 1) / 2;
  using Corners = std::array<int, kCorners>;
  using RestData = std::array<double, Kernel::kRest>;

  /// `order` is that of the elements in memory.
  ElementPotential(std::span<const Corners> corners, std::span<const RestData> rest, std::vector<int> order,
                   const Kernel& kernel = {})
      : kernel_(kernel),
        count_(std::ssize(corners)),
        padded_((count_ + kPadding - 1) / kPadding * kPadding),
        schedule_({corners.data()->data(), corners.size() * kCorners}, kCorners, std::move(order)),
        dofs_(padded_ * kCorners) {
    Index size = 0;
    for (int k = 0; k < Kernel::kRest; ++k) {
      const auto same = [&](const RestData& data) { return data[k] == rest[0][k]; };
      rest_start_[k] = size;
      rest_step_[k] = k == Kernel::kVolume || !std::all_of(rest.begin(), rest.end(), same);
      size += rest_step_[k] ? padded_ : kPadding;
    }
    rest_.resize(size);
    for (Index place = 0; place < padded_; ++place) {
      // Padding lanes repeat the last element with zero volume.
      const int element = schedule_.order()[std::min(place, count_ - 1)];
      for (int a = 0; a < kCorners; ++a) dofs_[a * padded_ + place] = 3 * corners[element][a];
      for (int k = 0; k < Kernel::kRest; ++k) {
        if (rest_step_[k]) rest_[rest_start_[k] + place] = rest[element][k];
        if (!rest_step_[k] && place < kPadding) rest_[rest_start_[k] + place] = rest[0][k];
      }
      if (place >= count_) rest_[rest_start_[Kernel::kVolume] + place] = 0;
    }
  }

  Index contributions() const override { return count_; }
  double roundoff() const override { return roundoff_; }
  void set_roundoff(double energy) { roundoff_ = energy; }

  void evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const override {
    evaluate_with<typename EvaluationLanesOf<Kernel>::type>(x, energies, gradient);
  }

  void add_hessian(const Vector& x, Definiteness definiteness, BlockMatrix& hessian) const override {
    add_hessian_with<typename Kernel::Lanes>(x, definiteness, hessian);
  }

  void add_proxy(const StretchRange& range, ScalarMatrix& proxy) const override {
    typename Kernel::Proxy of_element(kernel_, range);
    for (Index place = 0; place < count_; ++place) {
      double rest[Kernel::kRest], entries[kBlocks];
      for (int k = 0; k < Kernel::kRest; ++k) rest[k] = rest_of(place, k);
      of_element(rest, entries);
      for (int k = 0; k < kBlocks; ++k) proxy[slots_[place][k] / 2] += entries[k];
    }
  }
  bool is_projective() const override { return Kernel::kProjective; }

  void add_pattern(std::vector<std::pair<int, int>>& edges) const override {
    for (Index place = 0; place < count_; ++place)
      for (int a = 0; a < kCorners; ++a)
        for (int b = a + 1; b < kCorners; ++b) edges.emplace_back(corner(place, a), corner(place, b));
  }

  void attach(const BlockPattern& pattern) override {
    slots_.resize(count_);
    parallel_chunks(count_, 4096, [&](Index begin, Index end) {
      for (Index place = begin; place < end; ++place) {
        int k = 0;
        for (int a = 0; a < kCorners; ++a)
          for (int b = a; b < kCorners; ++b, ++k) {
            const BlockPattern::Place found = pattern.find(corner(place, a), corner(place, b));
            slots_[place][k] = 2 * static_cast<unsigned>(found.block) + (found.transposed ? 1 : 0);
          }
      }
    });
  }

  std::unique_ptr<Potential> piece(const Piece& piece) const override {
    std::call_once(touching_made_, [&] { make_touching(); });
    std::vector<int> places;
    for (size_t i = 0; i < piece.vertices.size(); ++i) {
      const int vertex = piece.vertices[i];
      if (!piece.free[i] || vertex + 1 >= std::ssize(touching_start_)) continue;
      places.insert(places.end(), touching_.begin() + touching_start_[vertex],
                    touching_.begin() + touching_start_[vertex + 1]);
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    if (places.empty()) return nullptr;
    // The elements keep the order of their numbers, and that of their places, which is a good one already.
    std::vector<int> order(places.size()), by_number(places.size());
    std::iota(by_number.begin(), by_number.end(), 0);
    const auto number = [&](int k) { return schedule_.order()[places[k]]; };
    std::sort(by_number.begin(), by_number.end(), [&](int a, int b) { return number(a) < number(b); });
    std::vector<Corners> corners(places.size());
    std::vector<RestData> rest(places.size());
    for (size_t k = 0; k < places.size(); ++k) {
      const int place = places[by_number[k]];
      for (int a = 0; a < kCorners; ++a) corners[k][a] = piece.local(corner(place, a));
      for (int e = 0; e < Kernel::kRest; ++e) rest[k][e] = rest_of(place, e);
      order[by_number[k]] = static_cast<int>(k);
    }
    auto made = std::make_unique<ElementPotential>(corners, rest, std::move(order), kernel_);
    made->set_roundoff(roundoff_ * (static_cast<double>(places.size()) / static_cast<double>(count_)));
    return made;
  }

  /// `evaluate` with T = double or any pack: the same bits for each.
  template <class T>
  void evaluate_with(const Vector& x, std::span<double> energies, Vector* gradient) const {
    if (gradient) {
      schedule_.for_each_chunk([&](Index begin, Index end) {
        evaluate_range<T, true>(begin, end, x, energies, gradient->data());
      });
    } else {
      parallel_chunks(count_, schedule_.chunk(), [&](Index begin, Index end) {
        evaluate_range<T, false>(begin, end, x, energies, nullptr);
      });
    }
  }

  template <class T>
  void add_hessian_with(const Vector& x, Definiteness definiteness, BlockMatrix& hessian) const {
    schedule_.for_each_chunk([&](Index begin, Index end) {
      for (Index place = begin; place < end; place += kLanes<T>) {
        T rest[Kernel::kRest];
        Small3<T> corners[kCorners];
        gather(place, x, rest, corners);
        Small33<T> blocks[kBlocks];
        kernel_.hessian(rest, corners, definiteness, blocks);
        scatter(place, std::min<Index>(kLanes<T>, end - place), blocks, hessian);
      }
    });
  }

 private:
  int corner(Index place, int a) const { return dofs_[a * padded_ + place] / 3; }
  double rest_of(Index place, int k) const { return rest_[rest_start_[k] + rest_step_[k] * place]; }

  template <class T>
  void gather(Index place, const Vector& x, T* rest, Small3<T>* corners) const {
    for (int k = 0; k < Kernel::kRest; ++k) rest[k] = load<T>(&rest_[rest_start_[k] + rest_step_[k] * place]);
    for (int a = 0; a < kCorners; ++a)
      for (int i = 0; i < 3; ++i) corners[a][i] = load_at<T>(x.data() + i, &dofs_[a * padded_ + place]);
  }

  template <class T, bool kGradient>
  void evaluate_range(Index begin, Index end, const Vector& x, std::span<double> energies,
                      double* gradient) const {
    for (Index place = begin; place < end; place += kLanes<T>) {
      T rest[Kernel::kRest];
      Small3<T> corners[kCorners];
      gather(place, x, rest, corners);
      const Index used = std::min<Index>(kLanes<T>, end - place);
      double energy[kLanes<T>];
      if constexpr (kGradient) {
        Small3<T> forces[kCorners];
        store(kernel_.gradient(rest, corners, forces), energy);
        double lanes[kCorners * 3][kLanes<T>];
        for (int a = 0; a < kCorners; ++a)
          for (int i = 0; i < 3; ++i) store(forces[a][i], lanes[3 * a + i]);
        for (Index lane = 0; lane < used; ++lane)
          for (int a = 0; a < kCorners; ++a) {
            double* to = gradient + dofs_[a * padded_ + place + lane];
            for (int i = 0; i < 3; ++i) to[i] += lanes[3 * a + i][lane];
          }
      } else {
        store(kernel_.energy(rest, corners), energy);
      }
      for (Index lane = 0; lane < used; ++lane) energies[schedule_.order()[place + lane]] = energy[lane];
    }
  }

  /// Adds the blocks of `used` elements to the matrix, each a lane of the packs; element by element, so that
  /// the sums do not depend on the width.
  template <class T>
  void scatter(Index place, Index used, const Small33<T>* blocks, BlockMatrix& hessian) const {
    double entries[kBlocks][9][kLanes<T>];
    for (int k = 0; k < kBlocks; ++k)
      for (int e = 0; e < 9; ++e) store(blocks[k](e / 3, e % 3), entries[k][e]);
    if constexpr (kLanes<T> % 8 == 0) {
      for (Index first = 0; first < used; first += 8) {
        Eight rows[kBlocks][8];
        for (int k = 0; k < kBlocks; ++k) {
          for (int e = 0; e < 8; ++e) rows[k][e] = load_eight(entries[k][e] + first);
          transpose_eight(rows[k]);
        }
        for (Index lane = 0; lane < std::min<Index>(8, used - first); ++lane) {
          for (int k = 0; k < kBlocks; ++k) {
            const unsigned slot = slots_[place + first + lane][k];
            double* to = hessian.block(slot / 2);
            const Eight& row = rows[k][lane];
            store_eight(load_eight(to) + (slot % 2 ? __builtin_shuffle(row, kTransposed) : row), to);
            to[8] += entries[k][8][first + lane];
          }
        }
      }
    } else {
      for (Index lane = 0; lane < used; ++lane) {
        for (int k = 0; k < kBlocks; ++k) {
          const unsigned slot = slots_[place + lane][k];
          double* to = hessian.block(slot / 2);
          for (int e = 0; e < 9; ++e) to[e] += entries[k][slot % 2 ? 3 * (e % 3) + e / 3 : e][lane];
        }
      }
    }
  }

  void make_touching() const {
    int vertices = 0;
    const auto for_each = [&](auto visit) {
      for (Index place = 0; place < count_; ++place)
        for (int a = 0; a < kCorners; ++a) visit(static_cast<int>(place), corner(place, a));
    };
    for_each([&](int, int vertex) { vertices = std::max(vertices, vertex + 1); });
    touching_start_.assign(vertices + 1, 0);
    for_each([&](int, int vertex) { ++touching_start_[vertex + 1]; });
    std::partial_sum(touching_start_.begin(), touching_start_.end(), touching_start_.begin());
    touching_.resize(kCorners * count_);
    std::vector<int> next(touching_start_.begin(), touching_start_.end() - 1);
    for_each([&](int place, int vertex) { touching_[next[vertex]++] = place; });
  }

  [[no_unique_address]] Kernel kernel_;
  Index count_;
  Index padded_;
  double roundoff_ = 0;
  ElementSchedule schedule_;
  LargeArray<int> dofs_;     ///< the first of each corner, by place, padded
  LargeArray<double> rest_;  ///< quantity by quantity, each by place, padded
  /// Where each quantity lies; one that all elements share lies there once, as wide as the widest pack.
  std::array<Index, Kernel::kRest> rest_start_, rest_step_;
  LargeArray<std::array<unsigned, kBlocks>> slots_;  ///< twice the block, plus one where it lies transposed
  mutable std::once_flag touching_made_;
  mutable std::vector<int> touching_start_, touching_;  ///< places of the elements at each vertex
};

}  // namespace pliant
