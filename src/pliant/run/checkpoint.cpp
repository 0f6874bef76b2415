#include "pliant/run/checkpoint.hpp"

#include <bit>
#include <cstring>
#include <type_traits>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"

namespace pliant {

namespace {

static_assert(std::endian::native == std::endian::little, "checkpoints are little-endian");

constexpr std::string_view kMagic = "PLIANTCP";
constexpr std::uint32_t kVersion = 4;

/// In the manner of FNV-1a, over words of eight bytes. Every word goes in by a bijection of the hash, so no
/// change within a single word goes unseen.
class Hash {
 public:
  void add(std::string_view bytes) {
    add_word(bytes.size());
    for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), sizeof(std::uint64_t)))) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data(), std::min(bytes.size(), sizeof word));
      add_word(word);
    }
  }
  template <class T>
  void add(const T* items, size_t count) {
    add(std::string_view(reinterpret_cast<const char*>(items), count * sizeof(T)));
  }
  std::uint64_t value() const { return value_; }

 private:
  void add_word(std::uint64_t word) { value_ = std::rotl((value_ ^ word) * 0x100000001b3ULL, 29); }
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

class Writer {
 public:
  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void operator()(const T& number) { raw(&number, 1); }

  void operator()(const std::string& text) { counted(text.data(), text.size()); }
  void operator()(const Vector& vector) { counted(vector.data(), static_cast<size_t>(vector.size())); }
  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(const std::vector<T>& numbers) { counted(numbers.data(), numbers.size()); }

  template <class T, class F>
  void list(const std::vector<T>& items, F&& each) {
    (*this)(std::uint64_t{items.size()});
    for (const T& item : items) each(*this, item);
  }
  /// At the end of all, and only where there are more than `usual`.
  template <class T, class F>
  void tail(const std::vector<T>& items, size_t usual, F&& each) {
    if (items.size() > usual)
      list(std::vector<T>(items.begin() + static_cast<Index>(usual), items.end()), each);
  }
  template <class F>
  void named(const std::map<std::string, StateArray>& arrays, F&& each) {
    (*this)(std::uint64_t{arrays.size()});
    for (const auto& [name, array] : arrays) {
      (*this)(name);
      each(*this, array);
    }
  }
  std::string take() { return std::move(bytes_); }

 private:
  template <class T>
  void raw(const T* items, size_t count) {
    bytes_.append(reinterpret_cast<const char*>(items), count * sizeof(T));
  }
  template <class T>
  void counted(const T* items, size_t count) {
    (*this)(std::uint64_t{count});
    if (count > 0) raw(items, count);
  }
  std::string bytes_;
};

