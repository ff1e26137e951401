// SPDX-License-Identifier: MIT
/// \file Containers on a heap that can run out, limits, and the bytes of a snapshot: all of the
/// layer.
#pragma once

#include "aerogpu/hosted/bounded_cache.hpp"
#include "aerogpu/hosted/byte_quota.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/hosted/heap_map.hpp"
#include "aerogpu/hosted/heap_pointer.hpp"
#include "aerogpu/hosted/heap_queue.hpp"
#include "aerogpu/hosted/keyed_hash.hpp"
#include "aerogpu/hosted/limit_table.hpp"
#include "aerogpu/hosted/limits.hpp"
#include "aerogpu/hosted/object_pool.hpp"
#include "aerogpu/hosted/object_table.hpp"
#include "aerogpu/hosted/snapshot_archive.hpp"
#include "aerogpu/hosted/snapshot_io.hpp"
