/* scene.js - what a curve looks like: axes, grid, marks, lines, points, bars */

function drawAxes(svg, width, model, view) {
	const { x, y, left, right, top, bottom } = view;
	const label = (unit, value) => unit ? quantity(unit, value) : plain(value);
	const grid = draw('g', { class: 'grid' }), words = draw('g', { class: 'axis' });
	const below = ticksOf(x, Math.max(2, Math.floor((right - left) / 70)), model.xUnit === 'bytes' ? 2 : 10)
		.map((value) => ({ at: x.place(value), text: label(model.xUnit, value) }))
		.map((tick) => ({ ...tick, wide: textWidth(tick.text, TEXT) }))
		.filter((tick) => tick.at - tick.wide / 2 >= 0 && tick.at + tick.wide / 2 <= width);

	for (const tick of sparse(below, 10)) {
		grid.append(draw('line', { x1: tick.at, x2: tick.at, y1: top, y2: bottom }));
		words.append(draw('text', { x: tick.at, y: bottom + 18, 'text-anchor': 'middle' }, tick.text));
	}
	for (const value of view.ticks) {
		const at = y.place(value);

		if (at < top - 1 || at > bottom + 1)
			continue;
		grid.append(draw('line', { x1: left, x2: right, y1: at, y2: at }));
		words.append(draw('text', { x: left - 8, y: at + 4, 'text-anchor': 'end' }, label(model.yUnit, value)));
	}
	words.append(draw('text', { class: 'word', x: (left + right) / 2, y: bottom + 40, 'text-anchor': 'middle' }, model.xWord),
		draw('text', { class: 'word', x: 0, y: 12 }, model.yWord));
	svg.append(grid, words);
}

function drawMarks(svg, view, marks) {
	const group = (mark, part) => draw('g', { class: `mark ${mark.kind}` }, part);
	const height = (mark) => view.marks + 16 * mark.row;

	/* Words last, since lines of others pass behind them. */
	svg.append(...marks.map((mark) => group(mark, draw('line', { x1: view.x.place(mark.x), x2: view.x.place(mark.x),
		y1: height(mark) + 5, y2: view.bottom }))),
	...marks.map((mark) => group(mark, draw('text', { x: mark.middle, y: height(mark), 'text-anchor': 'middle' }, mark.label))));
}

function drawSeries(series, index, view, bars) {
	const { x, y } = view, group = draw('g', { class: `series s${index % 6}` });
	const points = [...series.points].sort((a, b) => a.x - b.x);
	const wide = bars ? Math.max(2, (x.place(points[0].x + bars) - x.place(points[0].x)) * 0.86) : 0;

	if (!series.dots && !bars)
		group.append(draw('polyline', { points: points.map((point) => `${x.place(point.x)},${y.place(point.y)}`).join(' ') }));
	for (const point of points) {
		const at = x.place(point.x), up = y.place(point.y);

		if (bars) {
			group.append(draw('rect', { x: at - wide / 2, y: up, width: wide, height: Math.max(0, view.bottom - up) }));
			continue;
		}
		if (finite(point.low) && finite(point.high) && (!view.y.log || point.low > 0) && point.high > point.low)
			group.append(draw('line', { x1: at, x2: at, y1: y.place(point.low), y2: y.place(point.high) }));
		group.append(draw('circle', { cx: at, cy: up, r: points.length > 80 ? 2 : 2.6 }));
	}
	return group;
}

/* Draws it all and returns where things are. */
function drawScene(svg, width, model, all, span) {
	const inside = all.filter((point) => point.x >= span[0] && point.x <= span[1]);
	const marks = (model.marks || []).filter((mark) => mark.x >= span[0] && mark.x <= span[1]).sort((a, b) => a.x - b.x);
	const values = inside.map((point) => point.y);
	const [low, high] = model.bars ? [0, Math.max(...values) * 1.08] : spanOf(values, model.yLog);
	const flat = axisOf(low, high, 1, 0, model.yLog), ticks = ticksOf(flat, 6, model.yUnit === 'bytes' ? 2 : 10);
	const label = (value) => model.yUnit ? quantity(model.yUnit, value) : plain(value);
	const left = Math.ceil(Math.max(...ticks.map((value) => textWidth(label(value), TEXT)), 16)) + 10, right = width - 8;
	const x = axisOf(span[0], span[1], left, right, model.xLog);
	const rows = stackMarks(marks, x, left, width), head = 34;
	const top = head + 16 * rows, bottom = top + Math.max(200, Math.min(300, width * 0.42));
	const y = axisOf(low, high, bottom, top, model.yLog);
	const view = { x, y, left, right, top, bottom, ticks, marks: head };
	const clip = `${model.id}-clip`, cross = draw('g'), box = draw('g');

	svg.setAttribute('viewBox', `0 0 ${width} ${bottom + 48}`);
	svg.append(draw('clipPath', { id: clip }, draw('rect', { x: left - 4, y: top - 6, width: right - left + 8, height: bottom - top + 10 })));
	drawAxes(svg, width, model, view);
	drawMarks(svg, view, marks);
	svg.append(draw('g', { 'clip-path': `url(#${clip})` },
		[...model.series.map((series, i) => drawSeries(series, i, view, model.bars)), cross, box]));
	return { ...view, cross, box };
}
