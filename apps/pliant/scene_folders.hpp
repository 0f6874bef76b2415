#pragma once

#include "pliant/scene/gallery.hpp"

namespace pliant {

/// The scenes that come with the program: in $PLIANT_SCENES, in the source tree, beside the installed
/// program.
Gallery scene_gallery();

}  // namespace pliant
