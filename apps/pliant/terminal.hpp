#pragma once

namespace pliant {

/// Messages go to standard error, with warnings and errors in colour where that is a terminal.
void log_to_terminal();

}  // namespace pliant
