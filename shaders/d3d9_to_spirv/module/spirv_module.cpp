// SPDX-License-Identifier: MIT
// Builds SPIR-V modules.
#include "d3d9_to_spirv/module/spirv_module.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace aerogpu::d3d9 {

namespace {

/// Of a type or constant that stands once, without its result.
constexpr std::size_t most_shared_words = 8;
constexpr std::uint32_t spirv_1_3 = 0x00010300;  ///< What every Vulkan 1.1 device takes.

constexpr auto word_of(spirv_id id) noexcept -> std::uint32_t {
  return static_cast<std::uint32_t>(id);
}

auto hash_words(std::span<const std::uint32_t> words) noexcept -> std::uint32_t {
  std::uint32_t hash = 0x811C9DC5u;
  for (const std::uint32_t w : words) hash = (hash ^ w) * 0x9E3779B1u;
  return hash ^ (hash >> 15);
}

/// Words of a text: at least one zero byte ends it.
constexpr auto text_words(std::string_view text) noexcept -> std::size_t {
  return text.size() / 4 + 1;
}

auto put_text(std::uint32_t* to, std::string_view text) -> std::uint32_t* {
  to[text.size() / 4] = 0;
  std::memcpy(to, text.data(), text.size());
  return to + text_words(text);
}

}  // namespace

spirv_module::spirv_module(std::size_t instructions) noexcept {
  constexpr std::size_t most_at_first = 1u << 16;  // Words; hostile programs grow as they go.
  constexpr std::size_t index_slots = 256;
  is_exhausted_ = !globals_.reserve(1024) ||
                  !code_.reserve(std::min(1024 + 32 * instructions, most_at_first)) ||
                  !decorations_.reserve(std::min(256 + 8 * instructions, most_at_first)) ||
                  !shared_index_.resize(index_slots);
  glsl_import_ = new_id();
}

void spirv_module::append(section& to, spv::Op op, std::span<const std::uint32_t> words) {
  std::ranges::copy(words, open(to, op, words.size()));
}

auto spirv_module::grow_index() noexcept -> bool {
  heap_array<std::uint32_t> larger;
  if (!larger.resize(shared_index_.size() * 2)) return false;
  for (const std::uint32_t at : shared_index_) {
    if (at == 0) continue;
    // The stored hash precedes nothing: recompute it over the instruction without its result id.
    const std::uint32_t first = globals_[at - 1];
    const std::uint32_t count = first >> 16;
    const bool has_type = (first & 0xFFFF) >= static_cast<std::uint32_t>(spv::Op::OpConstantTrue);
    std::array<std::uint32_t, most_shared_words> key{first};
    std::size_t size = 1;
    for (std::uint32_t i = 1; i < count; ++i) {
      if (i != (has_type ? 2u : 1u)) key[size++] = globals_[at - 1 + i];
    }
    std::size_t slot = hash_words(std::span{key}.first(size)) & (larger.size() - 1);
    while (larger[slot] != 0) slot = (slot + 1) & (larger.size() - 1);
    larger[slot] = at;
  }
  shared_index_ = std::move(larger);
  return true;
}

auto spirv_module::shared(spv::Op op, std::initializer_list<std::uint32_t> words, bool has_type)
    -> spirv_id {
  const std::span<const std::uint32_t> all{words.begin(), words.size()};
  if (all.size() > 2) return shared_span(op, all, has_type);
  const std::uint32_t first = all.empty() ? 0 : all[0];
  const std::uint32_t second = all.size() < 2 ? 0 : all[1];
  const std::uint32_t place = static_cast<std::uint32_t>(op) + 7 * first + second + (second >> 20);
  recent_request& recent = recent_[place % recent_.size()];
  if (recent.op == op && recent.first == first && recent.second == second) return recent.id;
  recent = {op, first, second, shared_span(op, all, has_type)};
  return recent.id;
}

