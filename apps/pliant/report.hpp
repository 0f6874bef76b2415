#pragma once

#include "pliant/view/report.hpp"

namespace pliant {

/// `pliant report`: one HTML file with runs in it, to send to others. Returns the exit code.
int report_command(const ReportOptions& options);

}  // namespace pliant
