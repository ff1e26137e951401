// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/program/container.hpp"

#include "aerogpu/shader/dxbc_container.hpp"
#include "aerogpu/shader/shader_program.hpp"
#include "aerogpu/shader/shader_signature.hpp"
#include "aerogpu/shader/sm4_program.hpp"
#include "dxbc_to_spirv/program/checksum.hpp"

#include <array>
#include <span>
#include <string_view>
#include <utility>

namespace aerogpu::dxbc {
namespace {

/// A chunk that may hold a signature, and how its entries lie.
struct signature_chunk {
  std::uint32_t tag;
  std::uint32_t entry_size;
  std::uint32_t name_offset;
  bool has_stream;
};

constexpr std::array input_chunks{signature_chunk{fourcc("ISGN"), 24, 0, false},
                                  signature_chunk{fourcc("ISG1"), 32, 4, true}};
constexpr std::array output_chunks{signature_chunk{fourcc("OSGN"), 24, 0, false},
                                   signature_chunk{fourcc("OSG5"), 28, 4, true},
                                   signature_chunk{fourcc("OSG1"), 32, 4, true}};
constexpr std::array patch_chunks{signature_chunk{fourcc("PCSG"), 24, 0, false},
                                  signature_chunk{fourcc("PSG1"), 32, 4, true}};

auto bad(const char* what, std::uint64_t detail = 0, std::uint64_t limit = 0) noexcept -> error {
  return make_error(error_code::invalid_parameter, what, detail, limit);
}

auto no_memory() noexcept -> error {
  return make_error(error_code::out_of_memory, "no memory for the parts of a shader");
}

auto refused(const char* what, std::uint64_t detail = 0, std::uint64_t limit = 0) noexcept
    -> error {
  return make_error(error_code::unsupported, what, detail, limit);
}

/// Errors: invalid_parameter; unsupported for a stream other than 0.
auto read_element(const_bytes chunk, const std::byte* entry, const signature_chunk& form,
                  signature& into) -> result<void> {
  const auto field = [entry, &form](std::size_t i) {
    return load<std::uint32_t>(entry + form.name_offset + i * 4);
  };
  if (form.has_stream && load<std::uint32_t>(entry) != 0) {
    return bad("a signature names a stream other than 0", load<std::uint32_t>(entry));
  }
  const std::string_view name = signature_name(chunk, field(0));
  if (name.data() == nullptr || name.size() > max_semantic_length) {
    return bad("a signature name is cut or too long", field(0), max_semantic_length);
  }
  const auto masks = static_cast<std::uint32_t>(field(5));
  signature_element element{.name = semantic_name{name},
                            .index = field(1),
                            .value = field(2),
                            .type = field(3),
                            .register_number = field(4),
                            .mask = static_cast<std::uint8_t>(masks & 0xF),
                            .used_mask = static_cast<std::uint8_t>(masks >> 8 & 0xF)};
  if (element.register_number != no_register && element.register_number >= vertex_input_limit) {
    return bad("a signature register exceeds its limit", element.register_number,
               vertex_input_limit);
  }
  if (element.mask == 0) return bad("a signature mask is empty", element.register_number);
  // Synthetic files have no types: shaders.md 3.3.
  constexpr std::uint32_t floating = 3;
  if (element.type > floating) return bad("a signature type is unknown", element.type, floating);
  if (element.type == 0) element.type = floating;
  return into.push_back(element) ? result<void>{} : no_memory();
}

auto read_signature(const_bytes chunk, const signature_chunk& form, signature& into)
    -> result<void> {
  constexpr std::size_t header_size = 8;
  if (chunk.size() < header_size) return bad("the signature is cut", chunk.size(), header_size);
  const auto count = load<std::uint32_t>(chunk.data());
  const auto table = load<std::uint32_t>(chunk.data() + 4);
  if (count > max_signature_elements) {
    return bad("the signature has too many entries", count, max_signature_elements);
  }
  if (!range_fits(table, std::uint64_t{count} * form.entry_size, chunk.size())) {
    return bad("the signature table is cut", table, chunk.size());
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto read = read_element(chunk, chunk.data() + table + i * form.entry_size, form, into);
    if (!read) return read.why();
  }
  return {};
}

/// Reads the first of `chunks` that is there.
auto find_signature(const dxbc_container& container, std::span<const signature_chunk> chunks,
                    signature& into) -> result<void> {
  for (const signature_chunk& form : chunks) {
    const const_bytes chunk = container.find(form.tag);
    if (chunk.data() != nullptr) return read_signature(chunk, form, into);
  }
  return {};
}

/// Errors: invalid_parameter for a cut program; unsupported for one of another kind.
auto read_program(const_bytes chunk, shader_parts& parts) -> result<void> {
  if (chunk.size() < sizeof(std::uint32_t)) {
    return bad("the DXBC container holds no shader program");
  }
  if (d3d9::is_version_token(load<std::uint32_t>(chunk.data()))) {
    return refused("the container holds Direct3D 9 tokens");
  }
  const auto program = parse_sm4_program(chunk);
  if (!program) return program.why();
  if (!program->is_walkable) {
    return refused("the shader's instructions are not in a known encoding");
  }
  const bool is_known_model =
      (program->major == 4 && program->minor <= 1) || (program->major == 5 && program->minor == 0);
  if (!is_known_model) return refused("the shader model is unknown", program->major);
  const std::size_t count = load<std::uint32_t>(chunk.data() + 4);
  if (count > max_program_words) {
    return refused("the shader program is too long", count, max_program_words);
  }
  parts.stage = program->stage;
  parts.major = program->major;
  parts.minor = program->minor;
  if (!parts.tokens.resize(count)) return no_memory();
  copy_bytes(std::as_writable_bytes(parts.tokens.view()), chunk.first(count * 4));
  return {};
}

constexpr std::size_t signature_header_bytes = 8, signature_entry_bytes = 24;

auto signature_size(const signature& elements) noexcept -> std::size_t {
  std::size_t size = signature_header_bytes + elements.size() * signature_entry_bytes;
  for (const signature_element& element : elements) size += element.name.bytes().size();
  return (size + 3) / 4 * 4;
}

/// Names follow the table, each with its NUL. `bytes` are zeroes, of `signature_size`.
void write_signature(const signature& elements, mutable_bytes bytes) noexcept {
  constexpr std::size_t header_size = signature_header_bytes, entry_size = signature_entry_bytes;
  std::size_t used = header_size + elements.size() * entry_size;
  store(bytes.data(), static_cast<std::uint32_t>(elements.size()));
  store(bytes.data() + 4, static_cast<std::uint32_t>(header_size));
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const signature_element& element = elements[i];
    const std::array<std::uint32_t, 6> entry{
        static_cast<std::uint32_t>(used),
        element.index,
        element.value,
        element.type,
        element.register_number,
        std::uint32_t{element.mask} | std::uint32_t{element.used_mask} << 8};
    const const_bytes name = element.name.bytes();
    copy_bytes(bytes.subspan(used, name.size()), name);
    used += name.size();
    store(bytes.data() + header_size + i * entry_size, entry);
  }
}

}  // namespace

