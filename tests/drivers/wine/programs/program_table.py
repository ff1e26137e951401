# SPDX-License-Identifier: MIT
"""The programs of others that ./dev wine-programs runs, and the libraries that they stand on.

All come from Debian's source packages. Paths are those of a package's source tree; a library or a
program is compiled from there without its own build system.
"""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Library:
    """What is compiled once for each architecture. `units`: files a compiler reads at once, joined."""
    name: str
    package: str
    sources: tuple[str, ...]
    without: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    made: tuple[tuple[str, str], ...] = ()
    unit_files: int = 1


@dataclasses.dataclass(frozen=True)
class Program:
    """One program and the frame that is compared. Its folder is where it runs: there are its media.
    `answers`: what it reads from its standard input. `leaves`: files that an earlier run left there.
    `lacks`: what it takes for granted and the adapter does not offer."""
    name: str
    library: str
    sources: tuple[str, ...]
    folder: str
    shows: str
    frame: int = 60
    arguments: tuple[str, ...] = ()
    answers: str = ""
    links: tuple[str, ...] = ()
    leaves: tuple[str, ...] = ()
    lacks: str = ""


IMGUI = Library(
    name="imgui", package="imgui",
    sources=("imgui*.cpp", "backends/imgui_impl_dx9.cpp", "backends/imgui_impl_win32.cpp"),
    include=(".", "backends"))

SDL = Library(
    name="sdl2", package="libsdl2",
    sources=tuple(f"src/{where}*.c" for where in (
        "", "atomic/", "audio/", "core/windows/", "cpuinfo/", "dynapi/", "events/", "file/",
        "filesystem/windows/", "haptic/", "haptic/dummy/", "hidapi/", "joystick/", "joystick/dummy/",
        "libm/", "loadso/windows/", "locale/", "locale/windows/", "main/windows/", "misc/",
        "misc/windows/", "power/", "render/", "render/direct3d*/", "render/software/", "sensor/",
        "sensor/dummy/", "stdlib/", "test/", "thread/", "thread/generic/SDL_syscond",
        "thread/windows/", "timer/", "timer/windows/", "video/", "video/windows/", "video/yuv2rgb/")),
    include=("include",), flags=("-include", "@here@/sdl_config.h"))

IRRLICHT_LEFT_OUT = (
    "CONSOLE_DEVICE", "JPG_LOADER", "JPG_WRITER", "PNG_LOADER", "PNG_WRITER", "BURNINGSVIDEO",
    "SOFTWARE", "OPENGL", "COLLADA_LOADER", "COLLADA_WRITER", "OGRE_LOADER", "LWO_LOADER",
    "MS3D_LOADER", "OCT_LOADER", "MY3D_LOADER", "LMTS_LOADER", "DMF_LOADER", "CSM_LOADER",
    "HALFLIFE_LOADER", "SMF_LOADER", "STL_LOADER", "STL_WRITER", "PLY_LOADER", "PLY_WRITER",
    "OBJ_LOADER", "OBJ_WRITER", "PSD_LOADER", "PSD_WRITER", "PCX_LOADER", "PCX_WRITER",
    "PPM_LOADER", "PPM_WRITER", "RGB_LOADER", "WAL_LOADER", "LMP_LOADER")

IRRLICHT = Library(
    name="irrlicht", package="irrlicht",
    sources=("source/Irrlicht/*.cpp",),
    without=tuple(f"source/Irrlicht/{name}" for name in (
        "CTR*", "CBurning*", "CSoftware*", "COpenGL*", "CD3D8*", "CIrrDevice[FL]*", "CIrrDeviceSDL*",
        "CCgMaterial*")),
    include=("include", "source/Irrlicht"),
    flags=("-D_IRR_STATIC_LIB_", "-fpermissive", "-DIRR_COMPILE_WITH_DX9_DEV_PACK",
           "-DNO__IRR_COMPILE_WITH_ZIP_ARCHIVE_LOADER_",
           "-DNO_IRR_COMPILE_WITH_DIRECTINPUT_JOYSTICK_", "-DNO_IRR_COMPILE_WITH_JOYSTICK_EVENTS_",
           *(f"-DNO_IRR_COMPILE_WITH_{part}_" for part in IRRLICHT_LEFT_OUT)),
    unit_files=12)

LIBRARIES = {library.name: library for library in (IMGUI, SDL, IRRLICHT)}


def of_sdl(name, shows, **more):
    sources = tuple(f"test/{source}.c" for source in (name, "testutils", *more.pop("with_files", ())))
    return Program(name=name, library="sdl2", sources=sources,
                   folder="test", shows=shows,
                   links=("-lgdi32", "-lole32", "-loleaut32", "-limm32", "-lversion", "-lsetupapi",
                          "-lwinmm", "-lshell32", "-luuid"), **more)


def of_irrlicht(number, name, shows, **more):
    folder = f"examples/{number}.{name}"
    more.setdefault("answers", "b\n")
    return Program(name=f"irrlicht-{number}", library="irrlicht", sources=(f"{folder}/main.cpp",),
                   folder=folder, shows=f"{name}: {shows}", links=("-lgdi32", "-lwinmm", "-lole32"),
                   **more)


PROGRAMS = (
    Program(name="imgui", library="imgui", sources=("examples/example_win32_directx9/main.cpp",),
            folder="examples/example_win32_directx9", shows="windows of an immediate-mode GUI",
            links=("-ld3d9", "-lgdi32", "-ldwmapi", "-limm32"), leaves=("imgui.ini",)),
    of_sdl("testsprite2", "sprites with blending", arguments=("--iterations", "40")),
    of_sdl("testgeometry", "a triangle of colours"),
    of_sdl("testrendertarget", "a texture as render target"),
    of_sdl("testdraw2", "points, lines and rectangles"),
    of_sdl("testviewport", "viewports and clipping"),
    of_sdl("testscale", "a texture that is scaled"),
    of_sdl("testoverlay2", "YUV planes through a pixel shader", with_files=("testyuv_cvt",)),
    of_irrlicht("03", "CustomSceneNode", "a turning tetrahedron"),
    of_irrlicht("04", "Movement", "a lit scene with an animated mesh"),
    of_irrlicht("05", "UserInterface", "a GUI"),
    of_irrlicht("10", "Shaders", "materials of the program's own shaders", answers="b\ny\nn\n"),
    of_irrlicht("11", "PerPixelLighting", "normal maps in assembled shaders"),
    of_irrlicht("13", "RenderToTexture", "a scene in a texture"),
    of_irrlicht("20", "ManagedLights", "eight lights at once"),
    of_irrlicht("23", "SMeshHandling", "meshes that the program makes"),
)
