#ifdef PLIANT_TBB

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "pliant/base/thread_loops.hpp"

namespace pliant {

namespace {
std::unique_ptr<tbb::global_control>& control() {
  static std::unique_ptr<tbb::global_control> instance;
  return instance;
}
}  // namespace

void set_threads(int count) {
  if (count <= 0) count = std::max(1U, std::thread::hardware_concurrency());
  control() = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, count);
}

int threads() {
  return static_cast<int>(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

void loop_in_threads(Index count, Index grain, FunctionRef<void(Index)> run) {
  tbb::parallel_for(
      tbb::blocked_range<Index>(0, count, grain),
      [&](const tbb::blocked_range<Index>& range) {
        for (Index i = range.begin(); i < range.end(); ++i) run(i);
      },
      tbb::simple_partitioner());
}

void run_isolated(FunctionRef<void()> body) { tbb::this_task_arena::isolate(body); }

}  // namespace pliant

#endif
