// SPDX-License-Identifier: MIT
/// \file Flags of the Direct3D 9 API: usage, locks, vertex formats, texture arguments.
#pragma once

#include "drivers/win7/ddi/d3d9/d3d9_platform.hpp"

#if !defined(AEROGPU_WITH_WDK) && !defined(AEROGPU_DDI_HAS_D3D9_HEADERS)

// Usage of a resource
inline constexpr DWORD D3DUSAGE_RENDERTARGET = 1;
inline constexpr DWORD D3DUSAGE_DEPTHSTENCIL = 2;
inline constexpr DWORD D3DUSAGE_WRITEONLY = 8;
inline constexpr DWORD D3DUSAGE_SOFTWAREPROCESSING = 0x10;
inline constexpr DWORD D3DUSAGE_DONOTCLIP = 0x20;
inline constexpr DWORD D3DUSAGE_POINTS = 0x40;
inline constexpr DWORD D3DUSAGE_RTPATCHES = 0x80;
inline constexpr DWORD D3DUSAGE_NPATCHES = 0x100;
inline constexpr DWORD D3DUSAGE_DYNAMIC = 0x200;
inline constexpr DWORD D3DUSAGE_AUTOGENMIPMAP = 0x400;
inline constexpr DWORD D3DUSAGE_DMAP = 0x4000;
inline constexpr DWORD D3DUSAGE_RESTRICTED_CONTENT = 0x800;
inline constexpr DWORD D3DUSAGE_RESTRICT_SHARED_RESOURCE_DRIVER = 0x1000;
inline constexpr DWORD D3DUSAGE_RESTRICT_SHARED_RESOURCE = 0x2000;
inline constexpr DWORD D3DUSAGE_NONSECURE = 0x800000;
inline constexpr DWORD D3DUSAGE_TEXTAPI = 0x10000000;
inline constexpr DWORD D3DUSAGE_QUERY_LEGACYBUMPMAP = 0x8000;
inline constexpr DWORD D3DUSAGE_QUERY_SRGBREAD = 0x10000;
inline constexpr DWORD D3DUSAGE_QUERY_FILTER = 0x20000;
inline constexpr DWORD D3DUSAGE_QUERY_SRGBWRITE = 0x40000;
inline constexpr DWORD D3DUSAGE_QUERY_POSTPIXELSHADER_BLENDING = 0x80000;
inline constexpr DWORD D3DUSAGE_QUERY_VERTEXTEXTURE = 0x100000;
inline constexpr DWORD D3DUSAGE_QUERY_WRAPANDMIP = 0x200000;

// Lock
inline constexpr DWORD D3DLOCK_READONLY = 0x10;
inline constexpr DWORD D3DLOCK_NOSYSLOCK = 0x800;
inline constexpr DWORD D3DLOCK_NOOVERWRITE = 0x1000;
inline constexpr DWORD D3DLOCK_DISCARD = 0x2000;
inline constexpr DWORD D3DLOCK_DONOTWAIT = 0x4000;
inline constexpr DWORD D3DLOCK_NO_DIRTY_UPDATE = 0x8000;

// Clear
inline constexpr DWORD D3DCLEAR_TARGET = 1;
inline constexpr DWORD D3DCLEAR_ZBUFFER = 2;
inline constexpr DWORD D3DCLEAR_STENCIL = 4;

// Queries
inline constexpr DWORD D3DISSUE_BEGIN = 2;
inline constexpr DWORD D3DISSUE_END = 1;
inline constexpr DWORD D3DGETDATA_FLUSH = 1;

// Present
inline constexpr DWORD D3DPRESENTFLAG_LOCKABLE_BACKBUFFER = 1;
inline constexpr DWORD D3DPRESENTFLAG_DISCARD_DEPTHSTENCIL = 2;
inline constexpr DWORD D3DPRESENTFLAG_DEVICECLIP = 4;
inline constexpr DWORD D3DPRESENTFLAG_VIDEO = 0x10;
inline constexpr DWORD D3DPRESENTFLAG_NOAUTOROTATE = 0x20;
inline constexpr DWORD D3DPRESENTFLAG_UNPRUNEDMODE = 0x40;
inline constexpr DWORD D3DPRESENTFLAG_OVERLAY_LIMITEDRGB = 0x80;
inline constexpr DWORD D3DPRESENTFLAG_OVERLAY_YCbCr_BT709 = 0x100;
inline constexpr DWORD D3DPRESENTFLAG_OVERLAY_YCbCr_xvYCC = 0x200;
inline constexpr DWORD D3DPRESENTFLAG_RESTRICTED_CONTENT = 0x400;
inline constexpr DWORD D3DPRESENTFLAG_RESTRICT_SHARED_RESOURCE_DRIVER = 0x800;
inline constexpr DWORD D3DPRESENT_DONOTWAIT = 1;
inline constexpr DWORD D3DPRESENT_LINEAR_CONTENT = 2;
inline constexpr DWORD D3DPRESENT_BACK_BUFFERS_MAX = 3;

