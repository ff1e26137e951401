// SPDX-License-Identifier: MIT
#include "drivers/sim/runtime/ddi/guarded.hpp"

#include <string>

namespace aerogpu::sim {

void record_overrun(contract& rules, const char* what, std::size_t size) {
  rules.record(contract_rule::structure_overrun,
               std::string{what} + ": written behind its " + std::to_string(size) + " bytes");
}

void record_changed_input(contract& rules, const char* what) {
  rules.record(contract_rule::input_changed, std::string{what} + ": an input was changed");
}

}  // namespace aerogpu::sim