/// Believes no length that the bytes at hand cannot hold.
class Reader {
 public:
  Reader(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void operator()(T& number) { raw(&number, 1); }

  void operator()(std::string& text) {
    text.resize(count(1));
    raw(text.data(), text.size());
  }
  void operator()(Vector& vector) {
    vector.resize(static_cast<Index>(count(sizeof(double))));
    raw(vector.data(), static_cast<size_t>(vector.size()));
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(std::vector<T>& numbers) {
    numbers.resize(count(sizeof(T)));
    raw(numbers.data(), numbers.size());
  }
  template <class T, class F>
  void list(std::vector<T>& items, F&& each) {
    for (size_t left = count(1); left > 0; --left) each(*this, items.emplace_back());
  }
  template <class T, class F>
  void tail(std::vector<T>& items, size_t, F&& each) {
    if (!at_end()) list(items, each);
  }
  template <class F>
  void named(std::map<std::string, StateArray>& arrays, F&& each) {
    for (size_t left = count(1); left > 0; --left) {
      std::string name;
      (*this)(name);
      each(*this, arrays[name]);
    }
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  template <class T>
  void raw(T* items, size_t count) {
    const size_t size = count * sizeof(T);
    if (size > bytes_.size()) cut_short();
    if (size > 0) std::memcpy(items, bytes_.data(), size);
    bytes_.remove_prefix(size);
  }
  size_t count(size_t item_size) {
    std::uint64_t count = 0;
    (*this)(count);
    if (count > bytes_.size() / item_size) cut_short();
    return static_cast<size_t>(count);
  }
  [[noreturn]] void cut_short() const {
    throw InputError(Complaint{file_, 0, 0, "the checkpoint ends too early; the file is damaged"});
  }
  std::string_view bytes_;
  const std::string& file_;
};

template <class Archive, class Totals>
void walk_totals(Archive& archive, Totals& totals) {
  archive(totals.frames);
  for (auto* count : {&totals.steps, &totals.steps_converged, &totals.steps_as_asked, &totals.iterations,
                      &totals.linear_solves, &totals.cg_iterations, &totals.peak_memory})
    archive(*count);
  auto& seconds = totals.seconds;
  auto& energies = totals.energies;
  for (auto* number : {&seconds.total, &seconds.assembly, &seconds.linear_solve, &seconds.line_search,
                       &seconds.contact, &seconds.output, &energies.kinetic})
    archive(*number);
  for (size_t i = 0; i < Energies::kUsual; ++i) archive(energies.potentials[i].energy);
  archive.list(totals.failures, [](auto& each, auto& failure) {
    each(failure.step);
    each(failure.time);
    each(failure.status);
    each(failure.body);
    each(failure.element);
    each(failure.force);
    each(failure.message);
  });
}

/// The fields in their order, for writing and reading alike.
template <class Archive, class Subject>
void walk(Archive& archive, Subject& checkpoint) {
  archive(checkpoint.scene_hash);
  archive(checkpoint.build);
  archive(checkpoint.steps_length);
  walk_totals(archive, checkpoint.totals);
  archive(checkpoint.state.time);
  archive(checkpoint.state.x);
  archive(checkpoint.state.v);
  archive.named(checkpoint.state.arrays, [](auto& each, auto& array) {
    each(array.of);
    each(array.width);
    each(array.values);
    each(array.holds);
    each(array.ids);
  });
  archive.tail(checkpoint.totals.energies.potentials, Energies::kUsual, [](auto& each, auto& entry) {
    each(entry.name);
    each(entry.energy);
  });
}

}  // namespace

std::uint64_t checkpoint_sum(std::string_view bytes) {
  Hash hash;
  hash.add(bytes);
  return hash.value();
}

std::string encode(const Checkpoint& checkpoint) {
  Writer writer;
  for (const char letter : kMagic) writer(letter);
  writer(kVersion);
  walk(writer, checkpoint);
  std::string bytes = writer.take();
  const std::uint64_t sum = checkpoint_sum(bytes);
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  return bytes;
}

Checkpoint decode(std::string_view bytes, const std::string& file) {
  const auto refuse = [&](const std::string& why) { throw InputError(Complaint{file, 0, 0, why}); };
  const size_t head = kMagic.size() + sizeof kVersion;
  if (!bytes.starts_with(kMagic)) refuse("not a checkpoint");
  if (bytes.size() < head + sizeof(std::uint64_t))
    refuse("the checkpoint ends too early; the file is damaged");
  std::uint32_t version = 0;
  std::memcpy(&version, bytes.data() + kMagic.size(), sizeof version);
  if (version != kVersion)
    refuse(
        format("the checkpoint has format {}, this program reads format {}; resume with the build that "
               "started the run, or start again with --overwrite",
               version, kVersion));
  std::uint64_t sum = 0;
  std::memcpy(&sum, bytes.data() + bytes.size() - sizeof sum, sizeof sum);
  bytes.remove_suffix(sizeof sum);
  if (checkpoint_sum(bytes) != sum) refuse("the checksum of the checkpoint is wrong; the file is damaged");

  Checkpoint checkpoint;
  Reader reader(bytes.substr(head), file);
  walk(reader, checkpoint);
  if (!reader.at_end()) refuse("the checkpoint goes on after its end; the file is damaged");
  if (!checkpoint.state.is_sound())
    refuse("the arrays of the checkpoint do not fit its vertices; the file is damaged");
  return checkpoint;
}

void require_same(const Checkpoint& checkpoint, std::uint64_t scene_hash, const std::string& build,
                  const std::string& file) {
  if (checkpoint.scene_hash != scene_hash)
    throw InputError(Complaint{file, 0, 0,
                               "the run was started from another scene; only the duration may differ on "
                               "resuming. Use the scene.toml beside it, or what the model.toml beside it "
                               "says, or start again with --overwrite"});
  if (checkpoint.build != build)
    throw InputError(Complaint{file, 0, 0,
                               format("the run was started by another build of Pliant and would go on with "
                                      "other numbers. Started by: {}. This is: {}. Resume with the build "
                                      "that started it, or start again with --overwrite",
                                      checkpoint.build, build)});
}

std::string what_runs(const Simulation& simulation) {
  if (!simulation.scene_text.empty()) return simulation.scene_text;
  return format("{}\n[steps]\nframe_rate = {:.17g}\nsteps_per_frame = {}\nstop_on_failure = {}\n",
                simulation.description, simulation.frame_rate, simulation.steps_per_frame,
                simulation.stop_on_failure);
}

std::uint64_t scene_hash(const Simulation& simulation) {
  Hash hash;
  bool in_table = false;
  const std::string text = what_runs(simulation);
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    in_table |= line.starts_with("[");
    if (in_table || !line.starts_with("duration")) hash.add(line);
  }
  for (const Body& body : simulation.model->bodies) {
    hash.add(body.name);
    hash.add(body.rest.vertices.data(), body.rest.vertices.size());
    hash.add(body.rest.tets.data(), body.rest.tets.size());
    hash.add(body.rest.triangles.data(), body.rest.triangles.size());
    hash.add(body.rest.edges.data(), body.rest.edges.size());
    hash.add(body.rest.hexes.data(), body.rest.hexes.size());
  }
  hash.add(simulation.model->mass.data(), static_cast<size_t>(simulation.model->mass.size()));
  return hash.value();
}

}  // namespace pliant
