/* SPDX-License-Identifier: MIT */
/*
 * emit.h - the machine code of places, for this kind of CPU; private to machine/
 */
#ifndef XRAY_MACHINE_EMIT_H
#define XRAY_MACHINE_EMIT_H

#if defined(__x86_64__)
#include "emit_x86.h"
#elif defined(__aarch64__)
#include "emit_arm64.h"
#elif defined(__riscv_compressed) && __riscv_xlen == 64
#include "emit_riscv.h"
#else
#include "emit_none.h"
#endif

#endif
