# SPDX-License-Identifier: MIT
# The parts that are compiled, where what they need is found.
find_package(Threads QUIET)
find_package(PkgConfig QUIET)
find_path(AEROGPU_SPIRV_HEADERS spirv/unified1/spirv.hpp11)
find_path(AEROGPU_VULKAN_HEADERS vulkan/vulkan.h)
find_path(AEROGPU_VOLK volk.h)
mark_as_advanced(AEROGPU_SPIRV_HEADERS AEROGPU_VULKAN_HEADERS AEROGPU_VOLK)
if(NOT AEROGPU_SPIRV_HEADERS OR NOT Threads_FOUND)
  message(STATUS "aerogpu: SPIRV-Headers are not found: no shader compilers, no Vulkan backend")
  return()
endif()
if(PkgConfig_FOUND)
  pkg_check_modules(AEROGPU_VKD3D QUIET IMPORTED_TARGET libvkd3d-shader)
  pkg_check_modules(AEROGPU_SPIRV_TOOLS QUIET IMPORTED_TARGET SPIRV-Tools)
  pkg_check_modules(AEROGPU_SECCOMP QUIET IMPORTED_TARGET libseccomp)
endif()

# aerogpu_sources(variable folder [omitted]): the sources below `folder`, but for names that match `omitted`.
function(aerogpu_sources variable folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp")
  if(ARGC GREATER 2)
    list(FILTER sources EXCLUDE REGEX "/(${ARGV2})\\.cpp$")
  endif()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# aerogpu_library(name headers source...): what users include lies below `headers`.
function(aerogpu_library name headers)
  add_library(aerogpu_${name} STATIC EXCLUDE_FROM_ALL ${ARGN})
  target_include_directories(aerogpu_${name} PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}/${headers}"
    PRIVATE "${AEROGPU_SPIRV_HEADERS}")
  target_compile_options(aerogpu_${name} PRIVATE -fno-exceptions -fno-rtti)
  target_link_libraries(aerogpu_${name} PUBLIC aerogpu::aerogpu)
endfunction()

aerogpu_sources(spirv_sources shaders/spirv_bounds)
aerogpu_sources(random_sources shaders/common)
aerogpu_library(spirv shaders ${spirv_sources} ${random_sources})
aerogpu_sources(d3d9_sources shaders/d3d9_to_spirv)
aerogpu_library(d3d9_to_spirv shaders ${d3d9_sources})
add_library(aerogpu::d3d9_to_spirv ALIAS aerogpu_d3d9_to_spirv)

set(dxbc_folder "${CMAKE_CURRENT_SOURCE_DIR}/shaders/dxbc_to_spirv")
if(AEROGPU_VKD3D_FOUND AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  aerogpu_sources(dxbc_sources shaders/dxbc_to_spirv "main|sandbox|compile_absent|child_process_absent")
elseif(AEROGPU_VKD3D_FOUND)
  aerogpu_sources(dxbc_sources shaders/dxbc_to_spirv "main|sandbox|compile_absent|child_process")
else()  # Then the backend refuses these shaders.
  message(STATUS "aerogpu: libvkd3d-shader is not found: no compiler of Direct3D 10 and 11 shaders")
  set(dxbc_sources "${dxbc_folder}/compile_absent.cpp" "${dxbc_folder}/spirv_check.cpp")
endif()
aerogpu_library(dxbc_to_spirv shaders ${dxbc_sources})
target_link_libraries(aerogpu_dxbc_to_spirv PRIVATE aerogpu_spirv Threads::Threads)
# SPIRV-Tools throws when memory runs out.
set_source_files_properties("${dxbc_folder}/spirv_check.cpp" PROPERTIES
  COMPILE_OPTIONS -fexceptions SKIP_UNITY_BUILD_INCLUSION TRUE)
if(AEROGPU_SPIRV_TOOLS_FOUND)
  target_compile_definitions(aerogpu_dxbc_to_spirv PRIVATE AEROGPU_HAS_SPIRV_TOOLS=1)
  target_link_libraries(aerogpu_dxbc_to_spirv PRIVATE PkgConfig::AEROGPU_SPIRV_TOOLS)
endif()
if(AEROGPU_VKD3D_FOUND)
  target_link_libraries(aerogpu_dxbc_to_spirv PRIVATE PkgConfig::AEROGPU_VKD3D)
  add_library(aerogpu::dxbc_to_spirv ALIAS aerogpu_dxbc_to_spirv)
endif()

# The compiler's process. Programs of this build find it where it is built; installed ones beside them.
if(AEROGPU_VKD3D_FOUND AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  set(compiler "${dxbc_folder}/compiler")
  set(compiler_folder "${CMAKE_CURRENT_BINARY_DIR}/shader_compiler")
  add_executable(aerogpu_shader_compiler EXCLUDE_FROM_ALL "${compiler}/job.cpp" "${compiler}/main.cpp"
    "${compiler}/sandbox.cpp" "${dxbc_folder}/vkd3d.cpp")
  set_target_properties(aerogpu_shader_compiler PROPERTIES OUTPUT_NAME aerogpu-shader-compiler
    RUNTIME_OUTPUT_DIRECTORY "${compiler_folder}$<0:>")
  target_include_directories(aerogpu_shader_compiler PRIVATE shaders)
  target_compile_options(aerogpu_shader_compiler PRIVATE -fno-exceptions -fno-rtti)
  target_link_libraries(aerogpu_shader_compiler PRIVATE aerogpu::aerogpu PkgConfig::AEROGPU_VKD3D
    Threads::Threads)
  if(AEROGPU_SECCOMP_FOUND)
    target_compile_definitions(aerogpu_shader_compiler PRIVATE AEROGPU_HAS_SECCOMP=1)
    target_link_libraries(aerogpu_shader_compiler PRIVATE PkgConfig::AEROGPU_SECCOMP)
  endif()
  set(relative_folder "")
  set(installed "")
  set(build_folder "${CMAKE_BINARY_DIR}")
  set(built "${compiler_folder}/aerogpu-shader-compiler")
  configure_file("${compiler}/program_place.hpp.in" "${compiler_folder}/program_place.hpp" @ONLY)
  target_include_directories(aerogpu_dxbc_to_spirv PRIVATE "${compiler_folder}")
  add_dependencies(aerogpu_dxbc_to_spirv aerogpu_shader_compiler)
endif()

if(NOT AEROGPU_VULKAN_HEADERS OR NOT AEROGPU_VOLK)
  message(STATUS "aerogpu: the Vulkan headers or volk are not found: no Vulkan backend")
  return()
endif()
aerogpu_sources(vulkan_sources backends/vulkan)
aerogpu_library(vulkan backends ${vulkan_sources})
add_library(aerogpu::vulkan ALIAS aerogpu_vulkan)
target_include_directories(aerogpu_vulkan PRIVATE "${AEROGPU_VULKAN_HEADERS}" "${AEROGPU_VOLK}")
target_compile_definitions(aerogpu_vulkan PRIVATE VK_NO_PROTOTYPES VK_ENABLE_BETA_EXTENSIONS)
target_link_libraries(aerogpu_vulkan PUBLIC aerogpu::d3d9_to_spirv
  PRIVATE aerogpu_dxbc_to_spirv aerogpu_spirv Threads::Threads ${CMAKE_DL_LIBS})
# volk's functions are compiled before any other use of its header.
set_source_files_properties("${CMAKE_CURRENT_SOURCE_DIR}/backends/vulkan/device/volk.cpp" PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION TRUE)