auto spirv_module::shared_span(spv::Op op, std::span<const std::uint32_t> words, bool has_type)
    -> spirv_id {
  if (is_exhausted_) return new_id();
  const auto head =
      static_cast<std::uint32_t>((words.size() + 2) << 16) | static_cast<std::uint32_t>(op);
  const std::size_t id_at = has_type ? 2 : 1;
  std::array<std::uint32_t, most_shared_words> key{head};
  std::ranges::copy(words, key.begin() + 1);
  const std::span<const std::uint32_t> whole{key.data(), words.size() + 1};
  if (shared_count_ * 2 >= shared_index_.size() && !grow_index()) {
    is_exhausted_ = true;
    return new_id();
  }
  std::size_t slot = hash_words(whole) & (shared_index_.size() - 1);
  for (; shared_index_[slot] != 0; slot = (slot + 1) & (shared_index_.size() - 1)) {
    const std::uint32_t* have = globals_.words().data() + shared_index_[slot] - 1;
    if (have[0] != head) continue;
    if (has_type && have[1] != words[0]) continue;
    std::size_t i = id_at - 1;
    while (i < words.size() && have[i + 2] == words[i]) ++i;
    if (i == words.size()) return spirv_id{have[id_at]};
  }
  const spirv_id id = new_id();
  const auto place = static_cast<std::uint32_t>(globals_.size() + 1);
  std::uint32_t* to = open(globals_, op, words.size() + 1);
  if (is_exhausted_) return id;
  shared_index_[slot] = place;
  ++shared_count_;
  to = std::ranges::copy(words.first(id_at - 1), to).out;
  *to++ = word_of(id);
  std::ranges::copy(words.subspan(id_at - 1), to);
  return id;
}

void spirv_module::capability(spv::Capability what) {
  append(capabilities_, spv::Op::OpCapability, std::array{static_cast<std::uint32_t>(what)});
}

void spirv_module::extension(std::string_view name) {
  put_text(open(extensions_, spv::Op::OpExtension, text_words(name)), name);
}

void spirv_module::entry_point(spv::ExecutionModel model, spirv_id main,
                               std::span<const spirv_id> interface) {
  constexpr std::string_view called = "main";
  std::uint32_t* to =
      open(entry_points_, spv::Op::OpEntryPoint, 2 + text_words(called) + interface.size());
  *to++ = static_cast<std::uint32_t>(model);
  *to++ = word_of(main);
  std::ranges::transform(interface, put_text(to, called), word_of);
}

void spirv_module::execution_mode(spirv_id main, spv::ExecutionMode mode,
                                  std::initializer_list<std::uint32_t> words) {
  std::uint32_t* to = open(modes_, spv::Op::OpExecutionMode, 2 + words.size());
  *to++ = word_of(main);
  *to++ = static_cast<std::uint32_t>(mode);
  std::ranges::copy(words, to);
}

void spirv_module::name(spirv_id id, std::string_view text) {
  std::uint32_t* to = open(names_, spv::Op::OpName, 1 + text_words(text));
  *to++ = word_of(id);
  put_text(to, text);
}

void spirv_module::decorate_member(spirv_id type, std::uint32_t member, spv::Decoration what,
                                   std::initializer_list<std::uint32_t> words) {
  std::uint32_t* to = open(decorations_, spv::Op::OpMemberDecorate, 3 + words.size());
  *to++ = word_of(type);
  *to++ = member;
  *to++ = static_cast<std::uint32_t>(what);
  std::ranges::copy(words, to);
}

auto spirv_module::type_vector(spirv_id component, std::uint32_t count) -> spirv_id {
  return shared(spv::Op::OpTypeVector, {word_of(component), count}, false);
}

auto spirv_module::type_pointer(spv::StorageClass storage, spirv_id pointee) -> spirv_id {
  return shared(spv::Op::OpTypePointer, {static_cast<std::uint32_t>(storage), word_of(pointee)},
                false);
}

auto spirv_module::type_function(spirv_id returns, std::span<const spirv_id> parameters)
    -> spirv_id {
  std::array<std::uint32_t, 4> words{word_of(returns)};
  for (std::size_t i = 0; i < parameters.size(); ++i) words[i + 1] = word_of(parameters[i]);
  return shared_span(spv::Op::OpTypeFunction, {words.data(), parameters.size() + 1}, false);
}

auto spirv_module::type_sampled_image(spv::Dim dimension, bool is_depth) -> spirv_id {
  const spirv_id image =
      shared(spv::Op::OpTypeImage,
             {word_of(type_float()), static_cast<std::uint32_t>(dimension), is_depth ? 1u : 0u, 0,
              0, 1, static_cast<std::uint32_t>(spv::ImageFormat::Unknown)},
             false);
  return shared(spv::Op::OpTypeSampledImage, {word_of(image)}, false);
}

