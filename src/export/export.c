/* SPDX-License-Identifier: MIT */
/*
 * export.c - the table of forms, and what all of them have in common: who made it, and what is left out
 */
#include "sheet.h"

/* Where the remarks go. */
enum remarks {
	IN_C, /* a comment of C */
	AFTER_HASH, /* lines that begin with # */
	BESIDE, /* the form has no comments: to whom it asks */
	WITHIN, /* the form has a place of its own for them */
};

static const char *const machine_names[] = {
	"cpu.frequency", "cpu.fma", "cpu.registers", "cache",      "memory", "page", "tlb",
	"line",          "smp",     "contexts",      "numa.nodes", "os",     NULL
};
static const char *const gcc_names[] = { "cache.l1d.size", "cache.l1d.line",     "cache.l2.size",
					 "line",           "memory.parallelism", NULL };
static const char *const size_names[] = { "cache.levels", "cache.l1d.size", "cache.l2.size", "cache.l3.size", NULL };
static const char *const openblas_names[] = { "cache.l2.size", "contexts.fp", NULL };
static const char *const polly_names[] = { "cache.l1d.size",       "cache.l1d.ways",
					   "cache.l1d.line",       "cache.l2.size",
					   "cache.l2.ways",        "op.fma.f64*.latency",
					   "op.fma.f64*.interval", NULL };

/* Of the caches that hold data; cache.l1i is not one of them. */
#define OF_LEVELS(property) "cache.l1d." property, "cache.l?." property

static const char *const glibc_names[] = { "cache.levels", OF_LEVELS("size"), OF_LEVELS("sharing"), "memory.streaming",
					   NULL };
static const char *const likwid_names[] = { "cache.levels",       OF_LEVELS("size"),
					    OF_LEVELS("line"),    OF_LEVELS("ways"),
					    OF_LEVELS("unified"), OF_LEVELS("inclusion"),
					    OF_LEVELS("sharing"), NULL };
static const char *const hwloc_names[] = {
	"cache.levels",       OF_LEVELS("size"), OF_LEVELS("line"), OF_LEVELS("ways"), OF_LEVELS("unified"),
	OF_LEVELS("sharing"), "smp.siblings",    "comm.tree",       "numa.nodes",      NULL
};
static const char *const kerncraft_names[] = {
	"cpu.frequency",     "cache.levels",       OF_LEVELS("size"),      OF_LEVELS("line"),    OF_LEVELS("ways"),
	OF_LEVELS("policy"), OF_LEVELS("write"),   OF_LEVELS("bandwidth"), "memory.bandwidth",   OF_LEVELS("sharing"),
	"smp.smt",           "op.add.f*.interval", "op.mul.f*.interval",   "op.fma.f*.interval", NULL
};

