#include "pliant/base/error.hpp"

namespace pliant {

std::string Complaint::text() const {
  std::string where = file;
  if (line > 0) where.append(where.empty() ? "line " : ":").append(std::to_string(line));
  if (line > 0 && column > 0) where.append(":").append(std::to_string(column));
  return where.empty() ? message : where + ": " + message;
}

namespace {
std::string join(const std::vector<Complaint>& complaints) {
  std::string all;
  for (const Complaint& complaint : complaints) {
    if (!all.empty()) all += '\n';
    all += complaint.text();
  }
  return all;
}
}  // namespace

InputError::InputError(std::vector<Complaint> complaints)
    : std::runtime_error(join(complaints)), complaints_(std::move(complaints)) {}

}  // namespace pliant
