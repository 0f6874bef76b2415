#include "pliant/view/report_steps.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "pliant/base/error.hpp"
#include "pliant/base/json.hpp"
#include "pliant/view/container.hpp"

namespace pliant {

namespace {

/// One row of each group of `together` that follow each other.
std::vector<size_t> rows_to_keep(const std::vector<double>& iterations,
                                 const std::map<size_t, std::string>& failed, size_t together) {
  std::vector<size_t> kept;
  for (size_t begin = 0; begin < iterations.size(); begin += together) {
    const size_t end = std::min(begin + together, iterations.size());
    const auto failure = failed.lower_bound(begin);
    size_t row = end - 1;  // the last of all counts more than a peak: it is where the run has come to
    if (failure != failed.end() && failure->first < end)
      row = failure->first;
    else if (end < iterations.size())
      row = static_cast<size_t>(std::max_element(iterations.begin() + static_cast<std::ptrdiff_t>(begin),
                                                 iterations.begin() + static_cast<std::ptrdiff_t>(end)) -
                                iterations.begin());
    kept.push_back(row);
  }
  return kept;
}

}  // namespace

std::string fewer_steps(std::string_view steps, size_t most) {
  const ContainerReader reader(steps, "steps");
  try {
    Json members = Json::parse(reader.members());
    const size_t rows = members.at("rows").get<size_t>();
    if (rows <= most || !reader.has("iterations")) return std::string(steps);
    std::map<size_t, std::string> failed;
    for (const auto& [row, status] : members.at("statuses").items()) failed[std::stoul(row)] = status;
    const std::vector<size_t> kept = rows_to_keep(reader.f64("iterations"), failed, (rows + most - 1) / most);
    ContainerWriter writer;
    std::vector<std::vector<double>> columns;
    for (const Json& column : members.at("columns")) {
      const std::vector<double> all = reader.f64(column.get<std::string>());
      std::vector<double>& some = columns.emplace_back();
      for (const size_t row : kept) some.push_back(all.at(row));
    }
    for (size_t i = 0; i < columns.size(); ++i)
      writer.add(members["columns"][i].get<std::string>(), std::span<const double>(columns[i]));
    Json failed_rows = Json::array(), statuses = Json::object();
    for (size_t i = 0; i < kept.size(); ++i) {
      const auto failure = failed.find(kept[i]);
      if (failure == failed.end()) continue;
      failed_rows.push_back(i);
      statuses[std::to_string(i)] = failure->second;
    }
    members.erase("arrays");
    members["rows"] = kept.size();
    members["failed"] = std::move(failed_rows);
    members["statuses"] = std::move(statuses);
    return writer.finish(members.dump(-1, ' ', false, Json::error_handler_t::replace));
  } catch (const Json::exception& error) {
    throw InputError(std::string("not a container of steps: ") + error.what());
  }
}

}  // namespace pliant