auto spirv_module::constant(std::uint32_t bits, spirv_id type) -> spirv_id {
  return shared(spv::Op::OpConstant, {word_of(type), bits}, true);
}

auto spirv_module::constant_float(float value) -> spirv_id {
  return constant(std::bit_cast<std::uint32_t>(value), type_float());
}

auto spirv_module::constant_int(std::int32_t value) -> spirv_id {
  return constant(static_cast<std::uint32_t>(value), type_int());
}

auto spirv_module::constant_uint(std::uint32_t value) -> spirv_id {
  return constant(value, type_uint());
}

auto spirv_module::constant_bool(bool value) -> spirv_id {
  return shared(value ? spv::Op::OpConstantTrue : spv::Op::OpConstantFalse, {word_of(type_bool())},
                true);
}

auto spirv_module::constant_composite(spirv_id type, std::span<const spirv_id> parts) -> spirv_id {
  std::array<std::uint32_t, 7> words{word_of(type)};
  for (std::size_t i = 0; i < parts.size(); ++i) words[i + 1] = word_of(parts[i]);
  return shared_span(spv::Op::OpConstantComposite, {words.data(), parts.size() + 1}, true);
}

auto spirv_module::constant_null(spirv_id type) -> spirv_id {
  return shared(spv::Op::OpConstantNull, {word_of(type)}, true);
}

auto spirv_module::new_array(spirv_id element, std::uint32_t count) -> spirv_id {
  const spirv_id length = constant_uint(count);
  const spirv_id id = new_id();
  append(globals_, spv::Op::OpTypeArray,
         std::array{word_of(id), word_of(element), word_of(length)});
  return id;
}

auto spirv_module::new_struct(std::initializer_list<spirv_id> members) -> spirv_id {
  const spirv_id id = new_id();
  std::uint32_t* to = open(globals_, spv::Op::OpTypeStruct, 1 + members.size());
  *to++ = word_of(id);
  std::ranges::transform(members, to, word_of);
  return id;
}

auto spirv_module::spec_constant_uint(std::uint32_t default_value, std::uint32_t spec_id)
    -> spirv_id {
  const spirv_id type = type_uint();
  const spirv_id id = new_id();
  append(globals_, spv::Op::OpSpecConstant, std::array{word_of(type), word_of(id), default_value});
  decorate(id, spv::Decoration::SpecId, {spec_id});
  return id;
}

auto spirv_module::variable(spv::StorageClass storage, spirv_id pointee, spirv_id initial)
    -> spirv_id {
  const spirv_id type = type_pointer(storage, pointee);
  const spirv_id id = new_id();
  std::array<std::uint32_t, 4> words{word_of(type), word_of(id),
                                     static_cast<std::uint32_t>(storage), word_of(initial)};
  append(globals_, spv::Op::OpVariable, {words.data(), initial == spirv_id{} ? 3u : 4u});
  return id;
}

void spirv_module::begin_function(spirv_id function, spirv_id returns) {
  append(code_, spv::Op::OpFunction,
         std::array{word_of(returns), word_of(function), 0u, word_of(type_function(returns))});
  label(new_id());
}

void spirv_module::end_function() {
  append(code_, spv::Op::OpReturn, {});
  append(code_, spv::Op::OpFunctionEnd, {});
}

auto spirv_module::begin_helper(spirv_id returns, spirv_id parameter_type,
                                std::span<spirv_id> parameters) -> spirv_id {
  const std::array types{parameter_type, parameter_type, parameter_type};
  const spirv_id type = type_function(returns, std::span{types}.first(parameters.size()));
  std::swap(code_, helpers_);
  const spirv_id id =
      emit_words(spv::Op::OpFunction, returns, std::array{std::uint32_t{0}, word_of(type)});
  for (spirv_id& p : parameters) p = emit(spv::Op::OpFunctionParameter, parameter_type, {});
  append(code_, spv::Op::OpLabel, std::array{word_of(new_id())});
  return id;
}

