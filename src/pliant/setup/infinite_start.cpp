// A material that forbids inversion cannot start from it.
#include <algorithm>
#include <cmath>

#include "pliant/base/text.hpp"
#include "pliant/setup/start.hpp"

namespace pliant {

std::vector<BodyComplaint> find_infinite_starts(const Model& model, const std::vector<std::string>& materials,
                                                const State& state) {
  std::vector<BodyComplaint> complaints;
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const std::string& name = model.bodies[b].name;
    const auto term = std::find_if(model.terms.begin(), model.terms.end(),
                                   [&](const Term& candidate) { return candidate.body == name; });
    if (term == model.terms.end()) continue;
    std::vector<double> energies(static_cast<size_t>(term->potential->contributions()));
    term->potential->evaluate(state.x, energies, nullptr);
    const auto infinite = [](double energy) { return !std::isfinite(energy); };
    const auto first = std::find_if(energies.begin(), energies.end(), infinite);
    if (first == energies.end()) continue;
    complaints.push_back(
        {b, format("body {} starts with {} flat or inverted elements (the first is {}), where the energy of "
                   "{} is infinite; "
                   "use another start, or a material that untangles itself such as fixed-corotated",
                   name, std::count_if(first, energies.end(), infinite), first - energies.begin(),
                   materials[b])});
  }
  return complaints;
}

}  // namespace pliant
