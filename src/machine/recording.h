/* SPDX-License-Identifier: MIT */
/*
 * recording.h - what record.c and replay.c agree on; private to them
 */
#ifndef XRAY_MACHINE_RECORDING_H
#define XRAY_MACHINE_RECORDING_H

#include "machine.h"

#define RECORDING_MAGIC "xray recording 2"

#endif
