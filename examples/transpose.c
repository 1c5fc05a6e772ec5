/* SPDX-License-Identifier: MIT */
/*
 * transpose.c - transposes a matrix in blocks that fit this machine's nearest cache
 *
 *	cc -O2 transpose.c $(pkg-config --cflags --libs libxray) -o transpose
 *	./transpose [SIDE]
 *
 * Going through a matrix by columns touches a line for each element and comes back to it only a column later. In a
 * block that is small enough, all lines that were touched are still in the cache when their next element is wanted. Two
 * blocks, of source and destination, shall fill half of the cache, and a block's side is a whole number of lines.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <xray.h>

static double now(void)
{
	struct timespec time;

	timespec_get(&time, TIME_UTC);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static void transpose(double *to, const double *from, size_t side, size_t block)
{
	for (size_t row = 0; row < side; row += block)
		for (size_t column = 0; column < side; column += block)
			for (size_t i = row; i < least(row + block, side); i++)
				for (size_t j = column; j < least(column + block, side); j++)
					to[j * side + i] = from[i * side + j];
}

/* Elements on a block's side. Where the machine does not tell, a block of common size does. */
static size_t block_for(struct xray *xray)
{
	double size = xray_value(xray, "cache.l1d.size", 32768), line = xray_value(xray, "cache.l1d.line", 64);
	size_t in_line = (size_t)(line / sizeof(double)), side = (size_t)sqrt(size / 4 / sizeof(double));

	if (in_line == 0)
		in_line = 1;
	return side > in_line ? side / in_line * in_line : in_line;
}

/* The quickest of a few. */
static double seconds(double *to, const double *from, size_t side, size_t block)
{
	double best = INFINITY;

	for (int i = 0; i < 3; i++) {
		double start = now();

		transpose(to, from, side, block);
		best = fmin(best, now() - start);
	}
	return best;
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "cache.l1d.size", "cache.l1d.line" };
	struct xray_options options = XRAY_OPTIONS_INIT;
	size_t side = argc > 1 ? strtoul(argv[1], NULL, 10) : 2048, block, wrong = 0;
	double *from = malloc(side * side * sizeof(*from)), *to = malloc(side * side * sizeof(*to));
	struct xray *xray;

	if (!from || !to || side == 0) {
		fprintf(stderr, "transpose: no memory for a matrix of %zu rows\n", side);
		return 2;
	}
	options.effort = XRAY_QUICK;
	if (xray_open(&options, &xray) != XRAY_OK || xray_measure(xray, names, 2) != XRAY_OK)
		fprintf(stderr, "transpose: %s\n", xray_message(xray));
	block = block_for(xray);
	xray_close(xray);

	for (size_t i = 0; i < side * side; i++) {
		from[i] = (double)i;
		to[i] = 0;
	}
	printf("%zu x %zu at once: %.1f ms\n", side, side, 1e3 * seconds(to, from, side, side));
	printf("in blocks of %zu x %zu: %.1f ms\n", block, block, 1e3 * seconds(to, from, side, block));
	for (size_t i = 0; i < side; i++)
		for (size_t j = 0; j < side; j++)
			wrong += to[j * side + i] != from[i * side + j];
	free(from);
	free(to);
	return wrong ? 1 : 0;
}
