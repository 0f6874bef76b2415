#pragma once

#include <filesystem>
#include <string>

namespace pliant {

enum class ExportFormat {
  kVtu,  ///< tetrahedra and a PVD index with the times, for ParaView
  kObj,  ///< surfaces as text
  kPly,  ///< surfaces, binary
};

/// The format of that name; throws InputError where there is none.
ExportFormat export_format(const std::string& name);

/// What `pliant export` was asked for.
struct ExportOptions {
  std::filesystem::path run;     ///< the run folder
  std::filesystem::path output;  ///< the folder for the files; created where missing
  ExportFormat format = ExportFormat::kVtu;
};

/// Writes a file a body and frame, OUTPUT/BODY-000000.vtu and so on, and for VTU the index OUTPUT/NAME.pvd
/// with NAME that of the run. Returns the exit code; throws InputError and IoError.
int export_command(const ExportOptions& options);

}  // namespace pliant
