#include "pliant/base/parallel.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "pliant/base/thread_loops.hpp"

namespace pliant {

void parallel_chunks(Index count, Index chunk, FunctionRef<void(Index, Index)> body) {
  // Chunks are small, and alike: what a thread takes at once is more than one, but not so much that others
  // wait for it.
  constexpr Index kTurns = 8;
  const Index chunks = (count + chunk - 1) / chunk;
  const auto run = [&](Index i) { body(i * chunk, std::min(count, (i + 1) * chunk)); };
  const int workers = chunks > 1 ? threads() : 1;
  if (workers > 1) return loop_in_threads(chunks, std::max<Index>(1, chunks / (kTurns * workers)), run);
  for (Index i = 0; i < chunks; ++i) run(i);
}

void parallel_tasks(Index count, FunctionRef<void(Index)> body) {
  const auto run = [&](Index i) { run_isolated([&] { body(i); }); };
  if (count > 1 && threads() > 1) return loop_in_threads(count, 1, run);
  for (Index i = 0; i < count; ++i) run(i);
}

namespace {

/// What each chunk gives, kept on the stack unless there are many.
class Partial {
 public:
  Partial(Index count, Index chunk, FunctionRef<double(Index, Index)> body)
      : chunks_((count + chunk - 1) / chunk), many_(chunks_ > kOnStack ? static_cast<size_t>(chunks_) : 0) {
    double* values = chunks_ > kOnStack ? many_.data() : few_;
    parallel_chunks(count, chunk, [&](Index begin, Index end) { values[begin / chunk] = body(begin, end); });
  }
  std::span<const double> values() const {
    return {chunks_ > kOnStack ? many_.data() : few_, static_cast<size_t>(chunks_)};
  }

 private:
  static constexpr Index kOnStack = 1024;
  Index chunks_;
  double few_[kOnStack];
  std::vector<double> many_;
};

}  // namespace

double parallel_sum(Index count, Index chunk, FunctionRef<double(Index, Index)> body) {
  const Partial partial(count, chunk, body);
  double sum = 0;
  for (const double value : partial.values()) sum += value;
  return sum;
}

double parallel_max(Index count, Index chunk, FunctionRef<double(Index, Index)> body) {
  const Partial partial(count, chunk, body);
  double largest = 0;
  for (const double value : partial.values()) largest = std::max(largest, value);
  return largest;
}

}  // namespace pliant
