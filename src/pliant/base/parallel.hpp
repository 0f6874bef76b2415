#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "pliant/base/types.hpp"

namespace pliant {

/// A non-owning reference to something callable, so that the loops below need no template in their source
/// file.
template <class Signature>
class FunctionRef;

template <class Result, class... Args>
class FunctionRef<Result(Args...)> {
 public:
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef>) FunctionRef(F&& f)
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(f)))),
        call_([](void* object, Args... args) -> Result {
          return (*static_cast<std::remove_reference_t<F>*>(object))(std::forward<Args>(args)...);
        }) {}

  Result operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  void* object_;
  Result (*call_)(void*, Args...);
};

/// How many threads the loops below use; 0 asks for one a core.
void set_threads(int count);
int threads();

/// Calls body(begin, end) for the fixed chunks [0, chunk), [chunk, 2 chunk), ... of [0, count). The chunks do
/// not depend on the number of threads, so anything accumulated chunk by chunk has the same bits for any
/// number of them.
void parallel_chunks(Index count, Index chunk, FunctionRef<void(Index, Index)> body);

/// Calls body(i) for all i < count, which may run such loops themselves. A thread that waits within one call
/// does not take up another.
void parallel_tasks(Index count, FunctionRef<void(Index)> body);

/// Largest of body(begin, end) over the same fixed chunks, and of zero.
double parallel_max(Index count, Index chunk, FunctionRef<double(Index, Index)> body);

/// Sum of body(begin, end) over the same fixed chunks, added in the order of the chunks.
double parallel_sum(Index count, Index chunk, FunctionRef<double(Index, Index)> body);

}  // namespace pliant
