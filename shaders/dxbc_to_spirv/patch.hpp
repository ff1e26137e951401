// SPDX-License-Identifier: MIT
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
/// becomes one with a condition, a `breakc` of a switch becomes an `if` around a `break`, barriers
/// of memory alone become those of the group (module/barriers.hpp), operands of a least precision
/// have the full one, inputs of a centroid or a sample become those of the middle of the pixel,
/// unsigned products become signed ones of the same bits. Outputs that choose a layer or viewport
/// become plain ones: targets have one of each (host.md 3.2).
[[nodiscard]] auto simplify(shader_parts& parts) noexcept -> result<void>;

/// Rewrites `mov` with a partial mask and the identity swizzle: libvkd3d-shader 1.2 copies the
/// whole register for it. Lanes that are not written get the first that is.
void fix_partial_moves(shader_parts& parts) noexcept;

/// Writes operands of one component in one form: registers such as the primitive id get the
/// swizzle .xxxx, because the compiler aborts where a lane other than x is written from one
/// without; t# of one component one that repeats it; and oMask is declared with its component.
void select_components(shader_parts& parts) noexcept;

/// Makes results what Direct3D says that they are: `ftou` of a negative or NaN is 0 and of more
/// than fits the largest number, where Vulkan leaves them undefined; `firstbit_hi` and
/// `firstbit_shi` are -1 where there is no such bit, where the compiler has 32; shifts go by the
/// lowest five bits of their amount, bit fields end at bit 31, sizes that `resinfo` tells as
/// reciprocals are such, and offsets of `gather4_po` are their lowest six bits. Writes `uaddc`,
/// `usubb` and two results of different masks in other words. Computes in registers behind those of
/// the program.
[[nodiscard]] auto define_results(shader_parts& parts) noexcept -> result<void>;

/// Gives the control points that a domain shader takes as many elements and rows as its hull
/// shader's have: the compiler numbers the constants of the patch from there on.
[[nodiscard]] auto place_patch_constants(shader_parts& parts,
                                         const tessellation_facts& hull) noexcept -> result<void>;

/// Makes a pixel shader begin with (0, 0, 0, 1) in all its targets: what it leaves unwritten,
/// always or on some way through it, is that (host.md 3.2).
[[nodiscard]] auto complete_targets(shader_parts& parts) noexcept -> result<void>;

/// Makes a vertex, domain or geometry shader write 0 to `extra` where it writes nothing.
[[nodiscard]] auto add_outputs(shader_parts& parts, const interface_registers& extra) noexcept
    -> result<void>;

}  // namespace aerogpu::dxbc
