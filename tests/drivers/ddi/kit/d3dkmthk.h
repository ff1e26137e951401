/* SPDX-License-Identifier: MIT */
// Stands for a kit that declares nothing; see kit_switch.cpp.
