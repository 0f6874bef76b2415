#include "pliant/view/step_rows.hpp"

#include <algorithm>
#include <limits>

#include "pliant/base/error.hpp"
#include "pliant/base/json.hpp"
#include "pliant/base/text.hpp"
#include "pliant/minimize/descend.hpp"
#include "pliant/view/container.hpp"
#include "pliant/view/csv.hpp"
#include "pliant/view/run_files.hpp"

namespace pliant {

namespace {

constexpr size_t kMostColumns = 200;
// A file of a gigabyte can hold many more, of fields without anything in them.
constexpr size_t kMostRows = size_t{1} << 23, kMostNumbers = size_t{1} << 27;

bool says_failed(std::string_view status) {
  for (const Status good : {Status::converged, Status::converged_to_roundoff, Status::as_asked})
    if (status == name(good)) return false;
  return true;
}

}  // namespace

void StepRows::forget() {
  read_ = 0;
  rows_ = width_ = 0;
  head_.clear();
  columns_.clear();
  values_.clear();
  failures_.clear();
}

void StepRows::take_header(std::string_view line) {
  status_ = std::numeric_limits<size_t>::max();
  while (!line.empty()) {
    const std::string_view column = take_field(line);
    if (column == "status")
      status_ = width_;
    else
      columns_.emplace_back(column);
    ++width_;
  }
  if (width_ > kMostColumns || std::ranges::find(columns_, "time") == columns_.end())
    throw InputError(Complaint{file_.string(), 1, 1, "this is not the head of a table of steps"});
  values_.resize(columns_.size());
}

void StepRows::take_row(std::string_view line) {
  const auto refuse = [&] {
    throw InputError(
        Complaint{file_.string(), static_cast<int>(rows_) + 2, 1, "this is not a row of the table of steps"});
  };
  if (rows_ >= kMostRows || (rows_ + 1) * width_ > kMostNumbers)
    throw InputError(Complaint{
        file_.string(), static_cast<int>(rows_) + 2, 1,
        format("more rows than are shown: at most {}, and {} numbers in all", kMostRows, kMostNumbers)});
  if (std::ranges::count(line, ',') + 1 != static_cast<std::ptrdiff_t>(width_)) refuse();
  std::vector<double> numbers;
  std::string_view status;
  for (size_t i = 0; i < width_; ++i) {
    const std::string_view field = take_field(line);
    if (i == status_) {
      status = field;
      continue;
    }
    const std::optional<double> number = number_in(field);
    if (!number) refuse();
    numbers.push_back(*number);
  }
  for (size_t i = 0; i < numbers.size(); ++i) values_[i].push_back(numbers[i]);
  if (status_ < width_ && says_failed(status)) failures_.push_back({rows_, std::string(status)});
  ++rows_;
}

void StepRows::update() {
  const bool had_some = read_ > 0;
  try {
    read_more();
  } catch (const InputError&) {
    // Cut back and grown again, it does not go on where it ended before.
    if (!had_some) throw;
    forget();
    read_more();
  }
}

void StepRows::read_more() {
  const PlainFile file(file_);
  file.require_at_most(kMostTableBytes);
  if (file.size() < read_ || file.read(0, head_.size()) != head_) forget();
  if (file.size() == read_) return;
  const std::string text = file.read(read_, kMostTableBytes);
  // A line without its end is still being written.
  for (size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::string_view line(text.data() + begin, end - begin);
    if (width_ == 0) {
      take_header(line);
      head_ = line;
    } else {
      take_row(line);
    }
    read_ += end + 1 - begin;
  }
}

size_t StepRows::count() {
  const std::lock_guard lock(busy_);
  update();
  return rows_;
}

std::string StepRows::from(size_t from) {
  const std::lock_guard lock(busy_);
  update();
  from = std::min(from, rows_);
  Json members = {{"from", from}, {"rows", rows_ - from}, {"columns", columns_}};
  members["failed"] = Json::array();
  // As they are in order, none needs to be looked for.
  Json::object_t statuses;
  for (const Failure& failure : failures_) {
    if (failure.row < from) continue;
    members["failed"].push_back(failure.row);
    statuses.push_back({std::to_string(failure.row), failure.status});
  }
  members["statuses"] = std::move(statuses);
  ContainerWriter container;
  for (size_t i = 0; i < columns_.size(); ++i)
    container.add(columns_[i], std::span<const double>(values_[i]).subspan(from));
  return container.finish(members.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace pliant
