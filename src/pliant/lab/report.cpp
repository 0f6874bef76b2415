#include "pliant/lab/report.hpp"

#include "pliant/base/error.hpp"
#include "pliant/base/files.hpp"
#include "pliant/lab/page.hpp"

namespace pliant {

void write_report(const ReportOptions& options) {
  if (options.runs.empty()) throw InputError("a report needs at least one run");
  write_file_atomically(options.output, viewer_page());
}

}  // namespace pliant
