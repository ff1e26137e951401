// SPDX-License-Identifier: MIT
/// \file The core layer: errors, results, checked arithmetic, bytes, ids, small containers, text.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/check.hpp"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/core/error.hpp"
#include "aerogpu/core/feature_text.hpp"
#include "aerogpu/core/fixed_vector.hpp"
#include "aerogpu/core/float_text.hpp"
#include "aerogpu/core/hash.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/language.hpp"
#include "aerogpu/core/named_member.hpp"
#include "aerogpu/core/random.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/core/span_map.hpp"
#include "aerogpu/core/span_queue.hpp"
#include "aerogpu/core/text.hpp"
