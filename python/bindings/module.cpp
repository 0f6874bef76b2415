// The extension pliant._core. What users import is in python/pliant.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "descend.hpp"
#include "document.hpp"
#include "mesh.hpp"
#include "messages.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/version.hpp"
#include "report.hpp"
#include "simulation.hpp"

namespace pliant::python {

namespace {

namespace nb = nanobind;

nb::dict build_info() {
  nb::dict info;
  info["version"] = version();
  info["flags"] = build_flags();
  info["build_id"] = build_id();
  info["cpu"] = cpu_name();
  info["simd_width"] = simd_width();
  info["native"] = static_cast<bool>(PLIANT_IS_NATIVE);
  info["cholmod"] = static_cast<bool>(PLIANT_HAS_CHOLMOD);
  info["factorisation"] = PLIANT_HAS_CHOLMOD ? "CHOLMOD (its supernodal module is GPL)" : "Eigen";
  info["threads_by"] = PLIANT_HAS_TBB ? "oneTBB" : "the standard library";
  return info;
}

/// Errors keep their words: wrong input is a ValueError, a disk that fails an OSError.
void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const InputError& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const IoError& error) {
    PyErr_SetString(PyExc_OSError, error.what());
  } catch (const NotConverged& error) {
    const nb::object type = nb::module_::import_("pliant.errors").attr("NotConverged");
    PyErr_SetObject(type.ptr(), type(error.report.message, error.report).ptr());
  }
}

}  // namespace

NB_MODULE(_core, module) {
  module.doc() = "The compiled part of pliant.";
  nb::register_exception_translator(translate);
  collect_messages();

  module.def("build_info", &build_info, nb::sig("def build_info() -> dict[str, object]"),
             "What this copy of Pliant was made of: version, compiler flags, factorisation, threads.");
  module.def("set_threads", &set_threads, nb::arg("count"),
             "How many threads steps use, 0 for one a core. No result depends on it.");
  module.def("threads", &threads, "How many threads steps use.");
  bind_mesh(module);
  bind_document(module);
  bind_report(module);
  bind_simulation(module);
  bind_descend(module);
}

}  // namespace pliant::python
