# SPDX-License-Identifier: MIT
"""How large an X display is, from the libraries that Wine itself asks."""
import ctypes


class Monitor(ctypes.Structure):
    """XRRMonitorInfo."""
    _fields_ = [("name", ctypes.c_ulong), ("is_primary", ctypes.c_int),
                ("is_automatic", ctypes.c_int), ("output_count", ctypes.c_int),
                ("x", ctypes.c_int), ("y", ctypes.c_int),
                ("width", ctypes.c_int), ("height", ctypes.c_int),
                ("width_mm", ctypes.c_int), ("height_mm", ctypes.c_int),
                ("outputs", ctypes.c_void_p)]


def library(name, *functions):
    """With functions that take a display first; those that are listed return a pointer."""
    loaded = ctypes.CDLL(name)
    for function, *arguments in functions:
        getattr(loaded, function).argtypes = arguments
        getattr(loaded, function).restype = ctypes.c_void_p
    return loaded


def primary_monitor(screens, display):
    """Its size, or nothing where the display knows of no monitors."""
    xrandr = library("libXrandr.so.2",
                     ("XRRGetMonitors", ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int,
                      ctypes.POINTER(ctypes.c_int)),
                     ("XRRFreeMonitors", ctypes.c_void_p))
    event, error, count = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    xrandr.XRRQueryExtension.argtypes = [ctypes.c_void_p, *[ctypes.POINTER(ctypes.c_int)] * 2]
    if not xrandr.XRRQueryExtension(display, event, error):
        return None
    found = xrandr.XRRGetMonitors(display, screens.XDefaultRootWindow(display), 1, count)
    if not found:
        return None
    monitors = (Monitor * count.value).from_address(found)
    chosen = sorted(monitors, key=lambda one: not one.is_primary)[:1]
    sizes = [(one.width, one.height) for one in chosen]
    xrandr.XRRFreeMonitors(found)
    return sizes[0] if sizes else None


def size_of(name):
    """Width and height of its primary monitor, else of all of it; nothing where nobody says."""
    try:
        x11 = library("libX11.so.6", ("XOpenDisplay", ctypes.c_char_p))
        display = ctypes.c_void_p(x11.XOpenDisplay(name.encode()))
    except (OSError, AttributeError):
        return None
    if not display:
        return None
    x11.XDefaultRootWindow.argtypes = [ctypes.c_void_p]
    x11.XDefaultRootWindow.restype = ctypes.c_ulong
    try:
        found = primary_monitor(x11, display)
    except (OSError, AttributeError):
        found = None
    if found is None:
        screen = x11.XDefaultScreen(display)
        found = x11.XDisplayWidth(display, screen), x11.XDisplayHeight(display, screen)
    x11.XCloseDisplay(display)
    return found
