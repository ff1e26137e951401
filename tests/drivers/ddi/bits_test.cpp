// SPDX-License-Identifier: MIT
// Where the named bits of the display DDI lie in their words (kmd.md 6).
#include "drivers/win7/ddi/ddi.hpp"
#include "tests/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace {

/// A structure of zeroes in which one field was set to ones, as 32-bit words.
template <class Type, class Set>
std::vector<std::uint32_t> words_after(Set set) {
  static_assert(sizeof(Type) % 4 == 0);
  Type value;
  std::memset(static_cast<void*>(&value), 0, sizeof value);
  set(value);
  std::vector<std::uint32_t> words(sizeof value / 4);
  std::memcpy(words.data(), &value, sizeof value);
  return words;
}

struct named_bits {
  std::string_view name;
  std::vector<std::uint32_t> (*words)();
  std::size_t offset;  ///< Of the word, in bytes, on x64.
  unsigned first;
  unsigned last;
};

constexpr std::uint32_t bits_between(unsigned first, unsigned last) {
  return (0xFFFFFFFFu >> (31 - last)) & (0xFFFFFFFFu << first);
}

#define AEROGPU_BITS(type, field, offset, first, last)                                                \
  named_bits {                                                                                        \
#type "." #field,                                                                                 \
        [] { return words_after<type>([](type& value) { value.field = ones(last - first); }); },      \
                                                                                              offset, \
                                                                                              first,  \
                                                                                              last    \
  }

/// As many ones as the field has bits, and no more: a narrower field would drop one.
constexpr UINT ones(unsigned last_bit) {
  return 0xFFFFFFFFu >> (31 - last_bit);
}

