#pragma once

#include <limits>

namespace pliant {

/// Who looks at a page.
struct Visits {
  int pages = 0;  ///< opened and not left again, as far as they said
  double since_request = std::numeric_limits<double>::infinity();  ///< s; infinite before the first one
};

/// Whether the page of a run that ended `since_end` seconds ago is still wanted. One that is open asks
/// often, but only once a minute where its tab is hidden; one that was closed may be about to be opened
/// again. Before the first visit it is waited for only where `somebody_is_there`, at the terminal or before a
/// browser that is about to open it.
bool is_wanted(const Visits& visits, double since_end, bool somebody_is_there);

}  // namespace pliant
