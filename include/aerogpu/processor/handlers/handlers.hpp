// SPDX-License-Identifier: MIT
/// \file The handlers of all packets.
#pragma once

#include "aerogpu/processor/handlers/binding.hpp"
#include "aerogpu/processor/handlers/clear.hpp"
#include "aerogpu/processor/handlers/content.hpp"
#include "aerogpu/processor/handlers/copy.hpp"
#include "aerogpu/processor/handlers/create.hpp"
#include "aerogpu/processor/handlers/destroy.hpp"
#include "aerogpu/processor/handlers/draw.hpp"
#include "aerogpu/processor/handlers/misc.hpp"
#include "aerogpu/processor/handlers/present.hpp"
#include "aerogpu/processor/handlers/shader.hpp"
#include "aerogpu/processor/handlers/share.hpp"
#include "aerogpu/processor/handlers/state.hpp"
