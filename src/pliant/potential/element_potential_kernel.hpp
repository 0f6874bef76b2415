#pragma once

// From a kernel for one element to a Potential: batches over packs, coloured parallel sums, assembly into the
// block matrix.

#include <array>
#include <vector>

#include "pliant/base/pack.hpp"
#include "pliant/base/small_kernel.hpp"
#include "pliant/potential/element_schedule.hpp"
#include "pliant/potential/potential.hpp"

namespace pliant {

template <class Kernel>
class ElementPotential : public Potential {
 public:
  static constexpr int kCorners = Kernel::kCorners;
  static constexpr int kBlocks = kCorners * (kCorners + 1) / 2;
  using Corners = std::array<int, kCorners>;
  using RestData = std::array<double, Kernel::kRest>;

  /// `centers` only serve to order the elements in memory.
  ElementPotential(std::span<const Corners> corners, std::span<const RestData> rest,
                   std::span<const Vec3> centers)
      : count_(std::ssize(corners)),
        padded_((count_ + kPadding - 1) / kPadding * kPadding),
        schedule_({corners.data()->data(), corners.size() * kCorners}, kCorners, centers),
        corners_(padded_),
        rest_(padded_ * Kernel::kRest) {
    for (Index place = 0; place < padded_; ++place) {
      // Padding lanes repeat the last element with zero volume.
      const int element = schedule_.order()[std::min(place, count_ - 1)];
      corners_[place] = corners[element];
      for (int k = 0; k < Kernel::kRest; ++k) rest_[k * padded_ + place] = rest[element][k];
      if (place >= count_) rest_[Kernel::kVolume * padded_ + place] = 0;
    }
  }

  Index contributions() const override { return count_; }

  void evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const override {
    evaluate_with<Pack>(x, energies, gradient);
  }

  void add_hessian(const Vector& x, Definiteness definiteness, BlockMatrix& hessian) const override {
    add_hessian_with<Pack>(x, definiteness, hessian);
  }

  void add_pattern(std::vector<std::pair<int, int>>& edges) const override {
    for (Index place = 0; place < count_; ++place)
      for (int a = 0; a < kCorners; ++a)
        for (int b = a + 1; b < kCorners; ++b) edges.emplace_back(corners_[place][a], corners_[place][b]);
  }

  void attach(const BlockPattern& pattern) override {
    slots_.resize(count_);
    parallel_chunks(count_, 4096, [&](Index begin, Index end) {
      for (Index place = begin; place < end; ++place)
        for (int a = 0; a < kCorners; ++a)
          for (int b = 0; b < kCorners; ++b)
            slots_[place][a * kCorners + b] =
                static_cast<int>(pattern.find(corners_[place][a], corners_[place][b]));
    });
  }

  /// `evaluate` with T = double or any pack: the same bits for each.
  template <class T>
  void evaluate_with(const Vector& x, std::span<double> energies, Vector* gradient) const {
    if (gradient) {
      schedule_.for_each_chunk([&](Index begin, Index end) {
        evaluate_range<T, true>(begin, end, x, energies, gradient->data());
      });
    } else {
      parallel_chunks(count_, ElementSchedule::kChunk, [&](Index begin, Index end) {
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
        Kernel::hessian(rest, corners, definiteness, blocks);
        scatter(place, std::min<Index>(kLanes<T>, end - place), blocks, hessian);
      }
    });
  }

 private:
  template <class T>
  void gather(Index place, const Vector& x, T* rest, Small3<T>* corners) const {
    for (int k = 0; k < Kernel::kRest; ++k) rest[k] = load<T>(&rest_[k * padded_ + place]);
    double lanes[kCorners * 3][kLanes<T>];
    for (int lane = 0; lane < kLanes<T>; ++lane)
      for (int a = 0; a < kCorners; ++a)
        for (int i = 0; i < 3; ++i) lanes[3 * a + i][lane] = x[3 * Index{corners_[place + lane][a]} + i];
    for (int a = 0; a < kCorners; ++a)
      for (int i = 0; i < 3; ++i) corners[a][i] = load<T>(lanes[3 * a + i]);
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
        store(Kernel::gradient(rest, corners, forces), energy);
        double lanes[kCorners * 3][kLanes<T>];
        for (int a = 0; a < kCorners; ++a)
          for (int i = 0; i < 3; ++i) store(forces[a][i], lanes[3 * a + i]);
        for (Index lane = 0; lane < used; ++lane)
          for (int a = 0; a < kCorners; ++a)
            for (int i = 0; i < 3; ++i)
              gradient[3 * Index{corners_[place + lane][a]} + i] += lanes[3 * a + i][lane];
      } else {
        store(Kernel::energy(rest, corners), energy);
      }
      for (Index lane = 0; lane < used; ++lane) energies[schedule_.order()[place + lane]] = energy[lane];
    }
  }

  template <class T>
  void scatter(Index place, Index used, const Small33<T>* blocks, BlockMatrix& hessian) const {
    double lanes[kBlocks][9][kLanes<T>];
    for (int k = 0; k < kBlocks; ++k)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) store(blocks[k](i, j), lanes[k][3 * i + j]);
    for (Index lane = 0; lane < used; ++lane) {
      const auto& slots = slots_[place + lane];
      int k = 0;
      for (int a = 0; a < kCorners; ++a) {
        for (int b = a; b < kCorners; ++b, ++k) {
          double* upper = hessian.block(slots[a * kCorners + b]);
          for (int e = 0; e < 9; ++e) upper[e] += lanes[k][e][lane];
          if (a == b) continue;
          double* lower = hessian.block(slots[b * kCorners + a]);
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) lower[3 * i + j] += lanes[k][3 * j + i][lane];
        }
      }
    }
  }

  Index count_;
  Index padded_;
  ElementSchedule schedule_;
  std::vector<Corners> corners_;  ///< by place, padded
  std::vector<double> rest_;      ///< quantity by quantity, each by place, padded
  std::vector<std::array<int, kCorners * kCorners>> slots_;
};

}  // namespace pliant
