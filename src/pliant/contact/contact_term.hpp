#pragma once

#include <memory>
#include <vector>

#include "pliant/contact/contact_point.hpp"
#include "pliant/potential/potential.hpp"

namespace pliant {

/// A contact that is part of the energy: nothing where nothing touches, never negative.
class ContactTerm : public StageTerm {
 public:
  virtual std::unique_ptr<ContactTerm> clone_contact() const = 0;
  virtual std::unique_ptr<ContactTerm> contact_piece(const Piece& piece) const = 0;
  std::unique_ptr<StageTerm> clone() const final { return clone_contact(); }
  std::unique_ptr<StageTerm> stage_piece(const Piece& piece) const final { return contact_piece(piece); }

  double stiffness() const override { return 0; }  // where nothing touches

  /// Where it acts at x, with the force there.
  virtual void add_contacts(const Vector& x, std::vector<ContactPoint>& contacts) const = 0;

  /// Of the vertex that is deepest inside of a body, m; 0 where none is.
  virtual double overlap(const Vector&) const { return 0; }

  /// Whether it takes as long as all the rest, so that it is not evaluated where the rest says enough.
  virtual bool is_costly() const { return false; }

  /// Whether it is found anew when an iteration begins, as the springs of liu-2018, section 8.5; the energy
  /// is then another one in each iteration.
  virtual bool is_found_anew() const { return false; }
  struct Renewal {
    bool changed = false;  ///< the energy is another one
    Index fresh = 0;       ///< contacts that were none before
    Index all = 0;
  };
  /// Finds what touches at x and corrects the gradient there.
  virtual Renewal begin_iteration(const Vector& x, Vector& gradient) {
    static_cast<void>(x);
    static_cast<void>(gradient);
    return {};
  }

  /// Whether any body may touch any other.
  virtual bool joins_bodies() const { return false; }
};

}  // namespace pliant
