// SPDX-License-Identifier: MIT
/// \file What a backend models, and what draws ask of it: all of the layer.
#pragma once

#include "aerogpu/backend/backend.hpp"
#include "aerogpu/backend/clear_color.hpp"
#include "aerogpu/backend/d3d9_values.hpp"
#include "aerogpu/backend/draw.hpp"
#include "aerogpu/backend/input_layout.hpp"
#include "aerogpu/backend/objects.hpp"
#include "aerogpu/backend/pipeline_state.hpp"
#include "aerogpu/backend/render_area.hpp"
#include "aerogpu/backend/sampler_state.hpp"
#include "aerogpu/backend/vertex_fetch.hpp"
#include "aerogpu/backend/vertex_format.hpp"
