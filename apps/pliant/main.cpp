// The command line: what may be typed, and what exit codes mean. The work is done by the commands in the
// other files.
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <memory>

#include "basin.hpp"
#include "compare.hpp"
#include "converge.hpp"
#include "dump_problem.hpp"
#include "export.hpp"
#include "inspect.hpp"
#include "mesh.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/log.hpp"
#include "pliant/scene/reference.hpp"
#include "render.hpp"
#include "report.hpp"
#include "run_command.hpp"
#include "terminal.hpp"
#include "view.hpp"

namespace {

using namespace pliant;

constexpr int kInputIsWrong = 2;
constexpr int kDiskFailed = 4;
constexpr int kBug = 1;

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& what,
                      const std::string& example) {
  CLI::App* command = app.add_subcommand(name, what);
  command->footer("Example:\n  " + example);
  return command;
}

void add_scene(CLI::App* command, SceneChoice& choice) {
  command->add_option("SCENE", choice.scene, "A scene file, or the name of a scene that `pliant list` shows")
      ->required();
  command
      ->add_option(
          "--set", choice.overrides,
          "Change a key of the scene, for instance solver.tolerance=1e-5 or body.0.material.young=1e6; "
          "may be given many times")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
}

/// Where a page is served, and whether it is opened; only with `view` where that is an option.
void add_page(CLI::App* command, int& port, bool& browser, CLI::Option* view = nullptr) {
  CLI::Option* options[] = {
      command->add_option("--port", port, "Port of the page on 127.0.0.1; any that is free unless given")
          ->check(CLI::Range(1, 65535)),
      command->add_flag("!--no-browser", browser, "Print the link of the page, but open no browser")};
  for (CLI::Option* option : options)
    if (view) option->needs(view);
}

void add_run(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<RunCommandOptions>();
  CLI::App* command =
      add_command(app, "run", "Simulate a scene and write its frames",
                  "pliant run gast-2015/stretch -o out/stretch --set solver.method=newton-cholesky");
  add_scene(command, options->scene);
  command->add_option("-o,--output", options->folder, "Folder to write to; out/NAME unless given")
      ->type_name("DIR");
  command->add_option("--frames", options->frames, "Frames to compute, instead of the scene's duration")
      ->check(CLI::Range(0, 999'999));
  command
      ->add_option("--threads", options->threads,
                   "Threads to use, one a core unless given; changes no result")
      ->check(CLI::Range(1, 1024));
  CLI::Option* resume = command->add_flag("--resume", options->resume, "Go on with the run in the folder");
  command->add_flag("--overwrite", options->overwrite, "Replace the run in the folder")->excludes(resume);
  command->add_flag("-q,--quiet", options->quiet, "Print warnings and errors only");
  CLI::Option* view =
      command->add_flag("--view", options->view,
                        "Serve a page that follows the run and can pause and stop it; prints its link");
  add_page(command, options->port, options->browser, view);
  command->callback([options, &exit_code] { exit_code = run_command(*options); });
}

void add_check(CLI::App& app, int& exit_code) {
  const auto scene = std::make_shared<SceneChoice>();
  CLI::App* command =
      add_command(app, "check", "Say all that is wrong with a scene, or what is in it, without running",
                  "pliant check my-scene.toml --set body.0.material.poisson=0.49");
  add_scene(command, *scene);
  command->callback([scene, &exit_code] { exit_code = check_command(*scene); });
}

void add_export(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* command = add_command(app, "export", "Write the frames of a run in formats other programs read",
                                  "pliant export out/stretch --format vtu -o stretch-vtu");
  command->add_option("RUN", options->run, "The folder of the run")->required();
  command
      ->add_option_function<std::string>(
          "--format", [options](const std::string& name) { options->format = export_format(name); },
          "vtu (volumes, for ParaView), obj or ply (surfaces)")
      ->required()
      ->type_name("vtu|obj|ply");
  command->add_option("-o,--output", options->output, "Folder to write to")->required()->type_name("DIR");
  command->callback([options, &exit_code] { exit_code = export_command(*options); });
}

/// A point on the command line, as x,y,z or three words.
void add_point(CLI::App* command, const std::string& name, std::optional<Vec3>& point,
               const std::string& what) {
  command
      ->add_option_function<std::vector<double>>(
          name, [&point](const std::vector<double>& xyz) { point = Vec3(xyz[0], xyz[1], xyz[2]); }, what)
      ->expected(3)
      ->delimiter(',')
      ->type_name("X,Y,Z");
}

void add_render(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<RenderOptions>();
  CLI::App* command = add_command(app, "render", "Draw pictures of the frames of a run",
                                  "pliant render out/stretch -o pictures --frames 0:48:12 --montage");
  command->add_option("RUN", options->run, "The folder of the run")->required();
  command->add_option("-o,--output", options->output, "Folder to write to")->required()->type_name("DIR");
  command->add_option("--width", options->width, "Of a picture, pixels")
      ->capture_default_str()
      ->check(CLI::Range(1, 16384));
  command->add_option("--height", options->height, "Of a picture, pixels")
      ->capture_default_str()
      ->check(CLI::Range(1, 16384));
  command->add_option("--frames", options->frames,
                      "Which frames: 0,12,24 or first:last:step; all unless given");
  command->add_flag("--montage", options->montage, "One picture of all frames side by side, montage.png");
  command->add_option("--columns", options->columns, "Of the montage; chosen to fit unless given")
      ->check(CLI::Range(0, 1000));
  add_point(command, "--camera", options->camera,
            "Where the camera stands; unless given, it shows all bodies of the chosen frames");
  add_point(command, "--look-at", options->look_at, "What is in the middle of the picture");
  command->add_option("--field-of-view", options->field_of_view, "Vertical, degrees")
      ->check(CLI::Range(1.0, 170.0));
  command->add_flag("--edges", options->edges, "Draw the lines of the mesh");
  command
      ->add_option_function<std::string>(
          "--color", [options](const std::string& what) { options->color_inverted = what == "inverted"; },
          "bodies: a colour each; inverted: elements inside out red, others green")
      ->check(CLI::IsMember({"bodies", "inverted"}))
      ->type_name("bodies|inverted");
  command->add_flag("--ground,!--no-ground", options->ground, "Show a ground, or none");
  command
      ->add_option("--hide-obstacle", options->hidden_obstacles,
                   "Leave out the obstacle of this name; may be given many times")
      ->allow_extra_args(false)
      ->type_name("NAME");
  command->add_option("--samples", options->samples, "Rays a pixel; more is smoother and slower")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024));
  command->callback([options, &exit_code] { exit_code = render_command(*options); });
}

