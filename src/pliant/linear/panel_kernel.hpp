#pragma once

// Products with the dense panels of a supernodal factor for three right-hand sides. Rows are taken sixteen at
// a time: a group of a panel lies column by column, sixteen rows each, so that one walk through memory serves
// x, y and z. The number and the order of its sums are fixed, hence the same bits on every machine.

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "pliant/base/pack.hpp"
#include "pliant/base/types.hpp"

namespace pliant {

inline constexpr int kGroup = 16;   ///< rows
inline constexpr int kColumns = 4;  ///< of a panel that is used transposed, taken together

/// A group as some of the machine's own vectors.
template <class Real>
struct Group {
  static constexpr int kLanes = kPackBytes / sizeof(Real);
  using Lanes = PackOf<kLanes, Real>;
  static constexpr int kPieces = kGroup / kLanes;
  /// Groups or columns whose sums for x, y and z fit into the registers.
  static constexpr int kAtOnce = std::max(1, 4 / kPieces);
  static_assert(kGroup % kLanes == 0 && kColumns % kAtOnce == 0);

  PLIANT_KERNEL static Lanes load(const Real* from) { return pliant::load<Lanes>(from); }
  PLIANT_KERNEL static void store(const Lanes& lanes, Real* to) { pliant::store(lanes, to); }
};

/// Three vectors, each in one piece.
template <class Real>
struct Triple {
  Real* at[3];
  Triple operator+(Index offset) const { return {{at[0] + offset, at[1] + offset, at[2] + offset}}; }
};

/// x, y and z of a row, and a zero: what rows of different panels have in common is gathered and scattered
/// so.
template <class Real>
struct RowOf {
  typedef Real type __attribute__((vector_size(4 * sizeof(Real))));
  typedef std::conditional_t<sizeof(Real) == 4, int, long> Place;
  typedef Place Places __attribute__((vector_size(4 * sizeof(Real))));
};
template <class Real>
using Row = typename RowOf<Real>::type;

template <class Real>
PLIANT_KERNEL Row<Real> load_row(const Real* from) {
  Row<Real> row;
  std::memcpy(&row, from, sizeof row);
  return row;
}
template <class Real>
PLIANT_KERNEL void store_row(const Row<Real>& row, Real* to) {
  std::memcpy(to, &row, sizeof row);
}

/// Zeros in the last group of three vectors of a whole number of groups.
template <class Real>
PLIANT_KERNEL void clear_last_group(const Triple<Real>& of, Index length) {
  using G = Group<Real>;
  for (int c = 0; c < 3 && length > 0; ++c)
    for (int p = 0; p < G::kPieces; ++p)
      G::store(typename G::Lanes(Real(0)), of.at[c] + length - kGroup + p * G::kLanes);
}

/// For each piece of `groups` groups of x, y and z: visit(c, row).
template <class Real, class Visit>
PLIANT_KERNEL void for_each_piece(Index groups, const Visit& visit) {
  for (int c = 0; c < 3; ++c)
    for (Index row = 0; row < groups * kGroup; row += Group<Real>::kLanes) visit(c, row);
}

/// A 4x4 matrix turned around its diagonal.
template <class Real>
PLIANT_KERNEL void transpose_rows(Row<Real>* r) {
  using Places = typename RowOf<Real>::Places;
  constexpr Places kLow = {0, 4, 1, 5}, kHigh = {2, 6, 3, 7}, kFirst = {0, 1, 4, 5}, kLast = {2, 3, 6, 7};
  const Row<Real> a = __builtin_shuffle(r[0], r[1], kLow), b = __builtin_shuffle(r[2], r[3], kLow);
  const Row<Real> c = __builtin_shuffle(r[0], r[1], kHigh), d = __builtin_shuffle(r[2], r[3], kHigh);
  r[0] = __builtin_shuffle(a, b, kFirst);
  r[1] = __builtin_shuffle(a, b, kLast);
  r[2] = __builtin_shuffle(c, d, kFirst);
  r[3] = __builtin_shuffle(c, d, kLast);
}

/// Takes `count` rows apart; row_of(k) is where row k lies. Up to three rows more are written, as zeros.
template <class Real, class RowAt>
PLIANT_KERNEL void take_apart(Index count, const RowAt& row_of, const Triple<Real>& to) {
  for (Index k = 0; k < count; k += 4) {
    Row<Real> r[4] = {};
    for (Index j = 0; j < 4 && k + j < count; ++j) r[j] = load_row(row_of(k + j));
    transpose_rows<Real>(r);
    for (int c = 0; c < 3; ++c) store_row(r[c], to.at[c] + k);
  }
}

/// Puts `count` rows together: visit(k, row). Up to three rows more are read.
template <class Real, class Visit>
PLIANT_KERNEL void put_together(Index count, const Triple<Real>& from, const Visit& visit) {
  for (Index k = 0; k < count; k += 4) {
    Row<Real> r[4] = {};
    for (int c = 0; c < 3; ++c) r[c] = load_row(from.at[c] + k);
    transpose_rows<Real>(r);
    for (Index j = 0; j < 4 && k + j < count; ++j) visit(k + j, r[j]);
  }
}

/// P y for kCount groups of rows, `stride` numbers apart: put(row, lanes) takes the sums from a row of x, y
/// or z on.
template <class Real, int kCount, class Put>
PLIANT_KERNEL void multiply_groups(const Real* panel, Index stride, int width, const Triple<Real>& y,
                                   const Put& put) {
  using G = Group<Real>;
  using Lanes = typename G::Lanes;
  Lanes sum[kCount][G::kPieces][3] = {};
  for (int k = 0; k < width; ++k) {
    const Lanes v[3] = {Lanes(y.at[0][k]), Lanes(y.at[1][k]), Lanes(y.at[2][k])};
    for (int g = 0; g < kCount; ++g)
      for (int p = 0; p < G::kPieces; ++p) {
        const Lanes column = G::load(panel + g * stride + k * kGroup + p * G::kLanes);
        for (int c = 0; c < 3; ++c) sum[g][p][c] = sum[g][p][c] + column * v[c];
      }
  }
  for (int g = 0; g < kCount; ++g)
    for (int p = 0; p < G::kPieces; ++p)
      for (int c = 0; c < 3; ++c) put(c, g * kGroup + p * G::kLanes, sum[g][p][c]);
}

/// to -= P y for `groups` groups of rows, one after another.
template <class Real>
void subtract_product(const Real* panel, Index groups, int width, const Triple<Real>& y,
                      const Triple<Real>& to) {
  using G = Group<Real>;
  const Index stride = Index{width} * kGroup;
  const auto subtract = [&](Index first, auto count) {
    multiply_groups<Real, count>(panel + first * stride, stride, width, y,
                                 [&](int c, Index row, const typename G::Lanes& sum) {
                                   Real* place = to.at[c] + first * kGroup + row;
                                   G::store(G::load(place) - sum, place);
                                 });
  };
  Index g = 0;
  for (; g + G::kAtOnce <= groups; g += G::kAtOnce) subtract(g, std::integral_constant<int, G::kAtOnce>());
  for (; g < groups; ++g) subtract(g, std::integral_constant<int, 1>());
}

/// The lanes of a group added up to four: those eight apart first, then those four apart.
template <class Real>
PLIANT_KERNEL Row<Real> fold(const typename Group<Real>::Lanes* pieces) {
  using G = Group<Real>;
  alignas(64) Real lanes[kGroup];
  for (int p = 0; p < G::kPieces; ++p) G::store(pieces[p], lanes + p * G::kLanes);
  return (load_row(lanes) + load_row(lanes + 8)) + (load_row(lanes + 4) + load_row(lanes + 12));
}

/// result = P^T x for `count` columns, at most kColumns, over `groups` groups of rows; `column_of(g)` is
/// where the first of these columns lies in group g. Up to three columns more are written, as zeros.
template <class Real, class ColumnOf>
PLIANT_KERNEL void multiply_columns(Index groups, int count, const ColumnOf& column_of, const Triple<Real>& x,
                                    const Triple<Real>& result) {
  using G = Group<Real>;
  using Lanes = typename G::Lanes;
  Row<Real> four[3][kColumns] = {};
  const auto take = [&](int first, auto columns) {
    Lanes part[columns][3][G::kPieces] = {};
    for (Index g = 0; g < groups; ++g) {
      const Real* from = column_of(g) + first * kGroup;
      // A few columns of every group are not a stream that the machine sees coming.
      for (int k = 0; k < columns; ++k) __builtin_prefetch(from + (columns + k) * kGroup);
      for (int p = 0; p < G::kPieces; ++p) {
        Lanes v[3];
        for (int c = 0; c < 3; ++c) v[c] = G::load(x.at[c] + g * kGroup + p * G::kLanes);
        for (int k = 0; k < columns; ++k) {
          const Lanes column = G::load(from + k * kGroup + p * G::kLanes);
          for (int c = 0; c < 3; ++c) part[k][c][p] = part[k][c][p] + column * v[c];
        }
      }
    }
    for (int k = 0; k < columns; ++k)
      for (int c = 0; c < 3; ++c) four[c][first + k] = fold<Real>(part[k][c]);
  };
  int k = 0;
  for (; k + G::kAtOnce <= count; k += G::kAtOnce) take(k, std::integral_constant<int, G::kAtOnce>());
  for (; k < count; ++k) take(k, std::integral_constant<int, 1>());
  // Neighbours last.
  for (int c = 0; c < 3; ++c) {
    transpose_rows<Real>(four[c]);
    store_row<Real>((four[c][0] + four[c][1]) + (four[c][2] + four[c][3]), result.at[c]);
  }
}

/// result = P^T x for the columns [first, last) of a panel, where `first` is a multiple of kColumns. Up to
/// three columns more are written, as zeros.
template <class Real>
void multiply_transposed(const Real* panel, Index groups, int width, int first, int last,
                         const Triple<Real>& x, const Triple<Real>& result) {
  for (int k = first; k < last; k += kColumns)
    multiply_columns<Real>(
        groups, std::min(kColumns, last - k), [&](Index g) { return panel + (g * width + k) * kGroup; }, x,
        result + k);
}

}  // namespace pliant
