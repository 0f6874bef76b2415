#include "report.hpp"

#include "pliant/base/files.hpp"

namespace pliant {

int report_command(const ReportOptions& options) {
  if (options.output.has_parent_path()) create_folders(options.output.parent_path());
  write_report(options);
  return 0;
}

}  // namespace pliant
