// A .glb file: "glTF", a version, its length, then chunks of length, kind and data: JSON first, then the
// numbers. The JSON names the numbers by accessors into views of the second chunk.

#include "pliant/mesh_file/gltf_document.hpp"

#include <algorithm>

#include "pliant/base/error.hpp"
#include "pliant/base/json.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh_file/byte_scanner.hpp"

namespace pliant {

// What GltfDocument::Contents consists of; outside of the unnamed namespace, since that struct is not in it.

/// A type of numbers.
struct GltfComponent {
  int code, size;
  double largest;  // what 1 is stored as where numbers are normalised
};

/// Where the numbers of an accessor lie in the file.
struct GltfPlaces {
  const GltfComponent* component = nullptr;
  int components = 1;
  bool normalised = false;
  std::uint64_t begin = 0, stride = 0, count = 0;
};

/// The chunks of a file.
struct GlbChunks {
  std::string_view json;
  size_t binary_begin = 0, binary_size = 0;
};

namespace {

constexpr std::uint32_t kGlbMagic = 0x46546c67, kGlbJson = 0x4e4f534a, kGlbBinary = 0x004e4942;
constexpr std::uint64_t kMostJson = 16 << 20;  // bytes; each may cost some 20 bytes of memory
constexpr int kDeepestJson = 64;

constexpr GltfComponent kComponents[] = {{5120, 1, 127},   {5121, 1, 255},        {5122, 2, 32767},
                                         {5123, 2, 65535}, {5125, 4, 4294967295}, {5126, 4, 1}};

double read_component(ByteScanner& scanner, int code) {
  constexpr const char* kWanted = "a number of an accessor";
  switch (code) {
    case 5120:
      return scanner.read<std::int8_t>(kWanted);
    case 5121:
      return scanner.read<std::uint8_t>(kWanted);
    case 5122:
      return scanner.read<std::int16_t>(kWanted);
    case 5123:
      return scanner.read<std::uint16_t>(kWanted);
    case 5125:
      return scanner.read<std::uint32_t>(kWanted);
    default:
      return static_cast<double>(scanner.read<float>(kWanted));
  }
}

int components_of(const std::string& type) {
  if (type == "SCALAR") return 1;
  if (type == "VEC2") return 2;
  if (type == "VEC3") return 3;
  return type == "VEC4" ? 4 : 0;
}

/// How deep lists and objects are nested.
int depth_of(std::string_view json) {
  int depth = 0, deepest = 0;
  bool in_string = false;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') in_string = !in_string;
    if (in_string && c == '\\') ++i;
    if (in_string) continue;
    if (c == '[' || c == '{') deepest = std::max(deepest, ++depth);
    if (c == ']' || c == '}') --depth;
  }
  return deepest;
}

GlbChunks split_glb(std::string_view bytes, const std::string& name) {
  ByteScanner scanner(name, bytes, std::endian::little);
  const size_t first = std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size());
  if (bytes.substr(first).starts_with('{')) {
    scanner.fail(
        "this is a glTF file in text, whose numbers lie in other files; export it as .glb (glTF binary)");
  }
  if (scanner.read<std::uint32_t>("the word 'glTF'") != kGlbMagic)
    scanner.fail("this is not a .glb file: it does not begin with 'glTF'");
  const std::uint32_t version = scanner.read<std::uint32_t>("the version");
  if (version != 2) scanner.fail(format("glTF version {} is not read; export version 2", version));
  const std::uint32_t length = scanner.read<std::uint32_t>("the length of the file");
  if (length > bytes.size())
    scanner.fail(format("the file should have {} bytes and has {}; is it cut off?", length, bytes.size()));
  GlbChunks chunks;
  while (static_cast<std::uint32_t>(scanner.position()) < length) {
    const std::uint32_t size = scanner.read<std::uint32_t>("the length of a chunk");
    const std::uint32_t kind = scanner.read<std::uint32_t>("the kind of a chunk");
    if (chunks.json.empty() && kind != kGlbJson) scanner.fail("the first chunk must be JSON");
    const size_t begin = static_cast<size_t>(scanner.position());
    const std::string_view chunk = scanner.take(size, "a chunk");
    if (kind == kGlbJson && chunks.json.empty()) chunks.json = chunk;
    if (kind == kGlbBinary && chunks.binary_size == 0) {
      chunks.binary_begin = begin;
      chunks.binary_size = chunk.size();
    }
    if (chunks.json.empty()) scanner.fail("the JSON chunk is empty");
  }
  if (chunks.json.empty()) scanner.fail("there is no JSON chunk");
  if (chunks.json.size() > kMostJson)
    scanner.fail("the JSON is larger than 16 MiB; export fewer objects at a time");
  return chunks;
}

}  // namespace

