// SPDX-License-Identifier: MIT
/// \file The image of a loaded driver: where its code is, and what its imports are bound to.
#pragma once

#include <cstddef>

namespace aerogpu::run_sys {

/// What an import gets that has `present` now; nullptr: nothing serves it.
using import_choice = void*(const char* name, void* present);

/// Gives each import of a loaded image what `choose` says, and takes the image's code for the
/// driver's from then on. How many there are. A line on stderr and the program's end where an
/// import is not served.
auto bind_imports(std::byte* image, import_choice* choose) -> unsigned;
[[nodiscard]] auto entry_point(std::byte* image) -> void*;
/// Whether the address is in the image that was bound last.
[[nodiscard]] auto is_driver_code(const void* address) noexcept -> bool;

}  // namespace aerogpu::run_sys
