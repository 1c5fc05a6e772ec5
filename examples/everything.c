/* SPDX-License-Identifier: MIT */
/*
 * everything.c - prints all that xray finds out about this computer, or what its arguments name
 *
 *	cc everything.c $(pkg-config --cflags --libs libxray) -o everything
 *	./everything [NAME...]
 *
 * The first run takes as long as `xray` itself; for a month after that the answers are kept.
 */
#include <stdio.h>
#include <xray.h>

static int progress(void *context, const char *name, int done, int total, double seconds_left)
{
	(void)context;
	(void)seconds_left;
	fprintf(stderr, "%d of %d: %s\n", done, total, name ? name : "compiling");
	return 0;
}

static int print(void *context, const struct xray_finding *finding)
{
	int *count = context;

	(*count)++;
	printf("%-28s %-9s ", finding->name, xray_outcome_word(finding->outcome));
	if (finding->outcome != XRAY_MEASURED)
		printf("%s\n", finding->reason);
	else if (finding->text)
		printf("%s\n", finding->text);
	else
		printf("%.6g %s [%.6g .. %.6g]\n", finding->value, finding->unit, finding->low, finding->high);
	return 0;
}

int main(int argc, char **argv)
{
	struct xray *xray;
	int count = 0, bad;

	bad = xray_open(NULL, &xray) != XRAY_OK;
	if (!bad) {
		xray_on_progress(xray, progress, NULL);
		bad = xray_measure(xray, (const char *const *)(argv + 1), argc - 1) != XRAY_OK;
	}
	if (bad)
		fprintf(stderr, "everything: %s\n", xray_message(xray));
	else
		xray_visit(xray, NULL, print, &count);
	printf("%d findings, by xray %s\n", count, xray_version());
	xray_close(xray);
	return bad;
}
