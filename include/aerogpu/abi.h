/* SPDX-License-Identifier: MIT */
/* The whole wire ABI 1.4, as C.
 *
 * Little-endian and byte-packed, so a 64-bit field may lie at any multiple of 4. Names ending in
 * _f32 hold the bits of a float. Reserved fields are written 0 and not read, unless a comment gives
 * them a meaning. Every enumerator travels in a 32-bit field, which may hold any other value. */
#pragma once

#include "aerogpu/abi/alloc_table.h"
#include "aerogpu/abi/cmd_binding.h"
#include "aerogpu/abi/cmd_draw.h"
#include "aerogpu/abi/cmd_input_assembler.h"
#include "aerogpu/abi/cmd_input_layout.h"
#include "aerogpu/abi/cmd_present.h"
#include "aerogpu/abi/cmd_resource.h"
#include "aerogpu/abi/cmd_shader.h"
#include "aerogpu/abi/cmd_state.h"
#include "aerogpu/abi/cmd_stream.h"
#include "aerogpu/abi/dbgctl_escape.h"
#include "aerogpu/abi/escape.h"
#include "aerogpu/abi/fence_page.h"
#include "aerogpu/abi/format.h"
#include "aerogpu/abi/mmio.h"
#include "aerogpu/abi/pci.h"
#include "aerogpu/abi/ring.h"
#include "aerogpu/abi/shader_stage.h"
#include "aerogpu/abi/umd_private.h"
#include "aerogpu/abi/version.h"
#include "aerogpu/abi/wddm_alloc.h"
#include "aerogpu/abi/win7_dma.h"
