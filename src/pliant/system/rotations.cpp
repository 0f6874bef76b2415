#include "pliant/system/rotations.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/kernel/rotation.hpp"

namespace pliant {

namespace {

Mat3 rotation_of(const Mat3& F) {
  Small33<double> small;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) small(i, j) = F(i, j);
  const Small33<double> R = nearest_rotation(small);
  Mat3 rotation;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) rotation(i, j) = R(i, j);
  return rotation;
}

}  // namespace

std::vector<Mat3> neighbourhood_rotations(const BlockPattern& pattern, const Vector& rest, const Vector& x) {
  std::vector<Mat3> rotations(static_cast<size_t>(pattern.rows()), Mat3::Zero());
  for (int row = 0; row < pattern.rows(); ++row) {
    const auto columns = pattern.columns_of(row);
    const Index a = columns[0];
    for (size_t c = 1; c < columns.size(); ++c) {
      const Index b = columns[c];
      const Vec3 now = x.segment<3>(3 * b) - x.segment<3>(3 * a);
      const Vec3 then = rest.segment<3>(3 * b) - rest.segment<3>(3 * a);
      const Mat3 product = now * then.transpose();
      rotations[a] += product;
      rotations[b] += product;
    }
  }
  constexpr Index kRotatedAtOnce = 256;
  parallel_chunks(std::ssize(rotations), kRotatedAtOnce, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) rotations[i] = rotation_of(rotations[i]);
  });
  return rotations;
}

}  // namespace pliant
