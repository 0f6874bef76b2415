#pragma once

#include "pliant/base/parallel.hpp"

namespace pliant {

// What parallel.cpp needs of threads besides how many there are: by oneTBB in thread_loops_tbb.cpp, by the
// standard library in thread_loops_std.cpp.

/// Calls run(i) for all i < count, `grain` of them after one another. The first exception that one of them
/// throws ends the loop.
void loop_in_threads(Index count, Index grain, FunctionRef<void(Index)> run);

/// Calls body; while that waits for loops of its own, its thread takes up nothing else.
void run_isolated(FunctionRef<void()> body);

}  // namespace pliant