static const struct form {
	struct export_format format;
	enum remarks remarks;
	void (*write)(struct sheet *sheet);
} forms[] = {
#define FORM(name, names, remarks, what, use) \
	{ \
		{ #name, what, use, names }, remarks, write_##name \
	}
	FORM(header, machine_names, IN_C, "C and C++: a macro for each number",
	     "xray export header >machine.h; #include \"machine.h\""),
	FORM(env, machine_names, AFTER_HASH, "shell, systemd, containers: NAME=number",
	     "xray export env >machine.env; set -a; . ./machine.env; set +a"),
	FORM(cmake, machine_names, AFTER_HASH, "CMake: a variable for each number",
	     "xray export cmake >machine.cmake; include(machine.cmake)"),
	FORM(gcc, gcc_names, BESIDE, "GCC: --param for caches and lines", "gcc $(xray export gcc) -O3 file.c"),
	FORM(glibc, glibc_names, BESIDE, "glibc on x86: caches for memcpy and its like",
	     "env $(xray export glibc) program"),
	FORM(openblas, openblas_names, BESIDE, "OpenBLAS: the second cache, and how many threads",
	     "env $(xray export openblas) program"),
	FORM(eigen, size_names, BESIDE, "Eigen: sizes of caches as macros", "g++ $(xray export eigen) -O3 file.cc"),
	FORM(polly, polly_names, BESIDE, "Polly in clang: caches and vectors",
	     "clang -O3 -mllvm -polly $(xray export polly) file.c"),
	FORM(hwloc, hwloc_names, WITHIN, "hwloc 2: the topology as XML",
	     "xray export hwloc >machine.xml; HWLOC_XMLFILE=machine.xml HWLOC_THISSYSTEM=1 program"),
	FORM(likwid, likwid_names, AFTER_HASH, "LIKWID: caches, for its topology file",
	     "merge with what likwid-genTopoCfg wrote, as docs/exports.md says, into /etc/likwid_topo.cfg"),
	FORM(openmetrics, machine_names, WITHIN, "OpenMetrics: a gauge for each number, its range and confidence",
	     "xray export openmetrics >DIR/xray.prom.new; mv DIR/xray.prom.new DIR/xray.prom"),
	FORM(kerncraft, kerncraft_names, AFTER_HASH, "Kerncraft: clock, FLOPs and caches of a machine file",
	     "xray export kerncraft >machine.yml; add by hand what it says is left out"),
#undef FORM
};

enum { FORMS = sizeof(forms) / sizeof(forms[0]) };

const struct export_format *export_at(int index)
{
	return index < FORMS ? &forms[index].format : NULL;
}

static const struct form *form_of(const char *name)
{
	for (int i = 0; i < FORMS; i++)
		if (strcmp(forms[i].format.name, name) == 0)
			return &forms[i];
	return NULL;
}

const struct export_format *export_find(const char *name)
{
	const struct form *form = form_of(name);

	return form ? &form->format : NULL;
}

/* Text within a comment of C ends it nowhere and begins none. */
static void put_remark(FILE *out, const char *before, const char *text)
{
	fputs(before, out);
	for (; *text; text++)
		fprintf(out, "%c%s", *text,
			(text[0] == '*' && text[1] == '/') || (text[0] == '/' && text[1] == '*') ? " " : "");
	fputc('\n', out);
}

/* Names that are absent, some on a line. */
static void put_absent(FILE *out, const char *before, const struct sheet *sheet)
{
	char line[200] = "";

	for (int i = 0; i < sheet->omitted; i++) {
		size_t used = strlen(line);

		if (!sheet->omissions[i].absent)
			continue;
		if (used > 100) {
			put_remark(out, before, line);
			used = 0;
		}
		snprintf(line + used, sizeof(line) - used, "%s %s", used ? "" : "this machine has no",
			 sheet->omissions[i].name);
	}
	if (line[0])
		put_remark(out, before, line);
}

static void put_omissions(FILE *out, const char *before, const struct sheet *sheet)
{
	char line[512];

	for (int i = 0; i < sheet->omitted; i++)
		if (!sheet->omissions[i].absent) {
			snprintf(line, sizeof(line), "left out: %s: %s", sheet->omissions[i].name,
				 sheet->omissions[i].why);
			put_remark(out, before, line);
		}
	put_absent(out, before, sheet);
}

static void put_banner(FILE *out, const char *before, const struct sheet *sheet)
{
	const struct report_context *context = sheet->context;
	char line[768], host[256], cpu[256];

	snprintf(line, sizeof(line), "made by xray %s; host: %s; cpu: %s; date: %s", context->version,
		 plain(context->host, host, sizeof(host)), plain(context->cpu, cpu, sizeof(cpu)), context->date);
	put_remark(out, before, line);
	snprintf(line, sizeof(line), "%s; use: %s", sheet->format->what, sheet->format->use);
	put_remark(out, before, line);
}

static void put_whole(const struct export_job *job, const struct form *form, const struct sheet *sheet,
		      const char *body)
{
	FILE *out = job->out;

	if (form->remarks == IN_C || form->remarks == AFTER_HASH) {
		const char *before = form->remarks == IN_C ? " * " : "# ";

		fputs(form->remarks == IN_C ? "/*\n" : "", out);
		put_banner(out, before, sheet);
		put_omissions(out, before, sheet);
		fputs(form->remarks == IN_C ? " */\n" : "", out);
	} else if (form->remarks == BESIDE) {
		put_omissions(job->talk, "xray: ", sheet);
	}
	fputs(body, out);
}

enum export_result export_write(const struct export_format *format, const struct export_job *job)
{
	const struct form *form = form_of(format->name);
	char *body = NULL;
	size_t size;
	struct sheet sheet = { .out = open_memstream(&body, &size),
			       .context = job->context,
			       .findings = job->findings,
			       .format = format };
	bool written = false;

	if (sheet.out) {
		form->write(&sheet);
		written = fclose(sheet.out) == 0;
	}
	if (!written)
		fprintf(job->talk, "xray: out of memory\n");
	else if (sheet.useless)
		put_omissions(job->talk, "xray: ", &sheet);
	else
		put_whole(job, form, &sheet, body);
	free(body);
	free(sheet.omissions);
	if (!written || sheet.useless || fflush(job->out) != 0)
		return EXPORT_NOTHING;
	return sheet.lacking ? EXPORT_PART : EXPORT_WHOLE;
}
