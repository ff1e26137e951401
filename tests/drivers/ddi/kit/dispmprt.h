/* SPDX-License-Identifier: MIT */
// Stands for a kit that declares nothing; see kit_switch.cpp.
#define KIT_DISPMPRT DXGKDDI_INTERFACE_VERSION
