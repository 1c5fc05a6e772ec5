/* SPDX-License-Identifier: MIT */
/*
 * session.c - works a plan off: prepares, measures in order, keeps the budget, comes back to what a neighbour spoilt
 */
#include <stdlib.h>

#include "session.h"

static const double WAITING = 5e8; /* ns a session may wait for neighbours to leave the core before it earned more */
static const double SECOND_LOOK = 0.5; /* of the time the first took */
static const double PATIENT_WAITING = 1e10;
/* ns of timing before the rest must hurry: at first, and for each step. Twice what a quiet machine takes, and the
 * whole core catalogue within 6 s beside the loudest neighbours. */
static const double CREDIT = 5e8, CREDIT_STEP = 8e6;

enum { MOST_RESTARTS = 2 };

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
	char timer_why[256]; /* it did not run, or did without a compiler */
};

static double now(struct session *session)
{
	return session->machine->ops->clock(session->machine);
}

static bool stopped(struct session *session)
{
	return session->hooks->stop && session->hooks->stop(session->hooks->context);
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
	} else if (session->timer_why[0] && entry->micro->want && !entry->micro->builtin) {
		lab_outcome(lab, BLOCKED, session->timer_why);
	} else if (lacks_need(session, entry, reason, sizeof(reason))) {
		lab_outcome(lab, blocked_or_absent(session, entry), reason);
	} else {
		entry->micro->run(lab, &entry->subject);
		if (lab->finding.outcome != MEASURED && lab->finding.outcome != ABSENT &&
		    now(session) > session->deadline) {
			lab->finding.outcome = BLOCKED;
			snprintf(lab->finding.reason, sizeof(lab->finding.reason),
				 "budget: no time was left to finish it");
		}
	}
	if (stopped(session))
		return;

	const char *source = "";

	if (session->hooks->claim && session->hooks->claim(entry->name, &lab->finding.claimed, &source))
		snprintf(lab->finding.claimed_source, sizeof(lab->finding.claimed_source), "%s", source);
	lab->finding.seconds = (now(session) - begin) / 1e9;
	step->share = lab->share;
	step->seconds = lab->finding.seconds;
	step->asked = step->asked || (entry->micro->second && lab->finding.outcome != BLOCKED);
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

/* The core's own speed was not known yet when the step was measured. */
static bool spoilt(const struct session *session, const struct step *step)
{
	return step->share > session->timer.share * SPOILT;
}

static bool unclear(const struct session *session, const struct step *step)
{
	const struct finding *finding = findings_get(session->lab.findings, step->entry->name);

	return finding && finding->outcome == UNCLEAR;
}

/* Was it derived from this one alone, without timing anything? */
static bool derived_from(const struct step *step, const char *name)
{
	char need[64];
	bool optional;

	for (int i = 0; catalogue_need(step->entry, i, need, sizeof(need), &optional); i++)
		if (!optional && strcmp(need, name) == 0)
			return step->entry->micro->want == NULL;
	return false;
}

/* Was it blocked for want of this one, which is measured by now? */
static bool set_free(const struct session *session, const struct step *step, const char *name)
{
	const struct finding *finding = findings_get(session->lab.findings, step->entry->name);
	const struct finding *wanted = findings_get(session->lab.findings, name);
	char need[64];
	bool optional;

	if (!finding || finding->outcome != BLOCKED || !wanted || wanted->outcome != MEASURED)
		return false;
	for (int i = 0; catalogue_need(step->entry, i, need, sizeof(need), &optional); i++)
		if (strcmp(need, name) == 0)
			return true;
	return false;
}

/* What is unclear, for a neighbour's sake more often than not, deserves a second look when the rest is done; what hangs
 * on it alone is then derived again, and what was blocked for want of it gets its first. */
static void come_back(struct session *session, double until)
{
	struct plan *plan = session->plan;

	lab_forget(&session->lab);
	for (int i = 0; i < plan->count && !stopped(session) && now(session) < until; i++) {
		/* Walks are on no account. Counts were voted on. */
		if (!unclear(session, &plan->steps[i]) || plan->steps[i].entry->micro->second ||
		    (plan->steps[i].entry->micro->want && session->timer.credit <= 0))
			continue;
		measure(session, &plan->steps[i]);
		for (int j = i + 1; j < plan->count; j++)
			if (derived_from(&plan->steps[j], plan->steps[i].entry->name) ||
			    set_free(session, &plan->steps[j], plan->steps[i].entry->name))
				measure(session, &plan->steps[j]);
	}
}

