#include "compare.hpp"

#include "pliant/base/log.hpp"
#include "pliant/study/compare.hpp"
#include "scene_folders.hpp"

namespace pliant {

int compare_command(const CompareCommandOptions& options) {
  log::set_quiet(options.quiet);
  CompareOptions chosen;
  chosen.question.scene = scene_gallery().find(options.scene.scene);
  chosen.question.overrides = options.scene.overrides;
  for (const std::string& text : options.varied) chosen.question.varied.push_back(parse_varied(text));
  chosen.question.frames = options.frames;
  chosen.question.reference = !options.no_reference;
  if (!options.reference.empty()) chosen.question.reference_choices = parse_choices(options.reference);
  chosen.output = options.output;
  chosen.jobs = options.jobs;
  chosen.threads = options.threads;
  chosen.overwrite = options.overwrite;
  chosen.quiet = options.quiet;
  return compare(chosen).exit_code();
}

}  // namespace pliant
