// SPDX-License-Identifier: MIT
#include "spirv_bounds/indexed_arrays.hpp"

namespace aerogpu::spirv {

auto indexed_arrays::create(const module_index& module) -> result<indexed_arrays> {
  indexed_arrays made{module};
  if (!made.roots_.resize(module.bound()) || !made.is_indexed_.resize(module.bound())) {
    return out_of_memory();
  }
  const error why = for_each(module, module.first_function(), module.words().size(),
                             [&made](const instruction& in) -> error {
                               made.read(in);
                               return {};
                             });
  if (why.code != error_code::none) return why;
  return made;
}

auto indexed_arrays::root_of(std::uint32_t pointer) const noexcept -> std::uint32_t {
  return pointer < roots_.size() && roots_[pointer] != 0 ? roots_[pointer] : pointer;
}

void indexed_arrays::mark(std::uint32_t root) noexcept {
  if (root < is_indexed_.size()) is_indexed_[root] = true;
}

void indexed_arrays::read(const instruction& in) noexcept {
  switch (in.op()) {
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain: {
      const std::uint32_t root = root_of(in.word(3));
      roots_[in.result()] = root;
      std::uint32_t value = 0;
      for (std::size_t i = 4; i < in.words.size(); ++i) {
        if (!module_->read_constant(in.word(i), value)) mark(root);
      }
      return;
    }
    case spv::Op::OpFunctionCall:
      // What a callee does with an array is not followed.
      for (std::size_t i = 4; i < in.words.size(); ++i) {
        const std::uint32_t root = root_of(in.word(i));
        const instruction pointee = module_->find(module_->type_of(root).word(3));
        if (pointee.op() == spv::Op::OpTypeArray) mark(root);
      }
      return;
    default: return;
  }
}

auto indexed_arrays::stores_of(const instruction& in) const noexcept -> std::uint64_t {
  const bool is_update = in.op() >= spv::Op::OpAtomicExchange && in.op() <= spv::Op::OpAtomicXor;
  const bool is_store = in.op() == spv::Op::OpStore || in.op() == spv::Op::OpCopyMemory;
  if (!is_store && !is_update) return 0;
  constexpr std::uint64_t of_private = 2;  // They cost about twice as much.
  const std::uint32_t root = root_of(in.word(is_store ? 1 : 3));
  switch (static_cast<spv::StorageClass>(module_->type_of(root).word(2))) {
    case spv::StorageClass::Workgroup: return 1;
    case spv::StorageClass::Private:
    case spv::StorageClass::Function:
      return root < is_indexed_.size() && is_indexed_[root] ? of_private : 0;
    default: return 0;
  }
}

}  // namespace aerogpu::spirv
