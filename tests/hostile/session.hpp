// SPDX-License-Identifier: MIT
/// \file One attack's host: checked with an honest picture before the attack and after it, its cost
/// measured between.
#pragma once

#include "tests/hostile/attacks/attack.hpp"
#include "tests/hostile/guest.hpp"
#include "tests/hostile/usage.hpp"

#include <memory>
#include <vector>

namespace aerogpu::hostile {

class session {
 public:
  explicit session(const computer_options& options = {});
  session(const session&) = delete;
  auto operator=(const session&) -> session& = delete;
  ~session();

  [[nodiscard]] auto g() -> guest& { return *guest_; }
  [[nodiscard]] auto pc() -> computer& { return *computer_; }

  /// An honest guest, a process of the same machine, draws and presents: the picture is what it was
  /// before the attack, and the validation layers said nothing.
  void must_serve();
  /// The same after the guest's kernel started anew.
  void must_serve_after_reset();

 private:
  [[nodiscard]] auto honest_picture() -> std::vector<std::byte>;

  std::unique_ptr<computer> computer_;
  std::unique_ptr<guest> guest_;
  std::vector<std::byte> picture_;
};

/// Validation on, for attacks on what is handed to the driver.
[[nodiscard]] auto validated() -> computer_options;
/// No rasteriser: for attacks on the device and the processor.
[[nodiscard]] auto on_null() -> computer_options;

/// Compares what was taken since the first session was made with what the attack may take.
void check_cost(const cost_limit& most);
/// What lies ahead counts from here: what an attack holds of its own is no cost of the host.
void begin_cost();

}  // namespace aerogpu::hostile
