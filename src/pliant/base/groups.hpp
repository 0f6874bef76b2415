#pragma once

#include <numeric>
#include <vector>

namespace pliant {

/// Numbers that belong together (union and find). Each group is known by its least number.
class Groups {
 public:
  explicit Groups(size_t count) : next_(count) { std::iota(next_.begin(), next_.end(), 0); }

  void join(int a, int b) {
    a = of(a), b = of(b);
    if (a < b)
      next_[b] = a;
    else
      next_[a] = b;
  }
  int of(int a) {
    while (next_[a] != a) a = next_[a] = next_[next_[a]];
    return a;
  }

 private:
  std::vector<int> next_;  ///< a lower one of the same group, or itself
};

}  // namespace pliant
