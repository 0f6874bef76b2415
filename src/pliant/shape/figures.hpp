#pragma once

#include "pliant/spatial/shape.hpp"

namespace pliant {

// Animals and toys modelled from the other shapes, to simulate things that look like something. They stand
// about the origin, face +z with up along +y, and are about `size` tall, or long where they are longer than
// tall.

ShapePointer make_creature(double size);
ShapePointer make_duck(double size);
ShapePointer make_hippo(double size);
ShapePointer make_teddy(double size);

}  // namespace pliant
