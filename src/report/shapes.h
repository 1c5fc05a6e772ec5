/* SPDX-License-Identifier: MIT */
/*
 * shapes.h - values that are no single number: matrices, trees, texts
 *
 * Private to report/. What is put is put for measured findings of that unit only; false when there is nothing to put.
 */
#ifndef XRAY_SHAPES_H
#define XRAY_SHAPES_H

#include "line.h"

/* Rows and columns under their labels, with colour a heat map; of a large one its size alone. */
bool matrix_put(struct line *line, const struct finding *finding);

/* A line for each of the parts of a text that "; " parts. */
bool bundles_put(struct line *line, const struct finding *finding);

/* A drawing, one line for each group. */
bool tree_put(struct line *line, const struct finding *finding);

/* "2 x 4 x 2" from the root down when all groups of a level are alike, "flat, 4" of one level, "3 levels" otherwise. */
void tree_short(const char *tree, char *text, size_t size);

#endif