void add_view(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ViewOptions>();
  CLI::App* command = add_command(app, "view", "Show runs in a browser, side by side where there are several",
                                  "pliant view out/stretch");
  command->add_option("RUN", options->runs, "Folders of runs, also of those still computing")->required();
  add_page(command, options->port, options->browser);
  command->callback([options, &exit_code] { exit_code = view_command(*options); });
}

void add_report(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App* command = add_command(app, "report", "Write one HTML file that shows runs, to send to others",
                                  "pliant report out/stretch -o stretch.html");
  command->add_option("RUN", options->runs, "Folders of runs")->required();
  command->add_option("-o,--output", options->output, "File to write")->required()->type_name("FILE");
  command
      ->add_option("--every", options->every,
                   "Take every so many frames; unless given, as many as keep the file below 20 MB")
      ->check(CLI::Range(1, 1'000'000));
  command->callback([options, &exit_code] { exit_code = report_command(*options); });
}

void add_mesh(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<MeshOptions>();
  CLI::App* command = add_command(
      app, "mesh",
      "Convert meshes, fill shapes and closed surfaces with tetrahedra, and say how good they are",
      "pliant mesh bunny.obj -o bunny.msh --cell 0.01\n"
      "  pliant mesh --shape 'torus major=0.5 minor=0.2' -o torus.vtu --cell 0.05\n"
      "  pliant mesh torus.vtu");
  CLI::Option* input = command->add_option(
      "IN", options->input,
      "A mesh: .msh, .vtu, .mesh, .node, .ele (volumes), .obj, .ply, .stl, .glb (surfaces)");
  command
      ->add_option("--shape", options->shape,
                   "A shape instead of a file: its kind and keys, as scenes have them (key=value, without "
                   "blanks), or a table in braces")
      ->excludes(input)
      ->type_name("WORDS");
  command
      ->add_option(
          "-o,--output", options->output,
          "File to write, of any of these kinds; a surface is filled where it holds volumes. Without it "
          "nothing is written")
      ->type_name("FILE");
  command->add_option("--cell", options->cell, "Side of the cells that fill a shape or surface, m")
      ->check(CLI::PositiveNumber);
  command->add_option("--grading", options->grading, "Growth of cells for every metre below the surface")
      ->check(CLI::Range(0.0, 1.0));
  command->add_flag("--fit", options->fit, "Put vertices onto sharp edges and corners");
  command
      ->add_option("--scale", options->scale,
                   "Factor for all coordinates, for instance 0.001 for millimetres")
      ->check(CLI::PositiveNumber);
  command->add_flag("--merge", options->merge,
                    "Make one vertex of those at exactly the same place with the same values");
  command->add_flag("--surface", options->surface,
                    "Keep the triangles of a surface also where the output could hold tetrahedra");
  command->add_flag("--binary", options->binary, "Write .msh and .vtu in binary, the latter compressed");
  command->callback([options, &exit_code] { exit_code = mesh_command(*options); });
}