auto parse_container(const_bytes bytes) noexcept -> result<shader_parts> {
  if (!dxbc_container::is_container(bytes)) return bad("the shader is not a DXBC container");
  const auto container = dxbc_container::parse(bytes);
  if (!container) return container.why();
  shader_parts parts;
  if (const auto read = read_program(find_code(*container), parts); !read) {
    return read.why();
  }
  if (const auto read = find_signature(*container, input_chunks, parts.inputs); !read) {
    return read.why();
  }
  if (const auto read = find_signature(*container, output_chunks, parts.outputs); !read) {
    return read.why();
  }
  if (const auto read = find_signature(*container, patch_chunks, parts.patch_constants); !read) {
    return read.why();
  }
  return parts;
}

auto put_together(const shader_parts& parts) noexcept -> result<heap_array<std::byte>> {
  struct chunk {
    std::uint32_t tag;
    const signature* rows;  ///< Null: the code.
    std::size_t size;
  };
  const const_bytes code = std::as_bytes(parts.tokens.view());
  const std::array<chunk, 4> chunks{
      {{fourcc("ISGN"), &parts.inputs, signature_size(parts.inputs)},
       {fourcc("OSGN"), &parts.outputs, signature_size(parts.outputs)},
       {fourcc("PCSG"), &parts.patch_constants, signature_size(parts.patch_constants)},
       {parts.major == 4 ? fourcc("SHDR") : fourcc("SHEX"), nullptr, code.size()}}};
  constexpr std::size_t header_size = 32, chunk_header_size = 8;
  std::size_t size = header_size + chunks.size() * 4;
  std::size_t at = size;
  for (const chunk& each : chunks) size += chunk_header_size + each.size;
  heap_array<std::byte> bytes;
  if (!bytes.resize(size)) return no_memory();
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const chunk& each = chunks[i];
    store(bytes.data() + header_size + i * 4, static_cast<std::uint32_t>(at));
    store(bytes.data() + at, std::array{each.tag, static_cast<std::uint32_t>(each.size)});
    const mutable_bytes payload = bytes.view().subspan(at + chunk_header_size, each.size);
    if (each.rows != nullptr) {
      write_signature(*each.rows, payload);
    } else {
      copy_bytes(payload, code);
    }
    at += chunk_header_size + each.size;
  }
  const std::array<std::uint32_t, 3> header{1, static_cast<std::uint32_t>(bytes.size()),
                                            static_cast<std::uint32_t>(chunks.size())};
  store(bytes.data(), dxbc_magic);
  store(bytes.data() + checksummed_from, header);
  store(bytes.data() + checksum_offset, checksum_of(bytes.view()));
  return bytes;
}

auto is_semantic(const signature_element& element, const char* name) noexcept -> bool {
  const std::string_view wanted{name};
  const std::string_view found = element.name.view();
  if (found.size() != wanted.size()) return false;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const char c = found[i];
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (lower != wanted[i]) return false;
  }
  return true;
}

}  // namespace aerogpu::dxbc
