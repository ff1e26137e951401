// SPDX-License-Identifier: MIT
/// \file Every size, offset and value of kmd.md 1.3, 1.4, 2.13 and 6, and those of the thunks'
/// arguments, for x64 and x86: a test by compiling. Not for use in a driver.
#pragma once

#include "drivers/win7/ddi/layout/adapter.hpp"
#include "drivers/win7/ddi/layout/d3dkmt.hpp"
#include "drivers/win7/ddi/layout/initialization.hpp"
#include "drivers/win7/ddi/layout/memory.hpp"
#include "drivers/win7/ddi/layout/nt.hpp"
#include "drivers/win7/ddi/layout/paging.hpp"
#include "drivers/win7/ddi/layout/status.hpp"
#include "drivers/win7/ddi/layout/submit.hpp"
#include "drivers/win7/ddi/layout/tables.hpp"
#include "drivers/win7/ddi/layout/values.hpp"
#include "drivers/win7/ddi/layout/vidpn.hpp"
