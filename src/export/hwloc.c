/* SPDX-License-Identifier: MIT */
/*
 * hwloc.c - the topology as XML of hwloc 2
 *
 * Objects come in layers, each a division of all CPUs: cores, caches, and the groups of comm.tree. Layers nest: what
 * divides finer lies within what divides coarser. A layer that does not nest is left out. hwloc wants a node of memory;
 * where several are known, but not whose they are, one stands for all. No comments: hwloc's own reader of XML takes
 * none.
 */
#include "sheet.h"

enum { LAYERS = 32 };

struct layer {
	struct groups groups;
	char type[24], attributes[160];
};

struct topology {
	struct sheet *sheet;
	struct layer layers[LAYERS]; /* finest first */
	int count, ids;
};

/* Where a layer belongs that nests with all others; -1 when it does not. Behind those that divide alike. */
static int place_of(const struct topology *topology, const struct groups *groups)
{
	int place = 0;

	while (place < topology->count && groups_within(&topology->layers[place].groups, groups))
		place++;
	if (place < topology->count && !groups_within(groups, &topology->layers[place].groups))
		return -1;
	return place;
}

static void insert(struct topology *topology, int place, const struct layer *layer)
{
	for (int i = topology->count; i > place; i--)
		topology->layers[i] = topology->layers[i - 1];
	topology->layers[place] = *layer;
	topology->count++;
}

/* Reads the text of `name` into the layer. */
static bool read_layer(struct topology *topology, const char *name, struct layer *layer)
{
	const char *text = sheet_text(topology->sheet, name);

	if (!text)
		return false;
	if (groups_read(&layer->groups, text))
		return true;
	sheet_omit(topology->sheet, name, "is no list of CPUs that belong together");
	return false;
}

/* Caches and cores, from the inside out: each must be the coarsest so far. */
static void add_layer(struct topology *topology, const char *name, struct layer *layer)
{
	if (topology->count < LAYERS && place_of(topology, &layer->groups) == topology->count) {
		insert(topology, topology->count, layer);
		return;
	}
	sheet_omit(topology->sheet, name, "contradicts what nearer caches and cores are shared by");
	groups_free(&layer->groups);
}

static void add_cores(struct topology *topology)
{
	struct layer layer = { .type = "Core" };

	if (read_layer(topology, "smp.siblings", &layer))
		add_layer(topology, "smp.siblings", &layer);
}

/* Type 0 of a cache is unified, 1 holds data; the latter is what is known of each. */
static void describe(struct sheet *sheet, int level, double size, struct layer *layer)
{
	const char *name = sheet_level_name(level);
	double unified = 0, line, ways;
	bool both = level > 1 && sheet_level(sheet, "cache", name, "unified", &unified) && unified != 0;
	int used = snprintf(layer->attributes, sizeof(layer->attributes),
			    " cache_size=\"%.0f\" depth=\"%d\" cache_type=\"%d\"", size, level, both ? 0 : 1);

	if (sheet_level(sheet, "cache", name, "line", &line))
		used += snprintf(layer->attributes + used, sizeof(layer->attributes) - (size_t)used,
				 " cache_linesize=\"%.0f\"", line);
	if (sheet_level(sheet, "cache", name, "ways", &ways))
		snprintf(layer->attributes + used, sizeof(layer->attributes) - (size_t)used,
			 " cache_associativity=\"%.0f\"", ways);
	snprintf(layer->type, sizeof(layer->type), "L%dCache", level);
}

static void add_caches(struct topology *topology)
{
	struct sheet *sheet = topology->sheet;
	int levels = sheet_depth(sheet);

	for (int i = 1; i <= levels; i++) {
		struct layer layer = { 0 };
		char sharing[64];
		double size;

		snprintf(sharing, sizeof(sharing), "cache.%s.sharing", sheet_level_name(i));

		bool shared = read_layer(topology, sharing, &layer);

		if (!sheet_level(sheet, "cache", sheet_level_name(i), "size", &size)) {
			groups_free(&layer.groups);
		} else if (shared) {
			describe(sheet, i, size, &layer);
			add_layer(topology, sharing, &layer);
		}
	}
}

/* Groups of the tree that no cache or core is the same as. */
static void add_groups(struct topology *topology)
{
	const char *tree = sheet_text(topology->sheet, "comm.tree");
	struct layer layer = { .type = "Group", .attributes = " subtype=\"near\"" };

	for (int depth = 1; tree && topology->count < LAYERS && groups_of_tree(&layer.groups, tree, depth); depth++) {
		int place = place_of(topology, &layer.groups);
		bool known = place > 0 && groups_within(&layer.groups, &topology->layers[place - 1].groups);

		if (place >= 0 && !known)
			insert(topology, place, &layer);
		else
			groups_free(&layer.groups);
	}
}