struct GltfDocument::Contents {
  std::string name;
  std::string_view bytes;
  GlbChunks chunks;
  Json json;

  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(Complaint{name, 0, 0, message});
  }

  /// A whole number that the file's length, which has 32 bits, could be.
  std::uint64_t whole_number(const Json& value, std::string_view key) const {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > 0xffffffff)
      fail(format("glTF: '{}' must be a whole number from 0 to 4294967295", key));
    return value.get<std::uint64_t>();
  }

  std::uint64_t whole_number(const Json& object, const char* key,
                             std::optional<std::uint64_t> otherwise) const {
    const Json* const value = find(object, key);
    if (value == nullptr && !otherwise) fail(format("glTF: '{}' is missing", key));
    return value == nullptr ? *otherwise : whole_number(*value, key);
  }

  std::optional<size_t> index(const Json& object, const char* key) const {
    const Json* const value = find(object, key);
    return value == nullptr ? std::nullopt : std::optional<size_t>(whole_number(*value, key));
  }

  const Json* find(const Json& object, const char* key) const {
    if (!object.is_object()) fail("glTF: expected an object in braces");
    const auto place = object.find(key);
    return place == object.end() ? nullptr : &*place;
  }

  /// A list; empty where there is none.
  const Json& list(const Json& object, const char* key) const {
    static const Json kNone = Json::array();
    const Json* const value = find(object, key);
    if (value != nullptr && !value->is_array()) fail(format("glTF: '{}' must be a list", key));
    return value == nullptr ? kNone : *value;
  }

  const Json& item(const char* key, size_t index) const {
    const Json& all = list(json, key);
    if (index >= all.size()) fail(format("glTF: {} {} does not exist; there are {}", key, index, all.size()));
    return all[index];
  }

  template <int N>
  std::optional<Eigen::Matrix<double, N, 1>> vector(const Json& object, const char* key) const {
    const Json& values = list(object, key);
    if (values.empty()) return std::nullopt;
    if (values.size() != N) fail(format("glTF: '{}' must have {} numbers", key, N));
    Eigen::Matrix<double, N, 1> result;
    for (int i = 0; i < N; ++i) {
      if (!values[i].is_number()) fail(format("glTF: '{}' must have {} numbers", key, N));
      result[i] = values[i].get<double>();
    }
    return result;
  }

  std::vector<size_t> indices(const Json& object, const char* key) const {
    std::vector<size_t> result;
    for (const Json& value : list(object, key)) result.push_back(whole_number(value, key));
    return result;
  }

  void refuse_extension(const Json& object, const char* extension) const {
    const Json* const extensions = find(object, "extensions");
    if (extensions != nullptr && find(*extensions, extension) != nullptr) refuse(extension);
  }

  /// The kind of an accessor's numbers.
  GltfPlaces kind(const Json& accessor) const {
    GltfPlaces kind;
    const std::uint64_t code = whole_number(accessor, "componentType", {});
    for (const GltfComponent& known : kComponents)
      if (static_cast<std::uint64_t>(known.code) == code) kind.component = &known;
    if (kind.component == nullptr) fail(format("glTF: componentType {} is not known", code));
    const Json* const type = find(accessor, "type");
    kind.components = type != nullptr && type->is_string() ? components_of(type->get<std::string>()) : 0;
    if (kind.components == 0) fail("glTF: the type of an accessor must be SCALAR, VEC2, VEC3 or VEC4");
    const Json* const normalised = find(accessor, "normalized");
    kind.normalised = normalised != nullptr && *normalised == true;
    return kind;
  }

  GltfPlaces places(size_t index) const {
    const Json& accessor = item("accessors", index);
    if (find(accessor, "sparse") != nullptr)
      fail(format("glTF: accessor {} is sparse, which is not read; export without sparse accessors", index));
    const Json& view = item("bufferViews", whole_number(accessor, "bufferView", {}));
    refuse_extension(view, "EXT_meshopt_compression");
    if (whole_number(view, "buffer", {}) != 0 || find(item("buffers", 0), "uri") != nullptr)
      fail("glTF: the numbers lie in another file; export all in one .glb file");
    GltfPlaces result = kind(accessor);
    const std::uint64_t each = static_cast<std::uint64_t>(result.components * result.component->size);
    result.count = whole_number(accessor, "count", {});
    result.stride = whole_number(view, "byteStride", each);
    if (result.stride < each)
      fail(format("glTF: byteStride {} is less than the {} bytes of an element", result.stride, each));
    const std::uint64_t view_begin = whole_number(view, "byteOffset", 0);
    const std::uint64_t view_size = whole_number(view, "byteLength", {});
    const std::uint64_t begin = whole_number(accessor, "byteOffset", 0);
    const std::uint64_t size = result.count == 0 ? 0 : (result.count - 1) * result.stride + each;
    if (view_begin + view_size > chunks.binary_size || begin > view_size || size > view_size - begin) {
      fail(
          format("glTF: {} elements of accessor {} do not fit into the {} bytes of binary data; is the file "
                 "cut off?",
                 result.count, index, chunks.binary_size));
    }
    result.begin = chunks.binary_begin + view_begin + begin;
    return result;
  }

  [[noreturn]] void refuse(std::string_view extension) const {
    fail(format("the file uses {}, which is not read; export it without compression and quantisation",
                extension));
  }
};