void add_dump_problem(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<DumpProblemOptions>();
  CLI::App* command =
      add_command(app, "dump-problem", "Write the equations of one step as Matrix Market files",
                  "pliant dump-problem gast-2015/stretch --step 10 -o problem");
  add_scene(command, options->scene);
  command->add_option("--step", options->step, "Which step, counted from 1")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000'000));
  command->add_option("-o,--output", options->folder, "Folder to write to")->required()->type_name("DIR");
  command->callback([options, &exit_code] { exit_code = dump_problem_command(*options); });
}

void add_basin(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<BasinOptions>();
  CLI::App* command = add_command(
      app, "basin", "Draw how many iterations the first step needs while two keys of a scene vary",
      "pliant basin gast-2015/basin -o out/basin --across body.0.start.move.0.to.0=0:1 "
      "--up body.0.start.move.0.to.1=0:1 --steps 1/240,1/24,1");
  add_scene(command, options->scene);
  command->add_option("-o,--output", options->output, "Folder to write to")->required()->type_name("DIR");
  command->add_option("--across", options->across, "The key that varies from left to right")
      ->required()
      ->type_name("KEY=FROM:TO");
  command->add_option("--up", options->up, "The key that varies from the bottom to the top")
      ->required()
      ->type_name("KEY=FROM:TO");
  command->add_option("--steps", options->steps, "Lengths of the step in seconds: numbers or fractions")
      ->required()
      ->delimiter(',');
  command->add_option("--solvers", options->methods, "Values of solver.method to compare")->delimiter(',');
  command->add_option("--pixels", options->pixels, "Along each side of a map")
      ->capture_default_str()
      ->check(CLI::Range(1, 4096));
  command
      ->add_option("--threads", options->threads,
                   "Threads to use, one a core unless given; changes no result")
      ->check(CLI::Range(1, 1024));
  command->callback([options, &exit_code] { exit_code = basin_command(*options); });
}

void add_converge(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ConvergeOptions>();
  CLI::App* command =
      add_command(app, "converge", "Compare how solvers get to the minimum of a step, from the same start",
                  "pliant converge liu-2018/twisting-bar --step 20 --solver ours:solver.method=lbfgs "
                  "--solver newton:solver.method=newton-cholesky -o out/converge.csv");
  add_scene(command, options->scene);
  command
      ->add_option("--solver", options->solvers,
                   "A name for it and what it changes of the scene's solver; may be given many times")
      ->required()
      ->allow_extra_args(false)
      ->type_name("NAME:KEY=VALUE,...");
  command->add_option("--step", options->step, "Which step, counted from 1")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000'000));
  command->add_option("--count", options->count, "Steps from there on, whose errors are averaged")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  command->add_option("--iterations", options->iterations, "Iterations each solver gets")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  command->add_flag("--condition", options->condition,
                    "Instead say the condition number of the Hessian at the start seen through the matrix "
                    "that lbfgs starts from; for small scenes");
  command->add_option("-o,--output", options->output, "File to write: a row a solver and iteration")
      ->type_name("CSV");
  command
      ->add_option("--threads", options->threads,
                   "Threads to use, one a core unless given; changes no result")
      ->check(CLI::Range(1, 1024));
  command->callback([options, &exit_code] { exit_code = converge_command(*options); });
}