void spirv_module::end_helper(spirv_id result) {
  append(code_, spv::Op::OpReturnValue, std::array{word_of(result)});
  append(code_, spv::Op::OpFunctionEnd, {});
  std::swap(code_, helpers_);
}

void spirv_module::label(spirv_id id) {
  ++block_number_;
  append(code_, spv::Op::OpLabel, std::array{word_of(id)});
}

void spirv_module::branch(spirv_id to) {
  append(code_, spv::Op::OpBranch, std::array{word_of(to)});
}

void spirv_module::branch_if(spirv_id condition, spirv_id yes, spirv_id no) {
  append(code_, spv::Op::OpBranchConditional,
         std::array{word_of(condition), word_of(yes), word_of(no)});
}

void spirv_module::selection_merge(spirv_id merge) {
  append(code_, spv::Op::OpSelectionMerge, std::array{word_of(merge), 0u});
}

void spirv_module::loop_merge(spirv_id merge, spirv_id next) {
  append(code_, spv::Op::OpLoopMerge, std::array{word_of(merge), word_of(next), 0u});
}

void spirv_module::call(spirv_id function, spirv_id returns) {
  ++block_number_;
  append(code_, spv::Op::OpFunctionCall,
         std::array{word_of(returns), word_of(new_id()), word_of(function)});
}

void spirv_module::emit_void(spv::Op op, std::initializer_list<std::uint32_t> words) {
  append(code_, op, {words.begin(), words.size()});
}

auto spirv_module::glsl(GLSLstd450 op, spirv_id type, std::span<const spirv_id> operands)
    -> spirv_id {
  const spirv_id id = new_id();
  std::uint32_t* to = open(code_, spv::Op::OpExtInst, 4 + operands.size());
  *to++ = word_of(type);
  *to++ = word_of(id);
  *to++ = word_of(glsl_import_);
  *to++ = static_cast<std::uint32_t>(op);
  for (const spirv_id o : operands) *to++ = word_of(o);
  return id;
}

auto spirv_module::load(spirv_id type, spirv_id pointer) -> spirv_id {
  return emit(spv::Op::OpLoad, type, {pointer});
}

auto spirv_module::access(spirv_id pointer_type, spirv_id base,
                          std::initializer_list<spirv_id> indices) -> spirv_id {
  std::array<std::uint32_t, 4> words{word_of(base)};
  std::size_t count = 1;
  for (const spirv_id i : indices) words[count++] = word_of(i);
  return emit_words(spv::Op::OpAccessChain, pointer_type, {words.data(), count});
}

auto spirv_module::extract(spirv_id type, spirv_id composite, std::uint32_t index) -> spirv_id {
  return emit_words(spv::Op::OpCompositeExtract, type, std::array{word_of(composite), index});
}

auto spirv_module::size_words() const noexcept -> std::size_t {
  return capabilities_.size() + extensions_.size() + entry_points_.size() + modes_.size() +
         names_.size() + decorations_.size() + globals_.size() + helpers_.size() + code_.size();
}

auto spirv_module::finish() noexcept -> result<heap_array<std::uint32_t>> {
  const auto exhausted = make_error(error_code::out_of_memory, "no memory for a SPIR-V module");
  section preamble;
  constexpr std::string_view set = "GLSL.std.450";
  std::uint32_t* import = open(preamble, spv::Op::OpExtInstImport, 1 + text_words(set));
  *import++ = word_of(glsl_import_);
  put_text(import, set);
  append(preamble, spv::Op::OpMemoryModel,
         std::array{static_cast<std::uint32_t>(spv::AddressingModel::Logical),
                    static_cast<std::uint32_t>(spv::MemoryModel::GLSL450)});
  const std::array<std::uint32_t, 5> header{spv::MagicNumber, spirv_1_3, 0, next_id_, 0};
  heap_array<std::uint32_t> out;
  if (is_exhausted_ || !out.reserve(header.size() + preamble.size() + size_words()) ||
      !out.append(header)) {
    return exhausted;
  }
  const std::array<const section*, 10> sections{
      &capabilities_, &extensions_,  &preamble, &entry_points_, &modes_,
      &names_,        &decorations_, &globals_, &helpers_,      &code_};
  for (const section* s : sections) {
    if (!out.append(s->words())) return exhausted;
  }
  return out;
}

}  // namespace aerogpu::d3d9
