/* matrix.js - values between CPUs as a heat map, and CPUs in groups */

/* Dark blue over grey to yellow: the same order of lightness for every eye. */
const RAMP = [[0, 34, 78], [50, 64, 108], [95, 96, 110], [124, 123, 120], [158, 150, 118], [200, 182, 99], [254, 232, 56]];

function rampAt(part) {
	const at = Math.min(Math.max(part, 0), 1) * (RAMP.length - 1), i = Math.min(Math.floor(at), RAMP.length - 2);

	return RAMP[i].map((from, channel) => Math.round(from + (RAMP[i + 1][channel] - from) * (at - i)));
}

const LEAST_RATIO = 1.5; /* of the ramp's ends: values that differ by less look alike */

/* By ratios, as neighbours and sockets lie factors apart. */
function scaleOf(cells) {
	const all = cells.flat().filter(finite);
	let low = Math.min(...all), high = Math.max(...all);

	if (low > 0 && high < low * LEAST_RATIO) {
		const middle = Math.sqrt(low * high);

		[low, high] = [middle / Math.sqrt(LEAST_RATIO), middle * Math.sqrt(LEAST_RATIO)];
	}
	return { low, high, part: (value) => high === low ? 0.5 : low > 0 ? Math.log(value / low) / Math.log(high / low)
		: (value - low) / (high - low) };
}

/* One pixel for each cell; what was not measured is left clear. */
function pixelsOf(cells, scale) {
	const canvas = make('canvas', { width: cells.length, height: cells.length });
	const context = canvas.getContext('2d'), image = context.createImageData(cells.length, cells.length);

	cells.forEach((row, i) => row.forEach((value, j) => {
		if (finite(value))
			image.data.set([...rampAt(scale.part(value)), 255], 4 * (i * cells.length + j));
	}));
	context.putImageData(image, 0, 0);
	return canvas.toDataURL();
}

function rampLegend(matrix, scale) {
	const stops = RAMP.map((colour) => `rgb(${colour.join(' ')})`).join(', ');

	return make('p', { class: 'ramp' }, [quantity(matrix.unit, scale.low),
		make('span', { style: `background: linear-gradient(90deg, ${stops})` }), quantity(matrix.unit, scale.high)]);
}

function drawHeat(svg, width, model, view) {
	const { matrix, scale, address } = model, { first, count } = view, labels = matrix.labels;
	const left = Math.ceil(Math.max(...labels.map((label) => textWidth(String(label), TEXT)))) + 10;
	const side = Math.min(width - left - 2, Math.max(160, Math.min(520, 46 * count))), cell = side / count, top = 24;
	const clip = `${model.id}-clip`, all = side / count * labels.length;
	const across = sparse(Array.from({ length: count }, (_, i) => ({ at: left + (i + 0.5) * cell, text: String(labels[first + i]),
		wide: textWidth(String(labels[first + i]), TEXT) })), 6).filter((label) => label.at + label.wide / 2 <= width);
	const down = sparse(Array.from({ length: count }, (_, i) => ({ at: top + (i + 0.5) * cell, text: String(labels[first + i]), wide: 16 })), 2);
	const cursor = draw('g');

	svg.setAttribute('viewBox', `0 0 ${width} ${Math.ceil(top + side + 4)}`);
	svg.append(draw('clipPath', { id: clip }, draw('rect', { x: left, y: top, width: side, height: side })),
		draw('rect', { class: 'empty', x: left, y: top, width: side, height: side }),
		draw('g', { 'clip-path': `url(#${clip})` }, draw('image', { href: address, x: left - first * cell, y: top - first * cell,
			width: all, height: all, preserveAspectRatio: 'none', style: 'image-rendering: pixelated' })),
		draw('g', { class: 'axis' }, [
			...across.map((label) => draw('text', { x: label.at, y: top - 8, 'text-anchor': 'middle' }, label.text)),
			...down.map((label) => draw('text', { x: left - 6, y: label.at + 4, 'text-anchor': 'end' }, label.text)),
		]));
	if (cell >= 44)
		for (let i = 0; i < count; i++)
			for (let j = 0; j < count; j++) {
				const value = matrix.cells[first + i][first + j];

				if (finite(value))
					svg.append(draw('text', { class: scale.part(value) > 0.55 ? 'cell dark' : 'cell', 'text-anchor': 'middle',
						x: left + (j + 0.5) * cell, y: top + (i + 0.5) * cell + 4 },
						numberIn({ ...formOf(matrix.unit, scale.high), decimals: scale.high / formOf(matrix.unit, scale.high).divisor < 100 ? 1 : 0 }, value)));
			}
	svg.append(cursor);
	return { left, top, cell, side, cursor };
}

