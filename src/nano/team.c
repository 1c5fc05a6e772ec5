/* SPDX-License-Identifier: MIT */
/*
 * team.c - teams as questions: the same one has the same number, a bad one is told
 */
#include <stdio.h>

#include "team.h"

uint64_t team_hash(const struct team *team)
{
	uint64_t hash = NANO_HASH_START;
	char text[160];

	snprintf(text, sizeof(text), "team %d %d %.17g %llu %d %.17g", (int)team->task, team->count, team->ns,
		 (unsigned long long)team->bytes, team->place, team->gap);
	hash = nano_hash_text(hash, text);
	for (int i = 0; i < team->count; i++) {
		const struct team_member *member = &team->members[i];
		uint64_t work = team->task == TEAM_RUN    ? nano_hash(member->nano)
				: team->task == TEAM_WALK ? walk_hash(member->walk)
							  : 0;

		snprintf(text, sizeof(text), "%d %d %ld %llx %ld%s", member->cpu, member->home, member->length,
			 (unsigned long long)work, team->task == TEAM_WALK ? member->walk->rush : 0,
			 member->bound ? " bound" : "");
		hash = nano_hash_text(hash, text);
	}
	return hash;
}

const char *team_wrong(const struct team *team)
{
	if (team->count < 1)
		return "a team without members";
	if (!(team->ns > 0))
		return "a team that ends before it begins";
	if (team->task == TEAM_PASS && team->count != 2)
		return "only two pass something to and fro";
	if (team->task == TEAM_STORE && team->bytes < sizeof(uint64_t))
		return "words that overlap";
	if (team->task == TEAM_WATCH)
		return team->gap > 0 ? NULL : "every gap is too long";
	for (int i = 0; i < team->count; i++) {
		const struct team_member *member = &team->members[i];

		if (member->length < 1)
			return "a member without work";
		if (team->task == TEAM_RUN && !member->nano)
			return "a member without a loop";
		if (team->task == TEAM_WALK && (!member->walk || member->walk->code))
			return "a member without a walk of data";
	}
	return NULL;
}
