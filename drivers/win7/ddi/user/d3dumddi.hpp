// SPDX-License-Identifier: MIT
/// \file The Direct3D 9 user-mode DDI of Windows 7 (D3D_UMD_INTERFACE_VERSION 0x2003).
#pragma once

#include "drivers/win7/ddi/d3d9/d3d9_caps.hpp"
#include "drivers/win7/ddi/d3d9/d3d9_types.hpp"
#include "drivers/win7/ddi/d3dukmdt_types.hpp"
#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/ddi/user/d3dumddi_callbacks.hpp"
#include "drivers/win7/ddi/user/d3dumddi_caps.hpp"
#include "drivers/win7/ddi/user/d3dumddi_device_functions.hpp"
#include "drivers/win7/ddi/user/d3dumddi_drawing.hpp"
#include "drivers/win7/ddi/user/d3dumddi_flags.hpp"
#include "drivers/win7/ddi/user/d3dumddi_resources.hpp"
#include "drivers/win7/ddi/user/d3dumddi_states.hpp"
#include "drivers/win7/ddi/user/d3dumddi_tables.hpp"
#include "drivers/win7/ddi/user/d3dumddi_values.hpp"
#include "drivers/win7/ddi/user/user_types.hpp"
