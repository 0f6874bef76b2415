#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "pliant/contact/contact.hpp"
#include "pliant/setup/plan.hpp"

namespace pliant {

/// A way of keeping bodies out of obstacles.
struct ObstacleContact {
  ContactWay way;
  std::string_view summary;
  /// Of those obstacles of the model that are met that way.
  std::unique_ptr<Contact> (*make)(const ModelPlan& plan, const Model& model);
  bool needs_exact_distance = false;  ///< a surface or a distance on a grid will not do
  bool has_stiffness = false;         ///< an obstacle may have its own
  std::string_view name = pliant::name(way);
};

/// All of them.
std::span<const ObstacleContact> obstacle_contacts();

const ObstacleContact& obstacle_contact(ContactWay way);
/// Null where none has that name.
const ObstacleContact* find_obstacle_contact(std::string_view name);

/// What a contact of that way demands, of whatever obstacles.
Demands demands_of(ContactWay way);

}  // namespace pliant