static bool is_asked(const struct plan *plan, const char *name)
{
	for (int i = 0; i < plan->count; i++)
		if (strcmp(plan->steps[i].entry->name, name) == 0)
			return plan->steps[i].asked;
	return false;
}

/* The clock was looked at for a moment; the ticks of all the other estimates saw more of it. */
static void widen_frequency(struct session *session)
{
	const struct finding *found = findings_get(session->lab.findings, "cpu.frequency");
	const struct timer *timer = &session->timer;

	if (!found || found->outcome != MEASURED || isnan(session->lab.cycle))
		return;

	struct finding wider = finding_copy(found);

	wider.low = fmin(wider.low, 1e9 / (timer->tick_most * session->lab.cycle));
	wider.high = fmax(wider.high, 1e9 / (timer->tick_least * session->lab.cycle));
	findings_put_take(session->lab.findings, &wider);
	if (session->hooks->found && is_asked(session->plan, "cpu.frequency"))
		session->hooks->found(session->hooks->context, findings_get(session->lab.findings, "cpu.frequency"));
}

/* Everything counts in cycles that the first steps found, so when it turns out that these were measured beside a
 * neighbour, the work starts again. */
static void work(struct session *session)
{
	const struct session_hooks *hooks = session->hooks;
	struct plan *plan = session->plan;
	double begin = now(session);
	int restarts = 0, reached = 0;

	for (int i = 0; i < plan->count && !stopped(session); i++) {
		double left = plan_left(plan, i);

		if (hooks->progress)
			hooks->progress(hooks->context, plan->steps[i].entry, i, plan->count,
					isnan(left) ? NAN : fmin(left, (session->deadline - now(session)) / 1e9));
		/* Once: what starts again has the neighbour's time to make good, and nobody is in its way now. */
		if (i == reached) {
			session->timer.credit += plan->steps[i].entry->micro->want ? CREDIT_STEP : 0;
			reached++;
		}
		measure(session, &plan->steps[i]);
		for (int j = 0; j <= i && restarts < MOST_RESTARTS; j++)
			if (spoilt(session, &plan->steps[j])) {
				lab_forget(&session->lab);
				restarts++;
				i = j - 1;
			}
	}
	if (session->timer_status == MACHINE_RAN && !session->options->brief)
		come_back(session, fmin(session->deadline, now(session) + SECOND_LOOK * (now(session) - begin)));
	widen_frequency(session);
}

/* A run of everything does not show what hangs on counters that are not there; one line says so. */
static void say_counters(const struct session *session, char *text, size_t size)
{
	const struct finding *events = findings_get(session->lab.findings, "counter.events");

	text[0] = '\0';
	if (events && events->outcome == BLOCKED)
		snprintf(text, size, "%s", events->reason);
}

struct session_result session_run(struct machine *machine, struct plan *plan, const struct session_options *options,
				  const struct session_hooks *hooks)
{
	struct session session = { .machine = machine, .plan = plan, .options = options, .hooks = hooks };
	struct session_result result = { .findings = findings_new() };

	session.start = now(&session);
	session.deadline = session.start + options->budget * 1e9;
	session.timer_status = timer_open(&session.timer, machine, options->patient ? PATIENT_WAITING : WAITING,
					  session.timer_why, sizeof(session.timer_why));
	session.timer.stop = hooks->stop;
	session.timer.stop_context = hooks->context;
	session.timer.deadline = session.deadline;
	session.timer.credit = options->patient ? INFINITY : CREDIT;
	lab_open(&session.lab, &session.timer, result.findings, options->barrier);
	session.lab.brief = options->brief;
	session.lab.noted = hooks->noted;
	session.lab.noted_context = hooks->context;
	if (options->ladder.S)
		session.lab.ladder = options->ladder;
	prepare(&session);
	work(&session);
	say_counters(&session, result.counters, sizeof(result.counters));
	result.seconds = (now(&session) - session.start) / 1e9;
	result.interrupted = stopped(&session);
	snprintf(result.noise, sizeof(result.noise), "%s",
		 session.timer_status == MACHINE_RAN ? session.timer.audit : "not audited");
	free(session.lab.finding.evidence);
	free(session.lab.hierarchy);
	free(session.lab.paging);
	free(session.lab.huge_paging);
	free(session.lab.code_paging);
	free(session.lab.coding);
	free(session.lab.counting);
	teams_free(session.lab.teamwork);
	lab_close(&session.lab);
	timer_close(&session.timer);
	return result;
}
