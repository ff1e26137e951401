// SPDX-License-Identifier: MIT
/// Shared surfaces: what their creator says, what their openers believe, and how they end.
#include "drivers/win7/umd/d3d9/resource/opening.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/fills.hpp"
#include "tests/drivers/umd/resource/resource_rig.hpp"

#include <algorithm>

namespace aerogpu::umd::test {

namespace {

constexpr std::uintptr_t runtime_name = 0x6B8B4567;
[[nodiscard]] auto name_of_runtime() -> void* {
  return reinterpret_cast<void*>(runtime_name);
}

/// A blob of a producer that used version 1, with a description.
[[nodiscard]] auto plain_blob() -> alloc_private_data {
  alloc_private_data data{};
  data.magic = AEROGPU_WDDM_ALLOC_PRIV_MAGIC;
  data.version = AEROGPU_WDDM_ALLOC_PRIV_VERSION;
  data.alloc_id = 77;
  data.flags = AEROGPU_WDDM_ALLOC_PRIV_FLAG_IS_SHARED;
  data.share_token = 0x1234;
  data.size_bytes = 16 * 8 * 4;
  data.reserved0 = *pack_description({D3DFMT_A8R8G8B8, 16, 8});
  return data;
}
/// The same in words that any producer knows.
[[nodiscard]] auto dxgi_blob(std::uint32_t dxgi) -> alloc_private_data {
  alloc_private_data data = plain_blob();
  data.version = AEROGPU_WDDM_ALLOC_PRIV_VERSION_2;
  data.reserved0 = 0;
  data.kind = AEROGPU_WDDM_ALLOC_KIND_TEXTURE2D;
  data.width = 16;
  data.height = 8;
  data.format = dxgi;
  return data;
}
[[nodiscard]] auto open_result(device_rig& rig, const_bytes blob,
                               kernel_allocation allocation = kernel_allocation{0x40},
                               resource** out = nullptr) -> HRESULT {
  resource* made = nullptr;
  opening_request request;
  request.allocation = allocation;
  request.private_data = blob;
  const HRESULT result = open_resource(rig.device, request, made);
  CHECK((made != nullptr) == SUCCEEDED(result));
  if (out != nullptr) *out = made;
  return result;
}
/// Opens, looks at what came out, and forgets it: the host does not know such tokens.
template <class Inspect>
void inspect_opened(const alloc_private_data& blob, Inspect&& inspect) {
  device_rig rig{{.runs_streams = false}};
  resource& shared = make(rig, shared_of(4, 4));
  resource* opened = nullptr;
  const kernel_allocation memory = rig.runtime.open(shared.backing.allocation, nullptr);
  REQUIRE(open_result(rig, bytes_of(blob), memory, &opened) == S_OK);
  inspect(*opened);
}
[[nodiscard]] auto open_again(device_rig& rig, const resource& of) -> resource& {
  const auto* const memory = rig.runtime.find(of.backing.allocation);
  REQUIRE(memory != nullptr);
  const alloc_private_data data = memory->data;
  resource* opened = nullptr;
  opening_request request;
  request.allocation = rig.runtime.open(of.backing.allocation, name_of_runtime());
  request.private_data = bytes_of(data);
  request.runtime_handle = name_of_runtime();
  REQUIRE(open_resource(rig.device, request, opened) == S_OK);
  return *opened;
}

}  // namespace

TEST_CASE("a shared surface is exported and submitted before it is given out", "[umd][T100]") {
  device_rig rig;
  resource_request request = shared_of(20, 10, D3DFMT_X8R8G8B8);
  request.runtime_handle = name_of_runtime();
  const resource& made = make(rig, request);
  CHECK(rig.device.commands.is_empty());
  const auto* const memory = rig.runtime.find(made.backing.allocation);
  REQUIRE(memory != nullptr);
  CHECK(memory->runtime_resource == name_of_runtime());
  const alloc_private_data& data = memory->data;
  CHECK(is_shared(data));
  CHECK(unpack_description(data.reserved0) == d3d9_description{D3DFMT_X8R8G8B8, 20, 10});
  CHECK(std::uint32_t{data.format} == 88);
  CHECK(std::uint32_t{data.reserved1} == 0);
  CHECK(std::uint32_t{data.reserved2} == 0);
  const auto exported = packets_of<aerogpu_cmd_export_shared_surface>(rig.runtime.last().stream);
  REQUIRE(exported.size() == 1);
  CHECK(std::uint32_t{exported[0].fields.resource_handle} == raw(made.handle));
  CHECK(std::uint64_t{exported[0].fields.share_token} == std::uint64_t{data.share_token});
  CHECK(made.backing.token == share_token{data.share_token});
}

TEST_CASE("a kernel driver that makes no token makes no shared surface", "[umd][T101]") {
  device_rig rig;
  rig.runtime.make_tokens(false);
  CHECK(refusal_of(rig, shared_of(8, 8)) == E_FAIL);
  CHECK(rig.device.resources.size() == 0);
  CHECK(rig.device.commands.is_empty());
}

TEST_CASE("an opened surface is imported under its token, and nothing else", "[umd][T102]") {
  device_rig rig;
  const resource& made = make(rig, shared_of(8, 8));
  const resource& opened = open_again(rig, made);
  REQUIRE(rig.device.commands.submit() == S_OK);
  const const_bytes stream = rig.runtime.last().stream;
  const auto imported = packets_of<aerogpu_cmd_import_shared_surface>(stream);
  REQUIRE(imported.size() == 1);
  CHECK(std::uint64_t{imported[0].fields.share_token} == raw(made.backing.token));
  CHECK(std::uint32_t{imported[0].fields.out_resource_handle} == raw(opened.handle));
  CHECK(opened.handle != made.handle);
  CHECK(packets_of<aerogpu_cmd_create_texture2d>(stream).empty());
  CHECK(packets_of<aerogpu_cmd_export_shared_surface>(stream).empty());
  CHECK(opened.backing.id == made.backing.id);
  CHECK(rig.runtime.last().lists(opened.backing.allocation) != nullptr);
}

TEST_CASE("what names no shared surface is not opened", "[umd][T103]") {
  device_rig rig;
  const auto refused = [&](auto change) {
    alloc_private_data data = plain_blob();
    change(data);
    return open_result(rig, bytes_of(data));
  };
  CHECK(refused([](auto& d) { d.magic = 0; }) == E_INVALIDARG);
  CHECK(refused([](auto& d) { d.version = 0; }) == E_INVALIDARG);
  CHECK(refused([](auto& d) { d.version = 4; }) == E_INVALIDARG);
  CHECK(refused([](auto& d) { d.flags = 0; }) == E_INVALIDARG);
  CHECK(refused([](auto& d) { d.share_token = 0; }) == E_INVALIDARG);
  CHECK(refused([](auto& d) { d.alloc_id = 0; }) == E_INVALIDARG);
  const alloc_private_data good = plain_blob();
  CHECK(open_result(rig, {}) == E_INVALIDARG);
  CHECK(open_result(rig, bytes_of(good).first(39)) == E_INVALIDARG);
  CHECK(open_result(rig, bytes_of(good), {}) == E_FAIL);
  CHECK(rig.device.commands.is_empty());
  CHECK(rig.device.resources.size() == 0);
}

TEST_CASE("surfaces of newer producers have Direct3D 9's formats", "[umd][T104]") {
  const auto [dxgi, d3d9] = GENERATE(table<std::uint32_t, D3DFORMAT>({{87, D3DFMT_A8R8G8B8},
                                                                      {88, D3DFMT_X8R8G8B8},
                                                                      {28, D3DFMT_A8B8G8R8},
                                                                      {85, D3DFMT_R5G6B5},
                                                                      {86, D3DFMT_A1R5G5B5}}));
  const auto version =
      GENERATE(AEROGPU_WDDM_ALLOC_PRIV_VERSION_2, AEROGPU_WDDM_ALLOC_PRIV_VERSION_3);
  alloc_private_data blob = dxgi_blob(dxgi);
  blob.version = version;
  const auto expected = static_cast<std::uint32_t>(d3d9);
  inspect_opened(blob, [expected](const resource& opened) {
    CHECK(opened.format == expected);
    CHECK(opened.layout()->shape().width == 16);
    CHECK(opened.layout()->shape().height == 8);
  });
}

TEST_CASE("a format that Direct3D 9 has not is not opened", "[umd][T104]") {
  device_rig rig;
  const auto dxgi = GENERATE(0u, 2u, 45u, 98u, 0xFFFFFFFFu);
  CHECK(open_result(rig, bytes_of(dxgi_blob(dxgi))) == D3DERR_INVALIDCALL);
}

TEST_CASE("a pitch is believed from the tight one on", "[umd][T105]") {
  const auto [pitch, expected] = GENERATE(
      table<std::uint32_t, std::uint32_t>({{0, 64}, {63, 64}, {64, 64}, {65, 65}, {256, 256}}));
  const std::uint32_t wanted = expected;
  alloc_private_data blob = dxgi_blob(87);
  blob.size_bytes = 320 * 8;
  blob.row_pitch_bytes = pitch;
  inspect_opened(blob, [wanted](const resource& opened) {
    CHECK(opened.layout()->locate({0, 0}).pitch_bytes == wanted);
  });
  blob.row_pitch_bytes = 0;
  blob.reserved0 = pitch;  // Where version 1 has it.
  inspect_opened(blob, [wanted](const resource& opened) {
    CHECK(opened.layout()->locate({0, 0}).pitch_bytes == wanted);
  });
  blob.row_pitch_bytes = 320;  // Version 2's wins.
  inspect_opened(blob, [&](const resource& opened) {
    CHECK(opened.layout()->locate({0, 0}).pitch_bytes == 320);
  });
}

TEST_CASE("a description alone is enough", "[umd][T105][T107]") {
  const auto version = GENERATE(1u, 2u, 3u);
  alloc_private_data blob = plain_blob();
  blob.version = version;
  inspect_opened(blob, [](const resource& opened) {
    CHECK(opened.format == static_cast<std::uint32_t>(D3DFMT_A8R8G8B8));
    CHECK(opened.layout()->locate({0, 0}).pitch_bytes == 64);
    CHECK(opened.size_bytes == 16 * 8 * 4);
  });
}

TEST_CASE("a surface that ends behind its memory is not opened", "[umd][T103]") {
  alloc_private_data blob = dxgi_blob(87);
  blob.size_bytes = 16 * 8 * 4 - 1;
  device_rig rig;
  CHECK(open_result(rig, bytes_of(blob)) == E_INVALIDARG);
  blob.size_bytes = 0;
  CHECK(open_result(rig, bytes_of(blob)) == E_INVALIDARG);
  blob.size_bytes = 16 * 8 * 4;
  inspect_opened(blob, [](const resource& opened) { CHECK(opened.size_bytes == 16 * 8 * 4); });
  blob.row_pitch_bytes = 65;
  CHECK(open_result(rig, bytes_of(blob)) == E_INVALIDARG);
}

TEST_CASE("cubes and buffers are not shared", "[umd][T106]") {
  device_rig rig;
  const alloc_private_data blob = plain_blob();
  for (const resource_kind kind : {resource_kind::cube_texture, resource_kind::buffer}) {
    opening_request request;
    request.kind = kind;
    request.allocation = kernel_allocation{0x40};
    request.private_data = bytes_of(blob);
    resource* made = nullptr;
    CHECK(open_resource(rig.device, request, made) == D3DERR_INVALIDCALL);
  }
}

TEST_CASE("a shared surface has one level and one layer", "[umd][T108]") {
  device_rig rig;
  for (const std::uint32_t mips : {0u, 2u}) {
    resource_request request = shared_of(8, 8);
    request.mip_levels = mips;
    CHECK(refusal_of(rig, request) == D3DERR_INVALIDCALL);
  }
  resource_request cube = cube_of(8);
  cube.flags.is_shared = true;
  CHECK(refusal_of(rig, cube) == D3DERR_INVALIDCALL);
  resource_request system = shared_of(8, 8);
  system.pool = memory_pool::system;
  CHECK(refusal_of(rig, system) == D3DERR_INVALIDCALL);
}

TEST_CASE("an alias and its original end one by one, in any order", "[umd][T109]") {
  const bool is_alias_first = GENERATE(false, true);
  device_rig rig;
  resource& made = make(rig, shared_of(8, 8));
  resource& opened = open_again(rig, made);
  REQUIRE(rig.device.commands.submit() == S_OK);
  resource& gone = is_alias_first ? opened : made;
  resource& left = is_alias_first ? made : opened;
  const resource_handle handle = gone.handle;
  REQUIRE(destroy_resource(rig.device, &gone) == S_OK);
  const auto destroyed = sent<aerogpu_cmd_destroy_resource>(rig);
  REQUIRE(destroyed.size() == 1);
  CHECK(std::uint32_t{destroyed[0].fields.resource_handle} == raw(handle));
  CHECK(sent<aerogpu_cmd_release_shared_surface>(rig).empty());
  REQUIRE(fill_color(rig.device, {&left, 0}, {0, 0, 8, 8}, 0xFF102030) == S_OK);
  CHECK(host_bytes(rig, left)[0] == std::byte{0x30});
}

TEST_CASE("what an original shows its alias shows", "[umd][T102]") {
  device_rig rig;
  resource& made = make(rig, shared_of(8, 8));
  resource& opened = open_again(rig, made);
  REQUIRE(fill_color(rig.device, {&made, 0}, {0, 0, 8, 8}, 0xFF112233) == S_OK);
  lock_request reading;
  reading.is_read_only = true;
  CHECK(lock(rig, opened, reading).bytes[0] == std::byte{0x33});
  unlock(rig, opened);
  // Others may write it between two locks.
  REQUIRE(fill_color(rig.device, {&made, 0}, {0, 0, 8, 8}, 0xFF445566) == S_OK);
  CHECK(lock(rig, opened, reading).bytes[0] == std::byte{0x66});
  unlock(rig, opened);
}

TEST_CASE("handles of the runtime are in no stream", "[umd][T110]") {
  device_rig rig;
  resource_request request = shared_of(8, 8);
  request.runtime_handle = name_of_runtime();
  resource& opened = open_again(rig, make(rig, request));
  REQUIRE(fill_color(rig.device, {&opened, 0}, {0, 0, 4, 4}, 1) == S_OK);
  REQUIRE(rig.device.commands.submit() == S_OK);
  const auto name = static_cast<std::uint32_t>(runtime_name);
  const const_bytes wanted = bytes_of(name);
  for (const seen_submission& each : rig.runtime.submissions()) {
    CHECK(std::search(each.stream.begin(), each.stream.end(), wanted.begin(), wanted.end()) ==
          each.stream.end());
  }
}

TEST_CASE("a compositor lists each of eight surfaces once", "[umd][T112]") {
  device_rig rig;
  std::vector<resource*> opened;
  for (int i = 0; i < 8; ++i) opened.push_back(&open_again(rig, make(rig, shared_of(8, 8))));
  REQUIRE(rig.device.commands.submit() == S_OK);
  for (resource* each : opened) {
    REQUIRE(fill_color(rig.device, {each, 0}, {0, 0, 8, 8}, 0xFF000001) == S_OK);
  }
  REQUIRE(rig.device.commands.submit() == S_OK);
  std::vector<std::uint32_t> ids;
  for (resource* each : opened) {
    const listed_allocation* const listed = rig.runtime.last().lists(each->backing.allocation);
    REQUIRE(listed != nullptr);
    CHECK(listed->is_written);
    ids.push_back(raw(each->backing.id));
  }
  std::sort(ids.begin(), ids.end());
  CHECK(std::unique(ids.begin(), ids.end()) == ids.end());
}

TEST_CASE("one surface opened twice is listed once", "[umd][T113]") {
  device_rig rig;
  resource& made = make(rig, shared_of(8, 8));
  resource& first = open_again(rig, made);
  resource& second = open_again(rig, made);
  REQUIRE(rig.device.commands.submit() == S_OK);
  for (resource* each : {&first, &second}) {
    REQUIRE(fill_color(rig.device, {each, 0}, {0, 0, 8, 8}, 0xFF000001) == S_OK);
  }
  REQUIRE(rig.device.commands.submit() == S_OK);
  const auto& listed = rig.runtime.last().allocations;
  CHECK(std::count_if(listed.begin(), listed.end(), [&](const listed_allocation& each) {
          const auto* const memory = rig.runtime.find(each.allocation);
          return memory != nullptr && std::uint32_t{memory->data.alloc_id} == raw(made.backing.id);
        }) == 1);
}

TEST_CASE("the desktop's primary is opened by its number", "[umd][T114]") {
  device_rig rig;
  alloc_private_data data = dxgi_blob(88);
  data.flags = 0;
  data.share_token = 0;
  data.alloc_id = AEROGPU_WDDM_ALLOC_ID_KMD_MIN + 5;
  data.row_pitch_bytes = 256;
  data.size_bytes = 256 * 8;
  opening_request request;
  request.private_data = bytes_of(data);
  request.runtime_handle = name_of_runtime();
  request.allocation = rig.runtime.open_standard(data, name_of_runtime());
  resource* opened = nullptr;
  request.takes_standard = false;  // Profile U.
  CHECK(open_resource(rig.device, request, opened) == E_INVALIDARG);
  request.takes_standard = true;
  REQUIRE(open_resource(rig.device, request, opened) == S_OK);
  const auto created = sent<aerogpu_cmd_create_texture2d>(rig);
  REQUIRE(created.size() == 1);
  CHECK(std::uint32_t{created[0].fields.backing_alloc_id} == std::uint32_t{data.alloc_id});
  CHECK(std::uint32_t{created[0].fields.row_pitch_bytes} == 256);
  CHECK(sent<aerogpu_cmd_import_shared_surface>(rig).empty());
  CHECK(sent<aerogpu_cmd_export_shared_surface>(rig).empty());
  REQUIRE(destroy_resource(rig.device, opened) == S_OK);
  CHECK(sent<aerogpu_cmd_destroy_resource>(rig).size() == 1);
}

}  // namespace aerogpu::umd::test
