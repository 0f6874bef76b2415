#include "pliant/base/parallel.hpp"

#include <atomic>
#include <stdexcept>

#include "pliant/base/vector_ops.hpp"

namespace pliant::parallel_test {
namespace {

Vector wild_numbers(Index count) {
  Vector a(count);
  double value = 0.3;
  for (Index i = 0; i < count; ++i) {
    value = 3.9 * value * (1 - value);
    a[i] = (value - 0.5) * std::pow(10.0, double(i % 17) - 8);
  }
  return a;
}

TEST(ParallelChunks, VisitsEveryIndexOnce) {
  std::vector<std::atomic<int>> visits(10007);
  parallel_chunks(std::ssize(visits), 64, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) ++visits[i];
  });
  for (const auto& count : visits) ASSERT_EQ(count, 1);
}

TEST(ParallelTasks, MayRunLoopsThemselves) {
  std::vector<std::atomic<int>> visits(50 * 300);
  for (const int count : {1, 3, 8}) {
    set_threads(count);
    parallel_tasks(50, [&](Index task) {
      parallel_chunks(300, 7, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) ++visits[300 * task + i];
      });
    });
    for (auto& visited : visits) ASSERT_EQ(visited.exchange(0), 1) << count << " threads";
  }
  set_threads(0);
}

TEST(ParallelTasks, ThrowWhatOneOfThemThrows) {
  for (const int count : {1, 2, 8}) {
    set_threads(count);
    std::string thrown;
    try {
      parallel_tasks(100, [](Index task) {
        if (task == 40) throw std::out_of_range("forty");
      });
    } catch (const std::out_of_range& error) {
      thrown = error.what();
    }
    EXPECT_EQ(thrown, "forty") << count << " threads";
    std::atomic<int> visits = 0;
    parallel_tasks(100, [&](Index) { ++visits; });
    EXPECT_EQ(visits, 100) << "afterwards, " << count << " threads";
  }
  set_threads(0);
}

TEST(Dot, HasTheSameBitsForAnyNumberOfThreads) {
  const Vector a = wild_numbers(100003), b = wild_numbers(100003).reverse();
  set_threads(1);
  const double one = dot(a, b);
  for (const int count : {2, 3, 7}) {
    set_threads(count);
    EXPECT_EQ(dot(a, b), one) << count << " threads";
  }
  set_threads(0);
  EXPECT_NEAR(one, a.dot(b), 1e-12 * a.cwiseProduct(b).cwiseAbs().sum());
}

TEST(Sum, AddsEveryEntry) {
  for (const Index count : {0, 1, 7, 8, 9, 8191, 8192, 8193}) {
    const Vector ones = Vector::Ones(count);
    EXPECT_EQ(sum(ones.data(), count), double(count));
  }
}

}  // namespace
}  // namespace pliant::parallel_test
