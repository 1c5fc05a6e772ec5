/* SPDX-License-Identifier: MIT */
/*
 * cpu_fma.c - does a multiply bring an add along for free?
 */
#include "micro.h"

static bool instance(int index, struct subject *subject)
{
	for (int j = 0; (subject->type = nano_type_at(j)); j++)
		if (subject->type->class == NANO_FLOAT && index-- == 0)
			return true;
	return false;
}

/* x = 1 + e: x * x - round(x * x) is e * e when nothing is rounded in between, and 0 otherwise. */
static void write_residue(const struct nano_type *type, char *text, size_t size)
{
	double e = type->lane_bytes == 8 ? 0x1p-27 : 0x1p-12;

	snprintf(text, size, "p1 = fma(p0, p0, p2) : %s where p0=%.17g, p2=%.17g", type->name, 1 + e, -(1 + 2 * e));
}

static void write_crowd(const struct nano_type *type, const char *operation, char *text, size_t size)
{
	snprintf(text, size, "for i=1..4 p{i} = %s : %s where p0=0.5, p5=0.5", operation, type->name);
}

static void want(struct lab *lab, const struct subject *subject)
{
	char text[256];

	write_residue(subject->type, text, sizeof(text));
	lab_want(lab, text, NANO_BARRIER_ASM);
	write_crowd(subject->type, "fma(p{i}, p0, p5)", text, sizeof(text));
	lab_want(lab, text, lab->barrier);
	write_crowd(subject->type, "p{i} * p0", text, sizeof(text));
	lab_want(lab, text, lab->barrier);
}

static void run(struct lab *lab, const struct subject *subject)
{
	char text[256];

	write_crowd(subject->type, "p{i} * p0", text, sizeof(text));

	struct estimate multiply = lab_time(lab, text, lab->barrier, NAN);

	if (lab->settled)
		return;
	write_residue(subject->type, text, sizeof(text));

	struct estimate residue = lab_try(lab, text, NANO_BARRIER_ASM, NAN);

	if (residue.status == MACHINE_ABSENT) {
		lab_note(lab, residue.why, NAN, NAN, "no such instruction");
		lab_measured(lab, 0, 0, 0, 0.999, "existence");
		return;
	}
	if (residue.status != MACHINE_RAN) {
		lab_status(lab, &residue);
		return;
	}
	lab_note(lab, "residue of a rounded product", NAN, residue.value,
		 residue.value != 0 ? "fused" : "rounded twice");
	write_crowd(subject->type, "fma(p{i}, p0, p5)", text, sizeof(text));

	struct estimate fused = lab_time(lab, text, lab->barrier, NAN);

	if (lab->settled)
		return;
	if (residue.value != 0 && fused.ticks > 1.5 * multiply.ticks)
		snprintf(lab->finding.note, sizeof(lab->finding.note), "exact, but %.1f times as long as a multiply",
			 fused.ticks / multiply.ticks);
	lab_measured(lab, residue.value != 0, residue.value != 0, residue.value != 0, 0.999, "interval and exactness");
}

const struct micro micro_cpu_fma = {
	.name = "cpu.fma.TYPE",
	.what = "fused multiply-add exists",
	.unit = "bool",
	.story =
		"Idea     With a fused multiply-add the add comes free with the multiply, and the product is not rounded.\n"
		"Answer   Yes when the instruction runs and its result shows a single rounding; a note when it takes much\n"
		"         longer than a multiply.\n"
		"Assumes  The compiler has a flag for the instruction on this ISA.",
	.needs = { "?cpu.frequency" },
	.instance = instance,
	.want = want,
	.run = run,
};