void add_compare(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<CompareCommandOptions>();
  CLI::App* command = add_command(
      app, "compare", "Run a scene with all combinations of some values and put the results side by side",
      "pliant compare gast-2015/sphere-drop --vary time.scheme=backward-euler,sdirk2 "
      "--vary time.steps_per_frame=1,5 -o out/compared\n"
      "The same command again goes on where an interrupted one was.");
  add_scene(command, options->scene);
  command->add_option("--vary", options->varied, "A key and the values that it takes in turn; many times")
      ->required()
      ->allow_extra_args(false)
      ->type_name("KEY=A,B");
  command->add_option("-o,--output", options->output, "Folder to write to")->required()->type_name("DIR");
  command->add_option("--jobs", options->jobs, "Members to run at once; times compare best with one")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024));
  command->add_option("--threads", options->threads, "Threads of each; the machine's shared out unless given")
      ->check(CLI::Range(1, 1024));
  command->add_option("--frames", options->frames, "Frames to compute, instead of the scene's duration")
      ->check(CLI::Range(1, 999'999));
  CLI::Option* reference = command->add_option(
      "--reference", options->reference,
      "Keys of the finely computed member that others are measured to, instead of those chosen for it");
  reference->type_name("KEY=V,KEY=V");
  command
      ->add_flag("--no-reference", options->no_reference, "Measure to the most accurate member of the grid")
      ->excludes(reference);
  command->add_flag("--overwrite", options->overwrite, "Replace the comparison in the folder");
  command->add_flag("-q,--quiet", options->quiet, "Print the table, warnings and errors only");
  command->callback([options, &exit_code] { exit_code = compare_command(*options); });
}

void add_documents(CLI::App& app, int& exit_code) {
  auto combinations = std::make_shared<bool>(false);
  CLI::App* list = add_command(
      app, "list", "Name the scenes of the gallery, schemes, solvers, materials and shapes", "pliant list");
  list->add_flag("--combinations", *combinations, "Name what of all this does not go together, and why");
  list->callback([combinations, &exit_code] {
    exit_code = *combinations ? list_combinations_command() : list_command();
  });
  add_command(app, "reference", "Print the reference of scene files, in Markdown",
              "pliant reference > scenes.md")
      ->callback([] { std::cout << scene_reference(); });
  add_command(app, "schema", "Print a JSON schema of scene files, for editors", "pliant schema > pliant.json")
      ->callback([] { std::cout << scene_schema(); });
}

int parse_and_run(int argc, char** argv) {
  int exit_code = 0;
  CLI::App app("Pliant simulates things that bend.", "pliant");
  app.set_version_flag("--version", [] { return version_text(); });
  app.require_subcommand(0, 1);
  app.footer(
      "Example:\n  pliant run gast-2015/stretch -o out/stretch && pliant render out/stretch -o pictures\n\n"
      "`pliant COMMAND --help` says more. Exit codes: 0 done; 2 the input is wrong; 3 some step did not\n"
      "converge; 4 the disk or a file failed; 130 interrupted.");
  add_run(app, exit_code);
  add_check(app, exit_code);
  add_documents(app, exit_code);
  add_render(app, exit_code);
  add_view(app, exit_code);
  add_report(app, exit_code);
  add_export(app, exit_code);
  add_mesh(app, exit_code);
  add_dump_problem(app, exit_code);
  add_basin(app, exit_code);
  add_compare(app, exit_code);
  add_converge(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    log::error(std::string(error.what()) + "; see pliant --help");
    return kInputIsWrong;
  }
  if (!app.get_subcommands().empty()) return exit_code;
  log::error("no command was given; see pliant --help");
  return kInputIsWrong;
}

}  // namespace

int main(int argc, char** argv) {
  // Vectors of megabytes come and go with every step. To give their pages back and have them cleared again
  // would take longer than to fill them.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most it takes
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  // A file that reaches its allowed size is a full disk like any other: an error of the write, not the end.
  std::signal(SIGXFSZ, SIG_IGN);
  pliant::log_to_terminal();
  try {
    const int exit_code = parse_and_run(argc, argv);
    std::cout.flush();
    if (std::fflush(stdout) == 0 && std::cout.good()) return exit_code;
    pliant::log::error("cannot write to standard output");
    return kDiskFailed;
  } catch (const pliant::InputError& error) {
    for (const pliant::Complaint& complaint : error.complaints()) pliant::log::error(complaint.text());
    return kInputIsWrong;
  } catch (const std::bad_alloc&) {
    pliant::log::error("the memory of this machine is not enough for this scene; use coarser meshes");
    return kInputIsWrong;
  } catch (const pliant::IoError& error) {
    pliant::log::error(error.what());
    return kDiskFailed;
  } catch (const std::system_error& error) {  // of the file system, or of writing to standard output
    pliant::log::error(error.what());
    return kDiskFailed;
  } catch (const std::exception& error) {
    pliant::log::error(std::string("this should not happen: ") + error.what());
    return kBug;
  }
}
