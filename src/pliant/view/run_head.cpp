// What a page must know of a run before it asks for more, as JSON.

#include "pliant/base/error.hpp"
#include "pliant/base/json.hpp"
#include "pliant/base/text.hpp"
#include "pliant/run/output_folder.hpp"
#include "pliant/scene/value.hpp"
#include "pliant/view/shown_run.hpp"

namespace pliant {

namespace {

/// A scene of hundreds of bodies says the same of each.
constexpr size_t kMostChoices = 600;

struct Choices {
  Json list = Json::array();
  size_t left_out = 0;

  void add(const std::string& key, const Value& value) {
    const bool tables = value.kind == Value::Kind::list && !value.items.empty() &&
                        value.items.front().kind == Value::Kind::table;
    if (value.kind == Value::Kind::table) {
      for (const Value& item : value.items) add(key.empty() ? item.name : key + "." + item.name, item);
    } else if (tables) {
      for (size_t i = 0; i < value.items.size(); ++i) add(format("{}.{}", key, i), value.items[i]);
    } else if (list.size() < kMostChoices) {
      list.push_back({key, value.kind == Value::Kind::text ? value.text : value.shown()});
    } else {
      ++left_out;
    }
  }
};

/// What ran: a scene, or a model that a program has put together.
const char* what_ran(const RunFiles& files) {
  return std::filesystem::exists(files.folder() / "model.toml") ? "model.toml" : "scene.toml";
}

Json choices_of(const RunFiles& files) {
  Choices choices;
  const char* name = what_ran(files);
  choices.add("", parse_toml(files.read(name, kMostTextBytes), (files.folder() / name).string()));
  if (choices.left_out > 0)
    choices.list.push_back({"...", format("and {} more in {}", choices.left_out, name)});
  return std::move(choices.list);
}

Json bodies_of(const ShownRun& run) {
  Json list = Json::array();
  for (const RunBody& body : run.folder().bodies()) {
    Json color = nullptr;
    if (body.color) color = {body.color->x(), body.color->y(), body.color->z()};
    list.push_back({{"name", body.name}, {"color", color}});
  }
  return list;
}

Json obstacles_of(const ShownRun& run) {
  Json list = Json::array();
  size_t first_vertex = 0, first_triangle = 0;
  for (const RunObstacle& obstacle : run.folder().obstacles()) {
    const size_t vertices = obstacle.surface.vertices.size(), triangles = obstacle.surface.triangles.size();
    list.push_back({{"name", obstacle.name},
                    {"unbounded", obstacle.unbounded},
                    {"first_vertex", first_vertex},
                    {"vertices", vertices},
                    {"first_triangle", first_triangle},
                    {"triangles", triangles}});
    first_vertex += vertices;
    first_triangle += triangles;
  }
  return list;
}

}  // namespace

std::string ShownRun::head(int id, int generation) const {
  Json fields = Json::array();
  for (const FieldKind& kind : field_kinds())
    fields.push_back({{"name", kind.name}, {"label", kind.label}, {"unit", kind.unit}});
  Json summary = nullptr, choices = Json::array();
  try {
    summary = parse_json(files_.read("summary.json", kMostTextBytes));
  } catch (const std::exception&) {
    // Being replaced, or damaged since the run was opened; the rest can be shown without it.
  }
  try {
    choices = choices_of(files_);
  } catch (const InputError& error) {
    choices.push_back({what_ran(files_), error.what()});
  }
  const int count = frames();
  int planned = count > 0 ? count - 1 : 0;
  if (summary.is_object() && summary.contains("frames_planned") &&
      summary["frames_planned"].is_number_integer())
    planned = summary["frames_planned"].get<int>();
  const Json head = {{"id", id},
                     {"generation", generation},
                     {"name", run_.name()},
                     {"folder", run_.path().string()},
                     {"frame_rate", run_.frame_rate()},
                     {"frames", count},
                     {"frames_planned", planned},
                     {"bodies", bodies_of(*this)},
                     {"obstacles", obstacles_of(*this)},
                     {"fields", fields},
                     {"choices", choices},
                     {"summary", summary}};
  return head.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace pliant