/* Words of 32 CPUs, the highest first, of the CPUs of one group; of all for -1. */
static void put_set(FILE *out, const struct groups *groups, int group)
{
	bool begun = false;

	for (int word = groups->cpus[groups->count - 1] / 32; word >= 0; word--) {
		unsigned long bits = 0;

		for (int i = 0; i < groups->count; i++)
			if (groups->cpus[i] / 32 == word && (group < 0 || groups->group[i] == group))
				bits |= 1UL << groups->cpus[i] % 32;
		if (begun || bits)
			fprintf(out, "%s0x%08lx", begun ? "," : "", bits);
		begun = begun || bits;
	}
}

/* The beginning of an object; the caller ends it. */
static void put_object(struct topology *topology, int deep, const char *type, const struct groups *groups, int group)
{
	FILE *out = topology->sheet->out;

	fprintf(out, "%*s<object type=\"%s\" cpuset=\"", 2 + 2 * deep, "", type);
	put_set(out, groups, group);
	fputs("\" complete_cpuset=\"", out);
	put_set(out, groups, group);
	fprintf(out, "\" nodeset=\"0x00000001\" complete_nodeset=\"0x00000001\" gp_index=\"%d\"", ++topology->ids);
}

static void put_cpu(struct topology *topology, int deep, const struct groups *groups, int i)
{
	struct groups alone = { .count = 1, .groups = 1, .cpus = &groups->cpus[i], .group = (int[]){ 0 } };

	put_object(topology, deep, "PU", &alone, 0);
	fprintf(topology->sheet->out, " os_index=\"%d\"/>\n", groups->cpus[i]);
}

/* What lies within the group of the layer above; at the outermost all of it. */
static void put_layer(struct topology *topology, int index, const struct groups *outer, int group)
{
	int deep = topology->count - index;

	for (int i = 0; i < outer->count; i++) {
		if (group >= 0 && outer->group[i] != group)
			continue;
		if (index < 0) {
			put_cpu(topology, deep, outer, i);
			continue;
		}

		const struct layer *layer = &topology->layers[index];

		if (layer->groups.group[i] != i)
			continue;
		put_object(topology, deep, layer->type, &layer->groups, i);
		fprintf(topology->sheet->out, "%s>\n", layer->attributes);
		put_layer(topology, index - 1, &layer->groups, i);
		fprintf(topology->sheet->out, "%*s</object>\n", 2 + 2 * deep, "");
	}
}

static void put_escaped(FILE *out, const char *text)
{
	static const char special[] = "&<>\"'";
	static const char *const entities[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&apos;" };

	for (; *text; text++) {
		const char *found = strchr(special, *text);

		if (found)
			fputs(entities[found - special], out);
		else
			fputc(*text, out);
	}
}

static void put_info(FILE *out, const char *name, const char *value)
{
	char room[512];

	fprintf(out, "    <info name=\"");
	put_escaped(out, name);
	fprintf(out, "\" value=\"");
	put_escaped(out, plain(value, room, sizeof(room)));
	fprintf(out, "\"/>\n");
}

static void put_infos(const struct topology *topology)
{
	const struct sheet *sheet = topology->sheet;
	char name[96];

	put_info(sheet->out, "Backend", "xray");
	put_info(sheet->out, "xray version", sheet->context->version);
	put_info(sheet->out, "xray date", sheet->context->date);
	put_info(sheet->out, "xray host", sheet->context->host);
	put_info(sheet->out, "xray cpu", sheet->context->cpu);
	for (int i = 0; i < sheet->omitted; i++)
		if (!sheet->omissions[i].absent) {
			snprintf(name, sizeof(name), "xray left out %s", sheet->omissions[i].name);
			put_info(sheet->out, name, sheet->omissions[i].why);
		}
}

static void put_topology(struct topology *topology)
{
	const struct groups *all = &topology->layers[0].groups;
	FILE *out = topology->sheet->out;

	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n"
	      "<topology version=\"2.0\">\n",
	      out);
	put_object(topology, 0, "Machine", all, -1);
	fputs(" os_index=\"0\" allowed_cpuset=\"", out);
	put_set(out, all, -1);
	fputs("\" allowed_nodeset=\"0x00000001\">\n", out);
	put_infos(topology);
	put_object(topology, 1, "NUMANode", all, -1);
	fputs(" os_index=\"0\"/>\n", out);
	put_layer(topology, topology->count - 1, all, -1);
	fputs("  </object>\n</topology>\n", out);
}

void write_hwloc(struct sheet *sheet)
{
	struct topology topology = { .sheet = sheet };
	double nodes;

	add_cores(&topology);
	add_caches(&topology);
	add_groups(&topology);
	if (sheet_number(sheet, "numa.nodes", &nodes) && nodes > 1)
		sheet_omit(sheet, "numa.nodes",
			   "there are several, and nothing tells which CPUs are near to which: one stands for all");
	if (topology.count > 0) {
		put_topology(&topology);
	} else {
		sheet_omit(sheet, "CPUs",
			   "nothing tells which there are: neither smp.siblings nor comm.tree nor cache.LEVEL.sharing");
		sheet->useless = true;
	}
	for (int i = 0; i < topology.count; i++)
		groups_free(&topology.layers[i].groups);
}
