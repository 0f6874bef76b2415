#include "pliant/view/visits.hpp"

#include <cmath>

namespace pliant {

namespace {
constexpr double kFirstVisit = 30;  // s; a browser that has to be started takes some of them
constexpr double kOpen = 150;       // s; more than two of the minutes to which hidden tabs are slowed down
constexpr double kLeft = 5;         // s; to load a page again takes less
}  // namespace

bool is_wanted(const Visits& visits, double since_end, bool somebody_is_there) {
  if (std::isinf(visits.since_request)) return somebody_is_there && since_end < kFirstVisit;
  return visits.since_request < (visits.pages > 0 ? kOpen : kLeft);
}

}  // namespace pliant