GltfDocument::GltfDocument(std::string_view bytes, std::string name) : contents_(new Contents) {
  Contents& c = *contents_;
  c.name = std::move(name);
  c.bytes = bytes;
  c.chunks = split_glb(bytes, c.name);
  if (depth_of(c.chunks.json) > kDeepestJson)
    c.fail(format("the JSON of the file is nested more than {} deep", kDeepestJson));
  try {
    c.json = Json::parse(c.chunks.json);
  } catch (const Json::exception& error) {
    c.fail(format("the JSON of the file is damaged: {}", error.what()));
  }
  for (const Json& extension : c.list(c.json, "extensionsRequired")) {
    for (const char* refused : {"KHR_draco_mesh_compression", "EXT_meshopt_compression",
                                "KHR_meshopt_compression", "KHR_mesh_quantization"})
      if (extension == refused) c.refuse(refused);
  }
}

GltfDocument::~GltfDocument() = default;

void GltfDocument::fail(const std::string& message) const { contents_->fail(message); }

size_t GltfDocument::node_count() const { return contents_->list(contents_->json, "nodes").size(); }

std::vector<size_t> GltfDocument::roots() const {
  const Contents& c = *contents_;
  if (!c.list(c.json, "scenes").empty())
    return c.indices(c.item("scenes", c.whole_number(c.json, "scene", 0)), "nodes");
  std::vector<bool> is_child(node_count(), false);
  for (const Json& node : c.list(c.json, "nodes"))
    for (const size_t child : c.indices(node, "children"))
      if (child < is_child.size()) is_child[child] = true;
  std::vector<size_t> result;
  for (size_t node = 0; node < is_child.size(); ++node)
    if (!is_child[node]) result.push_back(node);
  return result;
}

GltfNode GltfDocument::node(size_t index) const {
  const Contents& c = *contents_;
  const Json& json = c.item("nodes", index);
  GltfNode node;
  if (const auto matrix = c.vector<16>(json, "matrix")) {
    node.transform = Eigen::Affine3d(Eigen::Matrix4d(matrix->data()));  // both column by column
  } else {
    if (const auto translation = c.vector<3>(json, "translation")) node.transform.translate(*translation);
    if (const auto rotation = c.vector<4>(json, "rotation")) {
      if (!(rotation->norm() > 0)) fail("glTF: a 'rotation' must not be zero");
      node.transform.rotate(Eigen::Quaterniond(*rotation).normalized());
    }
    if (const auto scale = c.vector<3>(json, "scale")) node.transform.scale(*scale);
  }
  node.children = c.indices(json, "children");
  node.mesh = c.index(json, "mesh");
  return node;
}

std::vector<GltfPrimitive> GltfDocument::primitives(size_t mesh) const {
  const Contents& c = *contents_;
  std::vector<GltfPrimitive> result;
  for (const Json& json : c.list(c.item("meshes", mesh), "primitives")) {
    c.refuse_extension(json, "KHR_draco_mesh_compression");
    GltfPrimitive& primitive = result.emplace_back();
    const std::uint64_t mode = c.whole_number(json, "mode", 4);
    if (mode > 6) fail(format("glTF: the mode of a primitive is {}; it must be from 0 to 6", mode));
    primitive.mode = static_cast<int>(mode);
    primitive.indices = c.index(json, "indices");
    const Json* const attributes = c.find(json, "attributes");
    if (attributes == nullptr || !attributes->is_object()) fail("glTF: a primitive has no 'attributes'");
    for (const auto& attribute : attributes->items())
      primitive.attributes.emplace_back(attribute.key(), c.whole_number(attribute.value(), "attributes"));
  }
  return result;
}

Index GltfDocument::count(size_t accessor) const {
  return static_cast<Index>(contents_->whole_number(contents_->item("accessors", accessor), "count", {}));
}

GltfNumbers GltfDocument::numbers(size_t accessor) const {
  const Contents& c = *contents_;
  const GltfPlaces places = c.places(accessor);
  ByteScanner scanner(c.name, c.bytes, std::endian::little);
  GltfNumbers result;
  result.components = places.components;
  for (std::uint64_t i = 0; i < places.count; ++i) {
    scanner.seek(places.begin + i * places.stride, "an element");
    for (int k = 0; k < places.components; ++k) {
      const double value = read_component(scanner, places.component->code);
      // The most negative whole number is one more than the largest one.
      result.values.push_back(places.normalised ? std::max(value / places.component->largest, -1.0) : value);
    }
  }
  return result;
}

}  // namespace pliant
