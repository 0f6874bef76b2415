#pragma once

// Products with the dense panels of a supernodal factor for three right-hand sides. Rows are taken sixteen at
// a time: a group of a panel lies column by column, sixteen rows each, so that one walk through memory serves
// x, y and z. The number is fixed, hence the same bits on every machine.

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "pliant/base/pack.hpp"
#include "pliant/base/types.hpp"

namespace pliant {

inline constexpr int kGroup = 16;   ///< rows
inline constexpr int kColumns = 4;  ///< worked on at once when the panel is used transposed

template <class Real>
struct Group {
  using Place = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;
  typedef Real Lanes __attribute__((vector_size(kGroup * sizeof(Real))));
  typedef Place Places __attribute__((vector_size(kGroup * sizeof(Real))));

  PLIANT_KERNEL static Lanes load(const Real* from) {
    Lanes lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    return lanes;
  }
  PLIANT_KERNEL static void store(const Lanes& lanes, Real* to) { std::memcpy(to, &lanes, sizeof lanes); }

  /// The sums over the lanes of sixteen groups, in the lanes of the first.
  PLIANT_KERNEL static void sum_lanes(Lanes* v) {
    constexpr Places kFirst[4] = {{0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30},
                                  {0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29},
                                  {0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27},
                                  {0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23}};
    for (int level = 0; level < 4; ++level) {
      const Places second = kFirst[level] + (Place{1} << level);
      for (int k = 0; k < 8 >> level; ++k)
        v[k] = __builtin_shuffle(v[2 * k], v[2 * k + 1], kFirst[level]) +
               __builtin_shuffle(v[2 * k], v[2 * k + 1], second);
    }
  }
};

/// Three vectors, each in one piece.
template <class Real>
struct Triple {
  Real* at[3];
  Triple operator+(Index offset) const { return {{at[0] + offset, at[1] + offset, at[2] + offset}}; }
};

/// to -= P y for kCount groups of rows, `stride` numbers apart.
template <class Real, int kCount>
PLIANT_KERNEL void subtract_groups(const Real* panel, Index stride, int width, const Triple<Real>& y,
                                   const Triple<Real>& to) {
  using G = Group<Real>;
  typename G::Lanes sum[kCount][3] = {};
  for (int k = 0; k < width; ++k) {
    const Real v[3] = {y.at[0][k], y.at[1][k], y.at[2][k]};
    for (int g = 0; g < kCount; ++g) {
      const typename G::Lanes column = G::load(panel + g * stride + k * kGroup);
      for (int c = 0; c < 3; ++c) sum[g][c] += column * v[c];
    }
  }
  for (int g = 0; g < kCount; ++g)
    for (int c = 0; c < 3; ++c) {
      Real* place = to.at[c] + g * kGroup;
      G::store(G::load(place) - sum[g][c], place);
    }
}

/// to -= P y for `groups` groups of rows, one after another.
template <class Real>
void subtract_product(const Real* panel, Index groups, int width, const Triple<Real>& y,
                      const Triple<Real>& to) {
  const Index stride = Index{width} * kGroup;
  Index g = 0;
  for (; g + 4 <= groups; g += 4)
    subtract_groups<Real, 4>(panel + g * stride, stride, width, y, to + g * kGroup);
  for (; g < groups; ++g) subtract_groups<Real, 1>(panel + g * stride, stride, width, y, to + g * kGroup);
}

/// sum += P^T x for `count` columns, at most kColumns, over `groups` groups of rows; `column_of(g)` is where
/// the first of these columns lies in group g.
template <class Real, class ColumnOf>
PLIANT_KERNEL void add_columns(Index groups, int count, const ColumnOf& column_of, const Triple<Real>& x,
                               const Triple<Real>& sum) {
  using G = Group<Real>;
  typename G::Lanes part[kGroup] = {};
  const auto add = [&](auto columns) {
    for (Index g = 0; g < groups; ++g) {
      typename G::Lanes v[3];
      for (int c = 0; c < 3; ++c) v[c] = G::load(x.at[c] + g * kGroup);
      const Real* from = column_of(g);
      for (int k = 0; k < columns; ++k) {
        const typename G::Lanes column = G::load(from + k * kGroup);
        for (int c = 0; c < 3; ++c) part[kColumns * c + k] += column * v[c];
      }
    }
  };
  switch (count) {
    case 1:
      add(std::integral_constant<int, 1>());
      break;
    case 2:
      add(std::integral_constant<int, 2>());
      break;
    case 3:
      add(std::integral_constant<int, 3>());
      break;
    default:
      add(std::integral_constant<int, kColumns>());
  }
  G::sum_lanes(part);
  for (int c = 0; c < 3; ++c)
    for (int k = 0; k < count; ++k) sum.at[c][k] += part[0][kColumns * c + k];
}

/// sum += P^T x for the columns [first, last) of a panel.
template <class Real>
void add_transposed_product(const Real* panel, Index groups, int width, int first, int last,
                            const Triple<Real>& x, const Triple<Real>& sum) {
  for (int k = first; k < last; k += kColumns)
    add_columns<Real>(
        groups, std::min(kColumns, last - k), [&](Index g) { return panel + (g * width + k) * kGroup; }, x,
        sum + k);
}

}  // namespace pliant
