#include "pliant/integrate/energies.hpp"

namespace pliant {

void Energies::add(std::string_view name, double energy) {
  for (Entry& entry : potentials)
    if (entry.name == name) {
      entry.energy += energy;
      return;
    }
  potentials.push_back({std::string(name), energy});
}

void Energies::add(const Energies& more) {
  kinetic += more.kinetic;
  for (const Entry& entry : more.potentials) add(entry.name, entry.energy);
}

double Energies::of(std::string_view name) const {
  for (const Entry& entry : potentials)
    if (entry.name == name) return entry.energy;
  return 0;
}

double Energies::potential() const {
  double sum = 0;
  for (const Entry& entry : potentials) sum += entry.energy;
  return sum;
}

}  // namespace pliant
