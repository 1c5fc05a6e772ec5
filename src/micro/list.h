/* SPDX-License-Identifier: MIT */
/*
 * list.h - every micro-benchmark, one line each, in the order a reader should learn them; the order they run in follows
 * from their needs
 */
MICRO(cpu_frequency)
MICRO(cpu_fma)
MICRO(cpu_registers)
MICRO(op_latency)
MICRO(op_interval)
MICRO(op_inflight)
MICRO(cache_levels)
MICRO(cache_ways)
MICRO(cache_size)
MICRO(cache_reach)
MICRO(cache_line)
MICRO(cache_latency)
MICRO(memory_latency)
MICRO(line_constructive)
MICRO(page_size)
MICRO(page_huge)
MICRO(page_promotion)
MICRO(tlb_entries)
MICRO(tlb_ways)
MICRO(tlb_penalty)
MICRO(tlb_reach)
MICRO(tlb_huge)