function heatMap(name, title) {
	const finding = measured(name), matrix = finding && finding.value;

	if (!matrix || matrix.labels.length < 2)
		return null;
	const size = matrix.labels.length, scale = scaleOf(matrix.cells);
	const word = name.startsWith('numa') ? 'node' : 'CPU';
	const model = { title, file: name, matrix, scale, address: pixelsOf(matrix.cells, scale), legend: rampLegend(matrix, scale),
		hint: finding.note };
	let view = { first: 0, count: size }, scene = null, at = [0, 0];

	function point(row, column) {
		const inside = (value) => Math.min(Math.max(value, view.first), view.first + view.count - 1);

		at = [inside(row), inside(column)];
		const value = matrix.cells[at[0]][at[1]];

		scene.cursor.replaceChildren(draw('rect', { class: 'cross', x: scene.left + (at[1] - view.first) * scene.cell,
			y: scene.top + (at[0] - view.first) * scene.cell, width: scene.cell, height: scene.cell }));
		model.say(`${word} ${matrix.labels[at[0]]} to ${word} ${matrix.labels[at[1]]}: ` +
			(finite(value) ? quantity(matrix.unit, value) : 'not measured'));
	}

	function show(first, count) {
		const wanted = Math.min(Math.max(Math.round(count), Math.min(2, size)), size);

		view = { count: wanted, first: Math.min(Math.max(Math.round(first), 0), size - wanted) };
		model.again();
	}

	const cellAt = (x, y) => [Math.floor((y - scene.top) / scene.cell) + view.first, Math.floor((x - scene.left) / scene.cell) + view.first];

	/* Two by two are never too small. */
	if (size > 2)
		model.zoom = (factor) => factor === 0 ? show(0, size)
			: show((at[0] + at[1]) / 2 - view.count * factor / 2, view.count * factor);
	model.key = (key) => {
		const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -size], End: [0, size] }[key];

		if (step)
			point(at[0] + step[0], at[1] + step[1]);
		return Boolean(step);
	};
	model.rows = () => [[matrix.unit, ...matrix.labels], ...matrix.cells.map((row, i) => [matrix.labels[i], ...row])];
	model.render = (svg, width) => {
		scene = drawHeat(svg, width, model, view);
		follow(svg, (x, y) => x >= scene.left && y >= scene.top && point(...cellAt(x, y)), (from, to) => {
			const [r0, c0] = cellAt(...from), [r1, c1] = cellAt(...to);

			show(Math.min(r0, c0, r1, c1), Math.max(Math.abs(r1 - r0), Math.abs(c1 - c0)) + 1);
		}, (from, to) => from && scene.cursor.replaceChildren(draw('rect', { class: 'drag', x: Math.min(from[0], to[0]),
			y: Math.min(from[1], to[1]), width: Math.abs(to[0] - from[0]), height: Math.abs(to[1] - from[1]) })));
	};
	return frame(model);
}

/* The shape of a group, the same for groups that differ only in the numbers of their CPUs. */
const shapeOf = (tree) => Array.isArray(tree) ? `[${tree.map(shapeOf).join()}]` : '.';

/* Runs of groups that are alike. */
function runsOf(groups) {
	const runs = [];

	for (const group of groups) {
		const last = runs[runs.length - 1];

		if (last && last.shape === shapeOf(group))
			last.items.push(group);
		else
			runs.push({ shape: shapeOf(group), items: [group] });
	}
	return runs;
}

const MANY = 4; /* groups that are alike and shown one by one */

function groupNode(group, costs) {
	const cpus = leaves(group), inner = group.filter(Array.isArray), cost = costs.get(cpus.length);
	const head = make('span', {}, [make('b', {}, cpus.length === 1 ? 'CPU ' : `${cpus.length} CPUs `), ranges(cpus),
		cost ? ` · a line passes in ${quantity('ns', cost)}` : '']);

	return make('li', {}, [head, inner.length ? make('ul', {}, runsOf(group).flatMap(({ items }) => [
		...items.slice(0, items.length > MANY ? 1 : MANY).map((item) => groupNode([item].flat(), costs)),
		items.length > MANY ? make('li', { class: 'more' }, `and ${items.length - 1} more like it`) : null,
	])) : null]);
}

function localityTree() {
	const tree = measured('comm.tree'), costs = new Map();

	if (!tree)
		return null;
	for (const point of tree.evidence || [])
		if (/passed between CPUs of one group/.test(point.what))
			costs.set(point.x, point.value);
	return make('div', { class: 'tree' }, [make('h3', {}, 'Who is near whom'), make('ul', {}, groupNode(tree.value, costs))]);
}
