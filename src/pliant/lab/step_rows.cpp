#include "pliant/lab/step_rows.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>

#include "pliant/base/error.hpp"
#include "pliant/base/json.hpp"
#include "pliant/base/text.hpp"
#include "pliant/lab/container.hpp"
#include "pliant/minimize/descend.hpp"

namespace pliant {

namespace {

constexpr size_t kMostColumns = 200;

std::string_view take_field(std::string_view& line) {
  const size_t end = std::min(line.find(','), line.size());
  const std::string_view field = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return field;
}

bool says_failed(std::string_view status) {
  for (const Status good : {Status::converged, Status::converged_to_roundoff, Status::as_asked})
    if (status == name(good)) return false;
  return true;
}

/// NaN for an empty field.
bool parse_field(std::string_view field, double& number) {
  number = std::numeric_limits<double>::quiet_NaN();
  if (field.empty()) return true;
  const auto [end, failed] = std::from_chars(field.data(), field.data() + field.size(), number);
  return (failed == std::errc() || failed == std::errc::result_out_of_range) &&
         end == field.data() + field.size();
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
  if (std::ranges::count(line, ',') + 1 != static_cast<std::ptrdiff_t>(width_)) refuse();
  std::vector<double> numbers;
  std::string_view status;
  for (size_t i = 0; i < width_; ++i) {
    const std::string_view field = take_field(line);
    if (i == status_)
      status = field;
    else if (!parse_field(field, numbers.emplace_back()))
      refuse();
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
  // A link may lead anywhere, and a pipe would be waited for.
  std::error_code error;
  if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(file_, error)))
    throw InputError(Complaint{file_.string(), 0, 0, "there is no such file, or it is none of its own"});
  std::ifstream stream(file_, std::ios::binary);
  if (!stream) throw InputError(Complaint{file_.string(), 0, 0, "cannot be read"});
  stream.seekg(0, std::ios::end);
  const auto size = static_cast<std::uint64_t>(std::max<std::streamoff>(0, stream.tellg()));
  std::string head(head_.size(), '\0');
  stream.seekg(0);
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  if (size < read_ || head != head_) forget();
  if (size == read_) return;
  std::string text(size - read_, '\0');
  stream.clear();
  stream.seekg(static_cast<std::streamoff>(read_));
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(std::max<std::streamsize>(0, stream.gcount())));
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
