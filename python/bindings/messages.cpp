#include "messages.hpp"

#include <nanobind/nanobind.h>

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "pliant/base/log.hpp"

namespace pliant::python {

namespace nb = nanobind;

namespace {

struct Waiting {
  std::mutex mutex;
  std::vector<std::string> messages;
};

Waiting& waiting() {
  static Waiting instance;
  return instance;
}

}  // namespace

void collect_messages() {
  log::set_sink([](log::Level level, const std::string& message) {
    if (level == log::Level::info) return;
    const std::lock_guard lock(waiting().mutex);
    waiting().messages.push_back(message);
  });
}

void deliver_messages() {
  std::vector<std::string> messages;
  {
    const std::lock_guard lock(waiting().mutex);
    messages.swap(waiting().messages);
  }
  if (messages.empty()) return;
  const nb::object category = nb::module_::import_("pliant.errors").attr("PliantWarning");
  for (const std::string& message : messages)
    if (PyErr_WarnEx(category.ptr(), message.c_str(), 1) != 0) throw nb::python_error();
}

}  // namespace pliant::python
