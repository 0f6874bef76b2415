#pragma once

namespace pliant::python {

/// From now on what the library has to say waits for `deliver_messages`: it may come from any thread, and a
/// thread that waits for Python's lock there could be waited for by who holds it.
void collect_messages();

/// Hands what waits to Python's `warnings`. With Python's lock only; throws where warnings are errors.
void deliver_messages();

}  // namespace pliant::python
