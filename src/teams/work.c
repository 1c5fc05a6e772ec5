/* SPDX-License-Identifier: MIT */
/*
 * work.c - lets teams work, and what their members' pieces say
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "teams.h"

static const double QUICK = 0.1; /* the share of pieces that were left alone, at the least */

bool teams_try(struct lab *lab, const struct team *team, struct team_reading *reading)
{
	struct machine *machine = lab->timer->machine;
	enum machine_status status = machine->ops->team(machine, team, reading);

	lab->finding.samples += team->count;
	return status == MACHINE_RAN && !timer_over(lab->timer);
}

bool teams_work(struct lab *lab, const struct team *team, struct team_reading *reading)
{
	if (teams_try(lab, team, reading))
		return true;
	lab_outcome(lab, BLOCKED, reading->why[0] ? reading->why : "there was no time left for it");
	return false;
}

double teams_pace(const struct team_part *part, long length)
{
	double ns[TEAM_SAMPLES];
	int kept = 0;

	for (int i = 0; i < part->count; i++)
		if (!part->samples[i].switched)
			ns[kept++] = part->samples[i].ns;
	return stat_quantile(ns, kept, QUICK) / (double)length;
}

double teams_rate(const struct team_part *part, long length, double ns)
{
	return ns > 0 ? part->done * (double)length / ns : NAN;
}

struct teamwork *teams_of(struct lab *lab)
{
	int count = lab->timer->machine->identity.cpus;
	size_t cells = (size_t)count * (size_t)count;
	struct teamwork *teamwork = lab->teamwork;

	if (teamwork)
		return teamwork;
	teamwork = calloc(1, sizeof(*teamwork));
	if (teamwork) {
		teamwork->count = count;
		teamwork->passes = malloc(sizeof(double) * cells);
		teamwork->sure = calloc(cells, sizeof(bool));
		teamwork->slowed = calloc((size_t)count, sizeof(bool));
		teamwork->core = malloc(sizeof(int) * (size_t)count);
		teamwork->kind = calloc((size_t)count, sizeof(int));
		teamwork->chain = malloc(sizeof(double) * (size_t)count);
		teamwork->crowd = malloc(sizeof(double) * (size_t)count);
	}
	if (!teamwork || !teamwork->passes || !teamwork->sure || !teamwork->slowed || !teamwork->core ||
	    !teamwork->kind || !teamwork->chain || !teamwork->crowd) {
		teams_free(teamwork);
		lab_outcome(lab, FAILED, "out of memory");
		return NULL;
	}
	for (size_t i = 0; i < cells; i++)
		teamwork->passes[i] = NAN;
	for (int i = 0; i < count; i++) {
		teamwork->chain[i] = INFINITY;
		teamwork->crowd[i] = NAN;
	}
	return lab->teamwork = teamwork;
}

void teams_free(struct teamwork *teamwork)
{
	if (!teamwork)
		return;
	tree_free(teamwork->tree);
	free(teamwork->passes);
	free(teamwork->sure);
	free(teamwork->slowed);
	free(teamwork->core);
	free(teamwork->kind);
	free(teamwork->chain);
	free(teamwork->crowd);
	free(teamwork);
}

int teams_cpu(const struct lab *lab, int index)
{
	return lab->timer->machine->cpus[index];
}

char *teams_groups(const struct lab *lab, const int *group, int *groups)
{
	int count = lab->timer->machine->identity.cpus;
	size_t size = (size_t)count * 12 + 1, used = 0;
	char *text = calloc(size, 1);

	*groups = 0;
	for (int first = 0; text && first < count; first++) {
		const char *between = *groups ? " " : "";

		if (group[first] != first)
			continue;
		++*groups;
		for (int i = first; i < count; i++) {
			if (group[i] != first)
				continue;
			used += (size_t)snprintf(text + used, size - used, "%s%d", between, teams_cpu(lab, i));
			between = ",";
		}
	}
	return text;
}

bool teams_alone(struct lab *lab)
{
	if (lab->timer->machine->identity.cpus > 1)
		return false;
	lab_outcome(lab, BLOCKED, "there is one CPU, and this takes two");
	return true;
}
