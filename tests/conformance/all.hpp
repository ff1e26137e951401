/// \file Every case of the suite.
#pragma once

#include "tests/conformance/processor_bindings.hpp"
#include "tests/conformance/processor_contexts.hpp"
#include "tests/conformance/processor_copy.hpp"
#include "tests/conformance/processor_copy_texture.hpp"
#include "tests/conformance/processor_create.hpp"
#include "tests/conformance/processor_dirty.hpp"
#include "tests/conformance/processor_draw.hpp"
#include "tests/conformance/processor_framing.hpp"
#include "tests/conformance/processor_present.hpp"
#include "tests/conformance/processor_shaders.hpp"
#include "tests/conformance/processor_share.hpp"
#include "tests/conformance/processor_upload.hpp"
#include "tests/conformance/processor_views.hpp"
