#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <string>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant::python {

namespace nb = nanobind;

/// Three numbers a row, as Python sees them.
using Points = nb::ndarray<nb::numpy, double, nb::shape<-1, 3>, nb::c_contig>;
using PointsView = nb::ndarray<nb::numpy, const double, nb::shape<-1, 3>, nb::c_contig>;
using Numbers = nb::ndarray<nb::numpy, double, nb::shape<-1>, nb::c_contig>;

/// A new array of anything that numpy takes for one, of doubles or of 64-bit integers, in C order. Throws
/// Python's own error where it does not.
nb::ndarray<const double, nb::c_contig, nb::device::cpu> doubles(nb::handle from);
nb::ndarray<const std::int64_t, nb::c_contig, nb::device::cpu> integers(nb::handle from);

/// (n, 3) finite numbers, `rows` of them unless that is negative. Throws ValueError that says what `what` is
/// instead.
Vector to_points(nb::handle from, const std::string& what, Index rows = -1);
std::vector<Vec3> to_vertices(nb::handle from, const std::string& what);

/// Copies that the array owns.
nb::object points_array(const Vector& flat);
nb::object points_array(const std::vector<Vec3>& points);
nb::object numbers_array(std::vector<double> numbers);
template <size_t N>
nb::object index_array(const std::vector<std::array<int, N>>& rows);
nb::object index_array(std::vector<int> numbers);

/// An array (n, 3) that keeps showing what it is refreshed with. It lives as long as anybody looks at it;
/// where the number of rows changes a new one takes its place, and the old one stays as it was.
class LiveArray {
 public:
  explicit LiveArray(const Vector& now) { refresh(now); }

  /// Read-only.
  nb::object array() const { return array_; }
  void refresh(const Vector& now);

 private:
  nb::object array_;
  double* data_ = nullptr;
  Index size_ = 0;
};

}  // namespace pliant::python
