// SPDX-License-Identifier: MIT
// A program outside of the project: a guest clears and presents, and the device shows the color.
#include "guest.hpp"
#include "null/null_backend.hpp"

auto main() -> int {
  null_backend backend;
  return run_guest(backend, [](auto& w) { return w.clear({.color = {0.2f, 0.4f, 0.6f, 1.0f}}); });
}
