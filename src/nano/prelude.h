/* SPDX-License-Identifier: MIT */
/*
 * prelude.h - everything generated code may use, as the text it begins with; private to nano/
 */
#ifndef XRAY_NANO_PRELUDE_H
#define XRAY_NANO_PRELUDE_H

extern const char nano_prelude[];

#endif
