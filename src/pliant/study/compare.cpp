#include "pliant/study/compare.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <thread>

#include "pliant/base/error.hpp"
#include "pliant/base/files.hpp"
#include "pliant/base/log.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/text.hpp"
#include "pliant/base/timer.hpp"
#include "pliant/run/interrupt.hpp"
#include "pliant/run/output_folder.hpp"
#include "pliant/run/run_folder.hpp"
#include "pliant/study/child_process.hpp"
#include "pliant/study/compare_folder.hpp"
#include "pliant/study/compare_progress.hpp"
#include "pliant/study/comparison_table.hpp"
#include "pliant/view/report.hpp"
#include "pliant/view/run_files.hpp"

namespace pliant {

namespace fs = std::filesystem;

namespace {

/// Starts members, as many at once as asked, and waits for them.
class MemberRuns {
 public:
  MemberRuns(const CompareOptions& options, const ComparePlan& plan, CompareFolder& folder)
      : options_(options),
        plan_(plan),
        folder_(folder),
        threads_(options.threads > 0 ? options.threads : std::max(1, threads() / options.jobs)),
        results_(plan.members.size()),
        progress_(plan.members.size(), options.quiet) {}

  /// False where it was interrupted.
  bool run() {
    keep_finished();
    while (!waiting_.empty() || !running_.empty()) {
      if (interrupt_.requested() && !stopping_) stop();
      start_some();
      collect();
      if (progress_.is_due()) show();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    progress_.clear();
    return !interrupt_.requested();
  }

  const std::vector<MemberResult>& results() const { return results_; }

 private:
  struct Running {
    size_t member = 0;
    std::unique_ptr<ChildProcess> child;
    MemberProgress progress;
    Timer timer;
  };

  fs::path run_folder(size_t member) const { return folder_.members() / plan_.members[member].name; }

  void stop() {
    stopping_ = true;
    progress_.leave();  // the handler of the signal has said something
    for (Running& member : running_) member.child->stop();
    waiting_.clear();
  }

  /// What is left waits, references first: they take longest.
  void keep_finished() {
    for (size_t i = 0; i < plan_.members.size(); ++i) {
      results_[i] = read_result(run_folder(i), plan_.members[i]);
      if (results_[i].finished)
        progress_.kept(plan_.members[i].name, results_[i].status);
      else
        waiting_.push_back(i);
    }
    std::stable_partition(waiting_.begin(), waiting_.end(),
                          [&](size_t i) { return plan_.members[i].is_reference; });
  }

  void start_some() {
    for (auto next = waiting_.begin(); next != waiting_.end() && std::ssize(running_) < options_.jobs;) {
      // Of a comparison that was killed a member may still be at its last step.
      if (is_being_written(run_folder(*next))) {
        if (waits_.insert(*next).second) progress_.waits(plan_.members[*next].name, run_folder(*next));
        ++next;
        continue;
      }
      start(*next);
      next = waiting_.erase(next);
    }
  }

  void start(size_t index) {
    const PlannedMember& member = plan_.members[index];
    std::vector<std::string> arguments = {"run", fs::absolute(options_.question.scene).string()};
    for (const std::string& item : member.overrides) arguments.insert(arguments.end(), {"--set", item});
    if (options_.question.frames)
      arguments.insert(arguments.end(), {"--frames", std::to_string(*options_.question.frames)});
    arguments.insert(arguments.end(), {"--threads", std::to_string(threads_), "--resume", "--quiet", "-o",
                                       fs::absolute(run_folder(index)).string()});
    folder_.note_start(index, threads_, fs::exists(checkpoint_path(run_folder(index))));
    progress_.started(member.name);
    Running running;
    running.member = index;
    running.child = std::make_unique<ChildProcess>(options_.program, arguments, folder_.log(member.name));
    running.progress.name = member.name;
    running.progress.frames_planned = member.frames;
    running_.push_back(std::move(running));
  }

  void collect() {
    for (auto member = running_.begin(); member != running_.end();) {
      if (member->child->running()) {
        ++member;
        continue;
      }
      end(*member);
      member = running_.erase(member);
    }
  }

  void end(const Running& ended) {
    const PlannedMember& member = plan_.members[ended.member];
    MemberResult& result = results_[ended.member];
    result = read_result(run_folder(ended.member), member);
    if (!result.finished && stopping_) return progress_.interrupted(member.name, ended.timer.seconds());
    if (!result.finished)
      note_broken_end(result, ended.child->exit_code(), ended.child->signal(), folder_.log(member.name));
    folder_.set_at_once(ended.member, options_.jobs);
    progress_.ended(member.name, result.status, ended.timer.seconds());
  }

  void show() {
    std::vector<MemberProgress> views;
    for (Running& member : running_) {
      member.progress.seconds = member.timer.seconds();
      follow(run_folder(member.member), member.progress);
      views.push_back(member.progress);
    }
    progress_.show(views);
  }

  const CompareOptions& options_;
  const ComparePlan& plan_;
  CompareFolder& folder_;
  int threads_;
  std::vector<MemberResult> results_;
  InterruptWatch interrupt_;
  bool stopping_ = false;
  std::deque<size_t> waiting_;
  std::set<size_t> waits_;  // of which it was said that another program has their folder
  std::vector<Running> running_;
  CompareProgress progress_;
};

std::vector<ComparisonRow> to_rows(const ComparePlan& plan, const std::vector<MemberResult>& results,
                                   const CompareFolder& folder) {
  std::vector<ComparisonRow> rows;
  for (size_t i = 0; i < plan.members.size(); ++i)
    rows.push_back({.member = plan.members[i],
                    .result = results[i],
                    .at_once = folder.at_once(i),
                    .threads = folder.threads(i),
                    .measured_to = "",
                    .note = ""});
  measure(rows, folder.members());
  return rows;
}

/// "2", or "1 to 2".
std::string span_of(const std::vector<int>& counts) {
  if (counts.empty()) return "0";
  const auto [least, most] = std::ranges::minmax(counts);
  return least == most ? std::to_string(most) : format("{} to {}", least, most);
}

/// Under the table: what does not fit into it.
std::string remarks(const std::vector<ComparisonRow>& rows) {
  std::string text;
  for (const ComparisonRow& row : rows) {
    if (!row.result.message.empty()) text += format("{}: {}\n", row.member.name, row.result.message);
    constexpr double kConverged = 0.01;
    if (row.member.is_reference && std::abs(row.energy_drift.value_or(0)) > kConverged)
      text += format(
          "{}: its scheme itself took or gave {:.0f}% of the energy, so it is not converged and distances to "
          "it are "
          "rough; shorter steps help, --reference time.steps_per_frame=...\n",
          row.member.name, 100 * std::abs(*row.energy_drift));
  }
  std::map<std::string, std::vector<std::string>> noted;  // what holds for many is said once
  for (const ComparisonRow& row : rows)
    if (!row.note.empty()) noted[row.note].push_back(row.member.name);
  for (const auto& [note, names] : noted)
    text += format("{}{}: {}\n", names.front(),
                   names.size() > 1 ? format(" and {} more", names.size() - 1) : "", note);
  std::vector<int> at_once, threads_used;
  for (const ComparisonRow& row : rows) {
    at_once.push_back(row.at_once);
    if (row.result.has_numbers) threads_used.push_back(row.result.threads);
    threads_used.insert(threads_used.end(), row.threads.begin(), row.threads.end());
  }
  const bool alone = std::ranges::all_of(threads_used, [](int count) { return count == 1; });
  return text + format("Seconds are wall clock, {} at once with {} thread{} each; distances are in metres.\n",
                       span_of(at_once), span_of(threads_used), alone ? "" : "s");
}

/// A page with all members whose folders can be read.
void write_page(const std::vector<ComparisonRow>& rows, const Comparison& comparison,
                const CompareFolder& folder) {
  ReportOptions options{.runs = {}, .output = folder.report(), .every = 0, .comparison = comparison};
  for (const ComparisonRow& row : rows) {
    const fs::path run = folder.members() / row.member.name;
    try {
      if (row.result.has_numbers && RunFolder(run).frame_count() > 0) options.runs.push_back(run);
    } catch (const InputError&) {  // its row says that it is broken
    }
  }
  if (options.runs.empty()) return;
  try {
    write_report(options);
  } catch (const InputError& error) {  // what has been measured stays
    log::warn(format("no report: {}", error.what()));
  }
}

}  // namespace

int CompareEnd::exit_code() const {
  if (interrupted) return 130;
  return broken + with_failed_steps > 0 ? 3 : 0;
}

CompareEnd compare(const CompareOptions& options) {
  const ComparePlan plan = plan_comparison(options.question);
  CompareFolder folder(options.output, plan, options.overwrite);
  CompareEnd end;
  std::vector<MemberResult> results;
  {
    MemberRuns runs(options, plan, folder);
    end.interrupted = !runs.run();
    results = runs.results();
  }
  if (end.interrupted) {
    log::warn(format("interrupted; the same command goes on with what is in {}", options.output.string()));
    return end;
  }
  for (const MemberResult& result : results) {
    end.broken += result.finished ? 0 : 1;
    end.with_failed_steps += result.finished && result.failed > 0 ? 1 : 0;
  }
  const std::vector<ComparisonRow> rows = to_rows(plan, results, folder);
  const Comparison comparison = to_comparison(rows);
  write_file_atomically(folder.table(), comparison_csv(rows, plan.varied));
  std::fputs((aligned(comparison.columns, comparison.rows) + "\n" + remarks(rows)).c_str(), stdout);
  std::fflush(stdout);
  write_page(rows, comparison, folder);
  return end;
}

}  // namespace pliant
