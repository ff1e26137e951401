/// \file The handlers of all packets.
#pragma once

#include "aerogpu/processor/handlers_binding.hpp"
#include "aerogpu/processor/handlers_clear.hpp"
#include "aerogpu/processor/handlers_content.hpp"
#include "aerogpu/processor/handlers_copy.hpp"
#include "aerogpu/processor/handlers_create.hpp"
#include "aerogpu/processor/handlers_destroy.hpp"
#include "aerogpu/processor/handlers_draw.hpp"
#include "aerogpu/processor/handlers_misc.hpp"
#include "aerogpu/processor/handlers_present.hpp"
#include "aerogpu/processor/handlers_shader.hpp"
#include "aerogpu/processor/handlers_share.hpp"
#include "aerogpu/processor/handlers_state.hpp"