const named_bits table[] = {
    AEROGPU_BITS(DXGKARGCB_GETHANDLEDATA, Flags.DeviceSpecific, 8, 0, 0),
    AEROGPU_BITS(DXGKARGCB_NOTIFY_INTERRUPT_DATA, Flags.ValidPhysicalAdapterMask, 72, 0, 0),
    AEROGPU_BITS(DXGK_DRIVERCAPS, PointerCaps.Monochrome, 32, 0, 0),
    AEROGPU_BITS(DXGK_DRIVERCAPS, PointerCaps.Color, 32, 1, 1),
    AEROGPU_BITS(DXGK_DRIVERCAPS, PointerCaps.MaskedColor, 32, 2, 2),
    AEROGPU_BITS(DXGK_DRIVERCAPS, GammaRampCaps.Gamma_Rgb256x3x16, 48, 0, 0),
    AEROGPU_BITS(DXGK_DRIVERCAPS, PresentationCaps.NoScreenToScreenBlt, 52, 0, 0),
    AEROGPU_BITS(DXGK_DRIVERCAPS, PresentationCaps.NoOverlapScreenBlt, 52, 1, 1),
    AEROGPU_BITS(DXGK_DRIVERCAPS, PresentationCaps.SupportKernelModeCommandBuffer, 52, 2, 2),
    AEROGPU_BITS(DXGK_DRIVERCAPS, PresentationCaps.NoSameBitmapAlphaBlend, 52, 3, 3),
    AEROGPU_BITS(DXGK_DRIVERCAPS, PresentationCaps.NoSameBitmapStretchBlt, 52, 4, 4),
    AEROGPU_BITS(DXGK_DRIVERCAPS, PresentationCaps.NoSameBitmapTransparentBlt, 52, 5, 5),
    AEROGPU_BITS(DXGK_DRIVERCAPS, PresentationCaps.NoSameBitmapOverlappedAlphaBlend, 52, 6, 6),
    AEROGPU_BITS(DXGK_DRIVERCAPS, PresentationCaps.NoSameBitmapOverlappedStretchBlt, 52, 7, 7),
    AEROGPU_BITS(DXGK_DRIVERCAPS, PresentationCaps.DriverSupportsCddDwmInterop, 52, 8, 8),
    AEROGPU_BITS(DXGK_DRIVERCAPS, PresentationCaps.AlignmentShift, 52, 10, 13),
    AEROGPU_BITS(DXGK_DRIVERCAPS, PresentationCaps.MaxTextureWidthShift, 52, 14, 16),
    AEROGPU_BITS(DXGK_DRIVERCAPS, PresentationCaps.MaxTextureHeightShift, 52, 17, 19),
    AEROGPU_BITS(DXGK_DRIVERCAPS, PresentationCaps.SupportAllBltRops, 52, 20, 20),
    AEROGPU_BITS(DXGK_DRIVERCAPS, PresentationCaps.SupportMirrorStretchBlt, 52, 21, 21),
    AEROGPU_BITS(DXGK_DRIVERCAPS, PresentationCaps.SupportMonoStretchBltModes, 52, 22, 22),
    AEROGPU_BITS(DXGK_DRIVERCAPS, PresentationCaps.StagingRectStartPitchAligned, 52, 23, 23),
    AEROGPU_BITS(DXGK_DRIVERCAPS, PresentationCaps.NoSameBitmapBitBlt, 52, 24, 24),
    AEROGPU_BITS(DXGK_DRIVERCAPS, PresentationCaps.NoSameBitmapOverlappedBitBlt, 52, 25, 25),
    AEROGPU_BITS(DXGK_DRIVERCAPS, PresentationCaps.NoTempSurfaceForClearTypeBlend, 52, 27, 27),
    AEROGPU_BITS(DXGK_DRIVERCAPS, FlipCaps.FlipOnVSyncWithNoWait, 60, 0, 0),
    AEROGPU_BITS(DXGK_DRIVERCAPS, FlipCaps.FlipOnVSyncMmIo, 60, 1, 1),
    AEROGPU_BITS(DXGK_DRIVERCAPS, FlipCaps.FlipInterval, 60, 2, 2),
    AEROGPU_BITS(DXGK_DRIVERCAPS, FlipCaps.FlipImmediateMmIo, 60, 3, 3),
    AEROGPU_BITS(DXGK_DRIVERCAPS, SchedulingCaps.MultiEngineAware, 64, 0, 0),
    AEROGPU_BITS(DXGK_DRIVERCAPS, SchedulingCaps.VSyncPowerSaveAware, 64, 1, 1),
    AEROGPU_BITS(DXGK_DRIVERCAPS, MemoryManagementCaps.OutOfOrderLock, 68, 0, 0),
    AEROGPU_BITS(DXGK_DRIVERCAPS, MemoryManagementCaps.DedicatedPagingEngine, 68, 1, 1),
    AEROGPU_BITS(DXGK_DRIVERCAPS, MemoryManagementCaps.PagingEngineCanSwizzle, 68, 2, 2),
    AEROGPU_BITS(DXGK_DRIVERCAPS, VirtualAddressCaps.PrivilegedMemorySupported, 340, 0, 0),
    AEROGPU_BITS(DXGK_DRIVERCAPS, VirtualAddressCaps.ReadOnlyMemorySupported, 340, 1, 1),
    AEROGPU_BITS(DXGK_SEGMENTDESCRIPTOR, Flags.Aperture, 48, 0, 0),
    AEROGPU_BITS(DXGK_SEGMENTDESCRIPTOR, Flags.Agp, 48, 1, 1),
    AEROGPU_BITS(DXGK_SEGMENTDESCRIPTOR, Flags.CpuVisible, 48, 2, 2),
    AEROGPU_BITS(DXGK_SEGMENTDESCRIPTOR, Flags.UseBanking, 48, 3, 3),
    AEROGPU_BITS(DXGK_SEGMENTDESCRIPTOR, Flags.CacheCoherent, 48, 4, 4),
    AEROGPU_BITS(DXGK_SEGMENTDESCRIPTOR, Flags.PitchAlignment, 48, 5, 5),
    AEROGPU_BITS(DXGK_SEGMENTDESCRIPTOR, Flags.PopulatedFromSystemMemory, 48, 6, 6),
    AEROGPU_BITS(DXGK_ALLOCATIONINFO, Flags.CpuVisible, 64, 0, 0),
    AEROGPU_BITS(DXGK_ALLOCATIONINFO, Flags.PermanentSysMem, 64, 1, 1),
    AEROGPU_BITS(DXGK_ALLOCATIONINFO, Flags.Cached, 64, 2, 2),
    AEROGPU_BITS(DXGK_ALLOCATIONINFO, Flags.Protected, 64, 3, 3),
    AEROGPU_BITS(DXGK_ALLOCATIONINFO, Flags.ExistingSysMem, 64, 4, 4),
    AEROGPU_BITS(DXGK_ALLOCATIONINFO, Flags.ExistingKernelSysMem, 64, 5, 5),
    AEROGPU_BITS(DXGK_ALLOCATIONINFO, Flags.FromEndOfSegment, 64, 6, 6),
    AEROGPU_BITS(DXGK_ALLOCATIONINFO, Flags.Swizzled, 64, 7, 7),
    AEROGPU_BITS(DXGK_ALLOCATIONINFO, Flags.Overlay, 64, 8, 8),
    AEROGPU_BITS(DXGK_ALLOCATIONINFO, Flags.Capture, 64, 9, 9),
    AEROGPU_BITS(DXGK_ALLOCATIONINFO, Flags.UseAlternateVA, 64, 10, 10),
    AEROGPU_BITS(DXGK_ALLOCATIONINFO, Flags.SynchronousPaging, 64, 11, 11),
    AEROGPU_BITS(DXGK_ALLOCATIONINFO, Flags.LinkMirrored, 64, 12, 12),
    AEROGPU_BITS(DXGK_ALLOCATIONINFO, Flags.LinkInstanced, 64, 13, 13),
    AEROGPU_BITS(DXGK_ALLOCATIONUSAGEHINT, v1.Flags.PrivateFormat, 4, 0, 0),
    AEROGPU_BITS(DXGK_ALLOCATIONUSAGEHINT, v1.Flags.Swizzled, 4, 1, 1),
    AEROGPU_BITS(DXGK_ALLOCATIONUSAGEHINT, v1.Flags.MipMap, 4, 2, 2),
    AEROGPU_BITS(DXGK_ALLOCATIONUSAGEHINT, v1.Flags.Cube, 4, 3, 3),
    AEROGPU_BITS(DXGK_ALLOCATIONUSAGEHINT, v1.Flags.Volume, 4, 4, 4),
    AEROGPU_BITS(DXGK_ALLOCATIONUSAGEHINT, v1.Flags.Vertex, 4, 5, 5),
    AEROGPU_BITS(DXGK_ALLOCATIONUSAGEHINT, v1.Flags.Index, 4, 6, 6),
    AEROGPU_BITS(DXGKARG_CREATEALLOCATION, Flags.Resource, 32, 0, 0),
    AEROGPU_BITS(DXGKARG_DESTROYALLOCATION, Flags.DestroyResource, 24, 0, 0),
    AEROGPU_BITS(DXGKARG_OPENALLOCATION, Flags.Create, 28, 0, 0),
    AEROGPU_BITS(DXGKARG_CREATEDEVICE, Flags.SystemDevice, 8, 0, 0),
    AEROGPU_BITS(DXGKARG_CREATEDEVICE, Flags.GdiDevice, 8, 1, 1),
    AEROGPU_BITS(DXGK_DEVICEINFO, Flags.GuaranteedDmaBufferContract, 20, 0, 0),
    AEROGPU_BITS(DXGKARG_CREATECONTEXT, Flags.SystemContext, 16, 0, 0),
    AEROGPU_BITS(DXGKARG_CREATECONTEXT, Flags.GdiContext, 16, 1, 1),
    AEROGPU_BITS(DXGKARG_PRESENT, Flags.Blt, 108, 0, 0),
    AEROGPU_BITS(DXGKARG_PRESENT, Flags.ColorFill, 108, 1, 1),
    AEROGPU_BITS(DXGKARG_PRESENT, Flags.Flip, 108, 2, 2),
    AEROGPU_BITS(DXGKARG_PRESENT, Flags.FlipWithNoWait, 108, 3, 3),
    AEROGPU_BITS(DXGKARG_PRESENT, Flags.SrcColorKey, 108, 4, 4),
    AEROGPU_BITS(DXGKARG_PRESENT, Flags.DstColorKey, 108, 5, 5),
    AEROGPU_BITS(DXGKARG_PRESENT, Flags.LinearToSrgb, 108, 6, 6),
    AEROGPU_BITS(DXGKARG_PRESENT, Flags.Rotate, 108, 7, 7),
    AEROGPU_BITS(DXGK_ALLOCATIONLIST, WriteOperation, 8, 0, 0),
    AEROGPU_BITS(DXGK_ALLOCATIONLIST, SegmentId, 8, 1, 5),
    AEROGPU_BITS(D3DDDI_PATCHLOCATIONLIST, SlotId, 4, 0, 23),
    AEROGPU_BITS(D3DDDI_ALLOCATIONLIST, WriteOperation, 4, 0, 0),
    AEROGPU_BITS(D3DDDI_ALLOCATIONLIST, DoNotRetireInstance, 4, 1, 1),
    AEROGPU_BITS(DXGKARG_PATCH, Flags.Paging, 112, 0, 0),
    AEROGPU_BITS(DXGKARG_PATCH, Flags.Present, 112, 1, 1),
    AEROGPU_BITS(DXGKARG_PATCH, Flags.RedirectedPresent, 112, 2, 2),
    AEROGPU_BITS(DXGKARG_PATCH, Flags.NullRendering, 112, 3, 3),
    AEROGPU_BITS(DXGKARG_SUBMITCOMMAND, Flags.Paging, 72, 0, 0),
    AEROGPU_BITS(DXGKARG_SUBMITCOMMAND, Flags.Present, 72, 1, 1),
    AEROGPU_BITS(DXGKARG_SUBMITCOMMAND, Flags.RedirectedPresent, 72, 2, 2),
    AEROGPU_BITS(DXGKARG_SUBMITCOMMAND, Flags.NullRendering, 72, 3, 3),
    AEROGPU_BITS(DXGKARG_SUBMITCOMMAND, Flags.Flip, 72, 4, 4),
    AEROGPU_BITS(DXGKARG_SUBMITCOMMAND, Flags.FlipWithNoWait, 72, 5, 5),
    AEROGPU_BITS(DXGKARG_BUILDPAGINGBUFFER, Transfer.Flags.Swizzle, 96, 0, 0),
    AEROGPU_BITS(DXGKARG_BUILDPAGINGBUFFER, Transfer.Flags.Unswizzle, 96, 1, 1),
    AEROGPU_BITS(DXGKARG_BUILDPAGINGBUFFER, Transfer.Flags.AllocationIsIdle, 96, 2, 2),
    AEROGPU_BITS(DXGKARG_BUILDPAGINGBUFFER, Transfer.Flags.TransferStart, 96, 3, 3),
    AEROGPU_BITS(DXGKARG_BUILDPAGINGBUFFER, Transfer.Flags.TransferEnd, 96, 4, 4),
    AEROGPU_BITS(DXGKARG_BUILDPAGINGBUFFER, DiscardContent.Flags.AllocationIsIdle, 48, 0, 0),
    AEROGPU_BITS(DXGKARG_BUILDPAGINGBUFFER, MapApertureSegment.Flags.CacheCoherent, 88, 0, 0),
    AEROGPU_BITS(DXGKARG_ESCAPE, Flags.HardwareAccess, 8, 0, 0),
    AEROGPU_BITS(DXGKARG_SETVIDPNSOURCEADDRESS, Flags.ModeChange, 552, 0, 0),
    AEROGPU_BITS(DXGKARG_SETVIDPNSOURCEADDRESS, Flags.FlipImmediate, 552, 1, 1),
    AEROGPU_BITS(DXGKARG_SETVIDPNSOURCEADDRESS, Flags.FlipOnNextVSync, 552, 2, 2),
    AEROGPU_BITS(DXGKARG_COMMITVIDPN, Flags.PathPowerTransition, 24, 0, 0),
    AEROGPU_BITS(DXGKARG_COMMITVIDPN, Flags.PathPoweredOff, 24, 1, 1),
    AEROGPU_BITS(DXGKARG_QUERYVIDPNHWCAPABILITY, VidPnHWCaps.DriverRotation, 16, 0, 0),
    AEROGPU_BITS(DXGKARG_QUERYVIDPNHWCAPABILITY, VidPnHWCaps.DriverScaling, 16, 1, 1),
    AEROGPU_BITS(DXGKARG_QUERYVIDPNHWCAPABILITY, VidPnHWCaps.DriverCloning, 16, 2, 2),
    AEROGPU_BITS(DXGKARG_QUERYVIDPNHWCAPABILITY, VidPnHWCaps.DriverColorConvert, 16, 3, 3),
    AEROGPU_BITS(DXGKARG_QUERYVIDPNHWCAPABILITY, VidPnHWCaps.DriverLinkedAdapaterOutput, 16, 4, 4),
    AEROGPU_BITS(DXGKARG_QUERYVIDPNHWCAPABILITY, VidPnHWCaps.DriverRemoteDisplay, 16, 5, 5),
    AEROGPU_BITS(DXGKARG_SETPOINTERPOSITION, Flags.Visible, 12, 0, 0),
    AEROGPU_BITS(DXGKARG_SETPOINTERSHAPE, Flags.Monochrome, 0, 0, 0),
    AEROGPU_BITS(DXGKARG_SETPOINTERSHAPE, Flags.Color, 0, 1, 1),
    AEROGPU_BITS(DXGKARG_SETPOINTERSHAPE, Flags.MaskedColor, 0, 2, 2),
    AEROGPU_BITS(D3DKMDT_VIDPN_PRESENT_PATH, ContentTransformation.ScalingSupport.Identity, 16, 0,
                 0),
    AEROGPU_BITS(D3DKMDT_VIDPN_PRESENT_PATH, ContentTransformation.ScalingSupport.Centered, 16, 1,
                 1),
    AEROGPU_BITS(D3DKMDT_VIDPN_PRESENT_PATH, ContentTransformation.ScalingSupport.Stretched, 16, 2,
                 2),
    AEROGPU_BITS(D3DKMDT_VIDPN_PRESENT_PATH,
                 ContentTransformation.ScalingSupport.AspectRatioCenteredMax, 16, 3, 3),
    AEROGPU_BITS(D3DKMDT_VIDPN_PRESENT_PATH, ContentTransformation.ScalingSupport.Custom, 16, 4, 4),
    AEROGPU_BITS(D3DKMDT_VIDPN_PRESENT_PATH, ContentTransformation.RotationSupport.Identity, 24, 0,
                 0),
    AEROGPU_BITS(D3DKMDT_VIDPN_PRESENT_PATH, ContentTransformation.RotationSupport.Rotate90, 24, 1,
                 1),
    AEROGPU_BITS(D3DKMDT_VIDPN_PRESENT_PATH, ContentTransformation.RotationSupport.Rotate180, 24, 2,
                 2),
    AEROGPU_BITS(D3DKMDT_VIDPN_PRESENT_PATH, ContentTransformation.RotationSupport.Rotate270, 24, 3,
                 3),
    AEROGPU_BITS(D3DKMDT_VIDPN_PRESENT_PATH, CopyProtection.CopyProtectionSupport.NoProtection, 332,
                 0, 0),
    AEROGPU_BITS(D3DKMDT_VIDPN_PRESENT_PATH,
                 CopyProtection.CopyProtectionSupport.MacroVisionApsTrigger, 332, 1, 1),
    AEROGPU_BITS(D3DKMDT_VIDPN_PRESENT_PATH, CopyProtection.CopyProtectionSupport.MacroVisionFull,
                 332, 2, 2),
};

}  // namespace

TEST_CASE("each named bit of the display DDI lies where Windows 7 has it", "[ddi][case-166]") {
  for (const named_bits& row : table) {
    CAPTURE(row.name);
    std::vector<std::uint32_t> expected(row.words().size(), 0);
    expected.at(row.offset / 4) = bits_between(row.first, row.last);
    CHECK(row.words() == expected);
  }
}

TEST_CASE("the word of a set of flags is its Value", "[ddi]") {
  DXGK_DRIVERCAPS caps{};
  caps.PresentationCaps.AlignmentShift = 0xF;
  CHECK(caps.PresentationCaps.Value == 0x3C00);
  caps.FlipCaps.FlipOnVSyncMmIo = 1;
  CHECK(caps.FlipCaps.Value == 2);
  D3DDDI_PATCHLOCATIONLIST patch{};
  patch.Value = 0xFF000000u;
  CHECK(patch.SlotId == 0);
  CHECK(patch.Reserved == 0xFF);
}
