#include "pliant/linear/rotate.hpp"

#include "pliant/base/parallel.hpp"

namespace pliant {

namespace {
constexpr Index kBlocksAtOnce = 2048;
}

void rotate_back(const std::vector<Mat3>& rotations, const Field& x, Field& y) {
  const Vector& from = x.host();
  Vector& to = y.host();
  to.resize(from.size());
  parallel_chunks(std::ssize(rotations), kBlocksAtOnce, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      to.segment<3>(3 * i) = rotations[i].transpose() * from.segment<3>(3 * i);
  });
}

void rotate(const std::vector<Mat3>& rotations, Field& y) {
  Vector& to = y.host();
  parallel_chunks(std::ssize(rotations), kBlocksAtOnce, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) to.segment<3>(3 * i) = (rotations[i] * to.segment<3>(3 * i)).eval();
  });
}

}  // namespace pliant
