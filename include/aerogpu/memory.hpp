// SPDX-License-Identifier: MIT
/// \file The memory layer: guest memory, formats, texture layout, allocation tables, private data.
#pragma once

#include "aerogpu/memory/alloc_private_data.hpp"
#include "aerogpu/memory/alloc_private_rules.hpp"
#include "aerogpu/memory/alloc_table.hpp"
#include "aerogpu/memory/alloc_table_builder.hpp"
#include "aerogpu/memory/format.hpp"
#include "aerogpu/memory/guest_memory.hpp"
#include "aerogpu/memory/memory_ref.hpp"
#include "aerogpu/memory/texture_layout.hpp"
#include "aerogpu/memory/texture_range.hpp"
#include "aerogpu/memory/texture_rectangle.hpp"
#include "aerogpu/memory/texture_rows.hpp"
#include "aerogpu/memory/umd_private_data.hpp"
