// SPDX-License-Identifier: MIT
/// \file The Direct3D 9 DDI in the portable shape (umd-d3d9.md 1.2), whole.
#pragma once

#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/ddi/portable/callbacks.hpp"
#include "drivers/win7/ddi/portable/drawing.hpp"
#include "drivers/win7/ddi/portable/extended_table.hpp"
#include "drivers/win7/ddi/portable/handles.hpp"
#include "drivers/win7/ddi/portable/opaque_callbacks.hpp"
#include "drivers/win7/ddi/portable/presenting.hpp"
#include "drivers/win7/ddi/portable/resources.hpp"
#include "drivers/win7/ddi/portable/tables.hpp"
