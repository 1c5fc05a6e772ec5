/* SPDX-License-Identifier: MIT */
/*
 * session.c - works a plan off: prepares, measures in order, keeps the budget, comes back to what a neighbour spoilt
 */
#include <stdlib.h>

#include "session.h"

static const double WAITING = 6e9; /* ns a session may wait for neighbours to leave the core */
static const double SPOILT = 1.05; /* the core was found to be this much faster later on */

struct session {
	struct machine *machine;
	struct plan *plan;
	const struct session_options *options;
	const struct session_hooks *hooks;
	struct timer timer;
	struct lab lab;
	double start, deadline; /* the machine's clock, ns */
	enum machine_status timer_status;
	char timer_why[256];
};

static double now(struct session *session)
{
	return session->machine->ops->clock(session->machine);
}

static bool stopped(struct session *session)
{
	return session->options->stop && session->options->stop();
}

/* The first need that was not measured, as the reason for being blocked. */
static bool lacks_need(struct session *session, const struct entry *entry, char *reason, size_t size)
{
	char need[64];
	bool optional;

	for (int i = 0; catalogue_need(entry, i, need, sizeof(need), &optional); i++) {
		const struct finding *finding = findings_get(session->lab.findings, need);

		if (optional || (finding && finding->outcome == MEASURED))
			continue;
		snprintf(reason, size, "needs %s, which %s%s", need, finding ? "is " : "was not measured",
			 finding ? outcome_word(finding->outcome) : "");
		return true;
	}
	return false;
}

/* What hangs on something absent is absent, too. */
static enum outcome blocked_or_absent(struct session *session, const struct entry *entry)
{
	char need[64];
	bool optional;

	for (int i = 0; catalogue_need(entry, i, need, sizeof(need), &optional); i++) {
		const struct finding *finding = findings_get(session->lab.findings, need);

		if (!optional && finding && finding->outcome == ABSENT)
			return ABSENT;
	}
	return BLOCKED;
}

static void measure(struct session *session, struct step *step)
{
	struct lab *lab = &session->lab;
	const struct entry *entry = step->entry;
	double begin = now(session);
	char reason[256];

	lab_start(lab, entry->name, entry->micro->unit);
	if (begin > session->deadline) {
		lab_outcome(lab, BLOCKED, "budget: no time was left for it");
	} else if (session->timer_status != MACHINE_RAN) {
		lab_status(lab, &(struct estimate){ .status = session->timer_status });
		snprintf(lab->finding.reason, sizeof(lab->finding.reason), "%s", session->timer_why);
	} else if (lacks_need(session, entry, reason, sizeof(reason))) {
		lab_outcome(lab, blocked_or_absent(session, entry), reason);
	} else {
		entry->micro->run(lab, &entry->subject);
	}
	if (stopped(session))
		return;

	const char *source = "";

	if (session->hooks->claim && session->hooks->claim(entry->name, &lab->finding.claimed, &source))
		snprintf(lab->finding.claimed_source, sizeof(lab->finding.claimed_source), "%s", source);
	lab->finding.seconds = (now(session) - begin) / 1e9;
	step->share = lab->share;
	lab_finish(lab);
	if (step->asked && session->hooks->found)
		session->hooks->found(session->hooks->context, findings_get(lab->findings, entry->name));
}

static void prepare(struct session *session)
{
	if (session->timer_status != MACHINE_RAN)
		return;
	if (session->hooks->progress)
		session->hooks->progress(session->hooks->context, NULL, 0, session->plan->count, NAN);
	for (int i = 0; i < session->plan->count; i++) {
		const struct entry *entry = session->plan->steps[i].entry;

		if (entry->micro->want)
			entry->micro->want(&session->lab, &entry->subject);
	}
	lab_prepare(&session->lab);
}

/* A throughput that a neighbour shared, or that was taken before the core's own speed was known, deserves a second look
 * when the rest is done. */
static bool deserves_return(struct session *session, const struct step *step)
{
	const struct finding *finding = findings_get(session->lab.findings, step->entry->name);

	if (!finding || step->came_back || finding->outcome == ABSENT || finding->outcome == BLOCKED)
		return false;
	if (isfinite(step->share) && step->share > session->timer.share * SPOILT)
		return true;
	return finding->outcome == UNCLEAR && strncmp(finding->reason, "two speeds", 10) == 0;
}

static void come_back(struct session *session)
{
	int again = 0;

	for (int i = 0; i < session->plan->count; i++)
		again += deserves_return(session, &session->plan->steps[i]);
	if (!again || session->timer_status != MACHINE_RAN)
		return;
	lab_forget(&session->lab);
	for (int i = 0; i < session->plan->count && !stopped(session); i++) {
		struct step *step = &session->plan->steps[i];

		if (!deserves_return(session, step) || now(session) > session->deadline)
			continue;
		step->came_back = true;
		measure(session, step);
		/* What was derived from it is derived again. */
		for (int j = i + 1; j < session->plan->count; j++) {
			char need[64];
			bool optional;

			for (int k = 0; catalogue_need(session->plan->steps[j].entry, k, need, sizeof(need), &optional); k++)
				if (!optional && strcmp(need, step->entry->name) == 0 &&
				    session->plan->steps[j].entry->micro->want == NULL)
					measure(session, &session->plan->steps[j]);
		}
	}
}

struct session_result session_run(struct machine *machine, struct plan *plan, const struct session_options *options,
				  const struct session_hooks *hooks)
{
	struct session session = { .machine = machine, .plan = plan, .options = options, .hooks = hooks };
	struct session_result result = { .findings = findings_new() };
	int total = plan->count;

	session.start = now(&session);
	session.deadline = session.start + options->budget * 1e9;
	session.timer_status =
		timer_open(&session.timer, machine, WAITING, session.timer_why, sizeof(session.timer_why));
	session.timer.stop = options->stop;
	lab_open(&session.lab, &session.timer, result.findings, options->barrier);
	prepare(&session);

	double begin = now(&session);

	for (int i = 0; i < total && !stopped(&session); i++) {
		if (hooks->progress)
			hooks->progress(hooks->context, plan->steps[i].entry, i, total,
					i ? (now(&session) - begin) / 1e9 / i * (total - i) : NAN);
		measure(&session, &plan->steps[i]);
	}
	come_back(&session);
	result.seconds = (now(&session) - session.start) / 1e9;
	result.interrupted = stopped(&session);
	snprintf(result.noise, sizeof(result.noise), "%s",
		 session.timer_status == MACHINE_RAN ? session.timer.audit : "not audited");
	free(session.lab.finding.evidence);
	lab_close(&session.lab);
	timer_close(&session.timer);
	return result;
}
