#include "pliant/picture/ray_scene.hpp"

#include <embree3/rtcore.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace pliant {

struct RayScene::Handles {
  RTCDevice device = rtcNewDevice(nullptr);
  RTCScene scene = nullptr;

  ~Handles() {
    if (scene != nullptr) rtcReleaseScene(scene);
    if (device != nullptr) rtcReleaseDevice(device);
  }
};

namespace {

template <class Element>
void* new_buffer(RTCGeometry geometry, RTCBufferType type, RTCFormat format,
                 const std::vector<Element>& elements) {
  static_assert(sizeof(Element) == 12, "three packed numbers of four bytes");
  void* buffer = rtcSetNewGeometryBuffer(geometry, type, 0, format, sizeof(Element), elements.size());
  if (buffer != nullptr) std::copy(elements.begin(), elements.end(), static_cast<Element*>(buffer));
  return buffer;
}

void set_ray(RTCRay& out, const Ray& ray, float far) {
  out.org_x = ray.origin.x();
  out.org_y = ray.origin.y();
  out.org_z = ray.origin.z();
  out.dir_x = ray.direction.x();
  out.dir_y = ray.direction.y();
  out.dir_z = ray.direction.z();
  out.tnear = 0;
  out.tfar = far;
  out.time = 0;
  out.mask = ~0U;
  out.id = 0;
  out.flags = 0;
}

}  // namespace

RayScene::RayScene(std::span<const std::vector<Eigen::Vector3f>> vertices,
                   std::span<const std::vector<std::array<int, 3>>> triangles)
    : handles_(std::make_unique<Handles>()) {
  if (handles_->device == nullptr)
    throw std::runtime_error("the ray tracer (Embree) does not start on this machine");
  handles_->scene = rtcNewScene(handles_->device);
  for (size_t i = 0; i < vertices.size(); ++i) {
    const RTCGeometry geometry = rtcNewGeometry(handles_->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    new_buffer(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, vertices[i]);
    new_buffer(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, triangles[i]);
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(handles_->scene, geometry, static_cast<unsigned>(i));
    rtcReleaseGeometry(geometry);
  }
  rtcCommitScene(handles_->scene);
  if (rtcGetDeviceError(handles_->device) != RTC_ERROR_NONE) {
    throw std::runtime_error(
        "the ray tracer (Embree) cannot take the meshes in; perhaps there is not enough memory");
  }
}

RayScene::~RayScene() = default;

bool RayScene::nearest(const Ray& ray, RayHit& hit) const {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRayHit query;
  set_ray(query.ray, ray, std::numeric_limits<float>::infinity());
  query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
  rtcIntersect1(handles_->scene, &context, &query);
  if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return false;
  hit = {query.ray.tfar, static_cast<int>(query.hit.geomID), static_cast<int>(query.hit.primID), query.hit.u,
         query.hit.v};
  return true;
}

bool RayScene::occluded(const Ray& ray, float distance) const {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRay query;
  set_ray(query, ray, distance);
  rtcOccluded1(handles_->scene, &context, &query);
  return query.tfar < 0;  // Embree's sign that something was hit
}

}  // namespace pliant
