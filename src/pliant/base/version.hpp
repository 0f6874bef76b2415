#pragma once

#include <string>

namespace pliant {

std::string version();      ///< "0.1.0"
std::string build_flags();  ///< what the library was compiled with
std::string build_id();  ///< changes when a rebuilt library may give other bits; a checkpoint is bound to it
int simd_width();        ///< doubles worked on at once
std::string cpu_name();

}  // namespace pliant
