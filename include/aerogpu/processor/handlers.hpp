/// \file The handlers of all packets.
#pragma once

#include "aerogpu/processor/handlers_content.hpp"
#include "aerogpu/processor/handlers_copy.hpp"
#include "aerogpu/processor/handlers_create.hpp"
#include "aerogpu/processor/handlers_destroy.hpp"
#include "aerogpu/processor/handlers_misc.hpp"
#include "aerogpu/processor/handlers_share.hpp"
