// SPDX-License-Identifier: MIT
/// \file The display DDI of Windows 7, kernel side (DXGKDDI_INTERFACE_VERSION 0x2005).
#pragma once

#include "drivers/win7/ddi/kernel/driver_initialization_data.hpp"
#include "drivers/win7/ddi/kernel/dxgk_adapter.hpp"
#include "drivers/win7/ddi/kernel/dxgk_display.hpp"
#include "drivers/win7/ddi/kernel/dxgk_interrupt.hpp"
#include "drivers/win7/ddi/kernel/dxgk_memory.hpp"
#include "drivers/win7/ddi/kernel/dxgk_modes.hpp"
#include "drivers/win7/ddi/kernel/dxgk_paging.hpp"
#include "drivers/win7/ddi/kernel/dxgk_standard_allocations.hpp"
#include "drivers/win7/ddi/kernel/dxgk_submit.hpp"
#include "drivers/win7/ddi/kernel/dxgk_vidpn.hpp"
#include "drivers/win7/ddi/kernel/dxgk_vidpn_interfaces.hpp"
#include "drivers/win7/ddi/kernel/dxgkrnl_interface.hpp"
#include "drivers/win7/ddi/nt_resources.hpp"
#include "drivers/win7/ddi/nt_status.hpp"
#include "drivers/win7/ddi/nt_types.hpp"
#include "drivers/win7/ddi/platform.hpp"