// Flexible vertex formats
inline constexpr DWORD D3DFVF_TEXTUREFORMAT1 = 3;
inline constexpr DWORD D3DFVF_TEXTUREFORMAT2 = 0;
inline constexpr DWORD D3DFVF_TEXTUREFORMAT3 = 1;
inline constexpr DWORD D3DFVF_TEXTUREFORMAT4 = 2;
inline constexpr DWORD D3DFVF_POSITION_MASK = 0x400E;
inline constexpr DWORD D3DFVF_XYZ = 2;
inline constexpr DWORD D3DFVF_XYZRHW = 4;
inline constexpr DWORD D3DFVF_XYZB1 = 6;
inline constexpr DWORD D3DFVF_XYZB2 = 8;
inline constexpr DWORD D3DFVF_XYZB3 = 0xA;
inline constexpr DWORD D3DFVF_XYZB4 = 0xC;
inline constexpr DWORD D3DFVF_XYZB5 = 0xE;
inline constexpr DWORD D3DFVF_XYZW = 0x4002;
inline constexpr DWORD D3DFVF_NORMAL = 0x10;
inline constexpr DWORD D3DFVF_PSIZE = 0x20;
inline constexpr DWORD D3DFVF_DIFFUSE = 0x40;
inline constexpr DWORD D3DFVF_SPECULAR = 0x80;
inline constexpr DWORD D3DFVF_TEXCOUNT_MASK = 0xF00;
inline constexpr DWORD D3DFVF_TEXCOUNT_SHIFT = 8;
inline constexpr DWORD D3DFVF_TEX0 = 0;
inline constexpr DWORD D3DFVF_TEX1 = 0x100;
inline constexpr DWORD D3DFVF_TEX2 = 0x200;
inline constexpr DWORD D3DFVF_TEX3 = 0x300;
inline constexpr DWORD D3DFVF_TEX4 = 0x400;
inline constexpr DWORD D3DFVF_TEX5 = 0x500;
inline constexpr DWORD D3DFVF_TEX6 = 0x600;
inline constexpr DWORD D3DFVF_TEX7 = 0x700;
inline constexpr DWORD D3DFVF_TEX8 = 0x800;
inline constexpr DWORD D3DFVF_LASTBETA_UBYTE4 = 0x1000;
inline constexpr DWORD D3DFVF_LASTBETA_D3DCOLOR = 0x8000;

// Arguments of texture stages
inline constexpr DWORD D3DTA_SELECTMASK = 0xF;
inline constexpr DWORD D3DTA_DIFFUSE = 0;
inline constexpr DWORD D3DTA_CURRENT = 1;
inline constexpr DWORD D3DTA_TEXTURE = 2;
inline constexpr DWORD D3DTA_TFACTOR = 3;
inline constexpr DWORD D3DTA_SPECULAR = 4;
inline constexpr DWORD D3DTA_TEMP = 5;
inline constexpr DWORD D3DTA_CONSTANT = 6;
inline constexpr DWORD D3DTA_COMPLEMENT = 0x10;
inline constexpr DWORD D3DTA_ALPHAREPLICATE = 0x20;

// Where texture coordinates come from
inline constexpr DWORD D3DTSS_TCI_PASSTHRU = 0;
inline constexpr DWORD D3DTSS_TCI_CAMERASPACENORMAL = 0x10000;
inline constexpr DWORD D3DTSS_TCI_CAMERASPACEPOSITION = 0x20000;
inline constexpr DWORD D3DTSS_TCI_CAMERASPACEREFLECTIONVECTOR = 0x30000;
inline constexpr DWORD D3DTSS_TCI_SPHEREMAP = 0x40000;

// Clip codes
inline constexpr DWORD D3DCS_LEFT = 1;
inline constexpr DWORD D3DCS_RIGHT = 2;
inline constexpr DWORD D3DCS_TOP = 4;
inline constexpr DWORD D3DCS_BOTTOM = 8;
inline constexpr DWORD D3DCS_FRONT = 0x10;
inline constexpr DWORD D3DCS_BACK = 0x20;
inline constexpr DWORD D3DCS_PLANE0 = 0x40;
inline constexpr DWORD D3DCS_PLANE1 = 0x80;
inline constexpr DWORD D3DCS_PLANE2 = 0x100;
inline constexpr DWORD D3DCS_PLANE3 = 0x200;
inline constexpr DWORD D3DCS_PLANE4 = 0x400;
inline constexpr DWORD D3DCS_PLANE5 = 0x800;
inline constexpr DWORD D3DCS_ALL = 0xFFF;

// Colour channels
inline constexpr DWORD D3DCOLORWRITEENABLE_RED = 1;
inline constexpr DWORD D3DCOLORWRITEENABLE_GREEN = 2;
inline constexpr DWORD D3DCOLORWRITEENABLE_BLUE = 4;
inline constexpr DWORD D3DCOLORWRITEENABLE_ALPHA = 8;

// Stream frequencies
inline constexpr DWORD D3DSTREAMSOURCE_INDEXEDDATA = 0x40000000;
inline constexpr DWORD D3DSTREAMSOURCE_INSTANCEDATA = 0x80000000;

// ProcessVertices
inline constexpr DWORD D3DPV_DONOTCOPYDATA = 1;

#endif
