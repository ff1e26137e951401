/* SPDX-License-Identifier: MIT */
// Stands for a kit that declares nothing; see kit_switch_user.cpp.
#define KIT_D3DUMDDI D3D_UMD_INTERFACE_VERSION
