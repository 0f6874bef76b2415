#include "arrays.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/text.hpp"

namespace pliant::python {

namespace {

/// Memory that an array owns.
template <class T>
struct Owned {
  explicit Owned(size_t count)
      : data(new T[std::max<size_t>(count, 1)]),
        owner(data, [](void* memory) noexcept { delete[] static_cast<T*>(memory); }) {}

  T* data;
  nb::capsule owner;
};

template <class T>
nb::object flat_array(const std::vector<T>& numbers) {
  Owned<T> memory(numbers.size());
  std::copy(numbers.begin(), numbers.end(), memory.data);
  return nb::cast(nb::ndarray<nb::numpy, T>(memory.data, {numbers.size()}, memory.owner));
}

template <class T>
nb::ndarray<const T, nb::c_contig, nb::device::cpu> as_array(nb::handle from, const char* type) {
  nb::object numpy = nb::module_::import_("numpy");
  nb::object array = numpy.attr("ascontiguousarray")(from, nb::arg("dtype") = type);
  return nb::cast<nb::ndarray<const T, nb::c_contig, nb::device::cpu>>(array);
}

}  // namespace

nb::ndarray<const double, nb::c_contig, nb::device::cpu> doubles(nb::handle from) {
  return as_array<double>(from, "float64");
}

nb::ndarray<const std::int64_t, nb::c_contig, nb::device::cpu> integers(nb::handle from) {
  return as_array<std::int64_t>(from, "int64");
}

Vector to_points(nb::handle from, const std::string& what, Index rows) {
  const auto array = doubles(from);
  const bool fits =
      array.ndim() == 2 && array.shape(1) == 3 && (rows < 0 || static_cast<Index>(array.shape(0)) == rows);
  if (!fits) {
    std::string shape;
    for (size_t k = 0; k < array.ndim(); ++k) shape += format("{}{}", k == 0 ? "" : ", ", array.shape(k));
    throw nb::value_error(
        format("{} has the shape ({}); it must be ({}, 3)", what, shape, rows < 0 ? "n" : format("{}", rows))
            .c_str());
  }
  const Vector flat = Eigen::Map<const Vector>(array.data(), static_cast<Index>(array.size()));
  for (Index d = 0; d < flat.size(); ++d)
    if (!std::isfinite(flat[d]))
      throw nb::value_error(
          format("{}[{}, {}] is {}; all must be finite", what, d / 3, d % 3, flat[d]).c_str());
  return flat;
}

std::vector<Vec3> to_vertices(nb::handle from, const std::string& what) {
  const Vector flat = to_points(from, what);
  std::vector<Vec3> points(static_cast<size_t>(flat.size() / 3));
  for (size_t i = 0; i < points.size(); ++i) points[i] = flat.segment<3>(3 * static_cast<Index>(i));
  return points;
}

nb::object points_array(const Vector& flat) {
  Owned<double> memory(static_cast<size_t>(flat.size()));
  std::copy(flat.data(), flat.data() + flat.size(), memory.data);
  return nb::cast(Points(memory.data, {static_cast<size_t>(flat.size() / 3), 3}, memory.owner));
}

nb::object points_array(const std::vector<Vec3>& points) {
  Owned<double> memory(3 * points.size());
  for (size_t i = 0; i < points.size(); ++i) std::copy_n(points[i].data(), 3, memory.data + 3 * i);
  return nb::cast(Points(memory.data, {points.size(), 3}, memory.owner));
}

nb::object numbers_array(std::vector<double> numbers) { return flat_array(numbers); }
nb::object index_array(std::vector<int> numbers) { return flat_array(numbers); }

template <size_t N>
nb::object index_array(const std::vector<std::array<int, N>>& rows) {
  Owned<int> memory(N * rows.size());
  for (size_t i = 0; i < rows.size(); ++i) std::copy(rows[i].begin(), rows[i].end(), memory.data + N * i);
  return nb::cast(nb::ndarray<nb::numpy, int>(memory.data, {rows.size(), N}, memory.owner));
}
template nb::object index_array(const std::vector<std::array<int, 2>>&);
template nb::object index_array(const std::vector<std::array<int, 3>>&);
template nb::object index_array(const std::vector<std::array<int, 4>>&);
template nb::object index_array(const std::vector<std::array<int, 8>>&);

void LiveArray::refresh(const Vector& now) {
  if (array_ && now.size() == size_) {
    std::copy(now.data(), now.data() + size_, data_);
    return;
  }
  Owned<double> memory(static_cast<size_t>(now.size()));
  data_ = memory.data;
  size_ = now.size();
  std::copy(now.data(), now.data() + size_, data_);
  array_ = nb::cast(PointsView(data_, {static_cast<size_t>(size_ / 3), 3}, memory.owner));
}

}  // namespace pliant::python
