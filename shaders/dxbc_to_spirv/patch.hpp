/// \file Programs changed before they are compiled: for the compiler's mistakes, and for what
/// Vulkan leaves undefined and Direct3D does not (shaders.md 3.5).
#pragma once

#include "dxbc_to_spirv/compile.hpp"
#include "dxbc_to_spirv/program/container.hpp"

namespace aerogpu::dxbc {

// Precondition of all: `check_program` accepts the parts. Errors of all: out_of_memory; the parts
// are of no use then.

/// Writes in other words what the compiler does not know, and leaves out what cannot be reached:
/// comments go, code behind a jump goes, `emit_then_cut` becomes two, a jump at the end of a loop
/// becomes one with a condition, unsigned products become signed ones of the same bits.
[[nodiscard]] auto simplify(shader_parts& parts) noexcept -> result<void>;

/// Rewrites `mov` with a partial mask and the identity swizzle: libvkd3d-shader 1.2 copies the
/// whole register for it. Lanes that are not written get the first that is.
void fix_partial_moves(shader_parts& parts) noexcept;

/// Gives registers of one component, such as the primitive id, the swizzle .xxxx: the compiler
/// aborts where a lane other than x is written from one without.
void select_scalars(shader_parts& parts) noexcept;

/// Makes a pixel shader begin with (0, 0, 0, 1) in all its targets: what it leaves unwritten,
/// always or on some way through it, is that (host.md 3.2).
[[nodiscard]] auto complete_targets(shader_parts& parts) noexcept -> result<void>;

/// Makes a vertex, domain or geometry shader write 0 to `extra` where it writes nothing.
[[nodiscard]] auto add_outputs(shader_parts& parts, const interface_registers& extra) noexcept
    -> result<void>;

}  // namespace aerogpu::dxbc
