// Threads that wait for loops and help whoever runs one: the loop begun last first, which is the innermost.
#ifndef PLIANT_TBB

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "pliant/base/thread_loops.hpp"

namespace pliant {

namespace {

/// A loop that threads take shares of.
struct Loop {
  Index count, grain;
  FunctionRef<void(Index)> run;
  std::atomic<Index> next = 0;
  int helpers = 0;  ///< threads besides the one that began it; the pool's mutex guards it, and what follows
  std::exception_ptr failure = {};

  bool exhausted() const { return next >= count; }

  void take_shares() {
    for (Index begin = next.fetch_add(grain); begin < count; begin = next.fetch_add(grain))
      for (Index i = begin; i < std::min(count, begin + grain); ++i) run(i);
  }
};

class Pool {
 public:
  explicit Pool(int threads) {
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { serve(); });
  }
  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    begun_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  void run(Loop& loop) {
    {
      const std::lock_guard lock(mutex_);
      open_.push_back(&loop);
    }
    begun_.notify_all();
    take_shares(loop);
    std::unique_lock lock(mutex_);
    open_.erase(std::find(open_.begin(), open_.end(), &loop));
    left_.wait(lock, [&] { return loop.helpers == 0; });
    if (loop.failure) std::rethrow_exception(loop.failure);
  }

 private:
  void take_shares(Loop& loop) {
    try {
      loop.take_shares();
    } catch (...) {
      loop.next = loop.count;
      const std::lock_guard lock(mutex_);
      if (!loop.failure) loop.failure = std::current_exception();
    }
  }

  Loop* find_work() const {
    const auto found =
        std::find_if(open_.rbegin(), open_.rend(), [](const Loop* loop) { return !loop->exhausted(); });
    return found == open_.rend() ? nullptr : *found;
  }

  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      Loop* loop = nullptr;
      begun_.wait(lock, [&] { return ends_ || (loop = find_work()); });
      if (ends_) return;
      ++loop->helpers;
      lock.unlock();
      take_shares(*loop);
      lock.lock();
      if (--loop->helpers == 0) left_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable begun_, left_;
  std::vector<Loop*> open_;
  std::vector<std::thread> workers_;
  bool ends_ = false;
};

std::unique_ptr<Pool> make_pool(int count) {
  if (count <= 0) count = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return std::make_unique<Pool>(count);
}

std::unique_ptr<Pool>& pool() {
  static std::unique_ptr<Pool> instance = make_pool(0);
  return instance;
}

}  // namespace

void set_threads(int count) { pool() = make_pool(count); }

int threads() { return pool()->threads(); }

void loop_in_threads(Index count, Index grain, FunctionRef<void(Index)> run) {
  Loop loop{.count = count, .grain = grain, .run = run};
  pool()->run(loop);
}

// A thread that waits for a loop takes up nothing else anyway.
void run_isolated(FunctionRef<void()> body) { body(); }

}  // namespace pliant

#endif
