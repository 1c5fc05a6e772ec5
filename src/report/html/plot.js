/* plot.js - a curve: points in series, marks, a cursor over the points, zoom, the data */

const TEXT = 12; /* pixels */
let plots = 0;

/* Draws anew whenever the width has changed; not while the observer looks, since drawing changes the height. */
function fitted(figure, svg, again) {
	let drawn = 0;

	new ResizeObserver(() => requestAnimationFrame(() => {
		const width = Math.floor(svg.clientWidth);

		if (width > 0 && width !== drawn) {
			drawn = width;
			again(width);
		}
	})).observe(figure);
	return figure;
}

/* A figure with buttons below. model.render(svg, width) draws; model.key and .zoom, where there is one, do as they say. */
function frame(model) {
	const id = `plot-${++plots}`;
	const readout = make('output', { class: 'readout', 'aria-live': 'polite', for: id });
	const svg = draw('svg', { id, tabindex: 0, role: 'application', 'aria-roledescription': 'plot',
		'aria-label': `${model.title}. Arrow keys move over the values${model.zoom ? ', plus and minus zoom, 0 shows all' : ''}.` });
	const button = (label, title, action) =>
		make('button', { type: 'button', 'aria-label': `${title}: ${model.title}`, title, onclick: action }, label);
	const tools = make('div', { class: 'tools' }, [
		readout,
		...(model.zoom ? [button('+', 'zoom in', () => model.zoom(0.5)), button('−', 'zoom out', () => model.zoom(2)),
			button('reset', 'reset to show all', () => model.zoom(0))] : []),
		button('data', 'download the data', () => download(`${model.file}.csv`, csvOf(model.rows()))),
	]);
	const figure = make('figure', { class: 'plot' },
		[model.quiet ? null : make('figcaption', {}, model.title), svg, model.legend, tools]);
	const again = (width) => {
		svg.replaceChildren();
		model.render(svg, width);
	};

	model.say = (text) => readout.value = text;
	model.again = () => again(Math.floor(svg.clientWidth));
	model.id = id;
	readout.value = model.hint || `Hover,${model.zoom ? ' drag to zoom,' : ''} or use the arrow keys.`;
	svg.addEventListener('keydown', (event) => {
		const factor = { '+': 0.5, '=': 0.5, '-': 2, '0': 0 }[event.key];

		if (event.ctrlKey || event.metaKey || event.altKey)
			return;
		if (factor !== undefined && model.zoom)
			model.zoom(factor);
		else if (!model.key(event.key))
			return;
		event.preventDefault();
	});
	return fitted(figure, svg, again);
}

/* Pointer moves and drags over the svg: move(x, y), drag(x0, x1, y0, y1) when one ended; outline draws it meanwhile. */
function follow(svg, move, drag, outline) {
	let begin = null;
	const at = (event) => {
		const box = svg.getBoundingClientRect();
		const scale = svg.viewBox.baseVal.width / box.width;

		return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
	};

	svg.onpointerdown = (event) => {
		if (event.button === 0 && event.pointerType !== 'touch') {
			begin = at(event);
			svg.setPointerCapture(event.pointerId);
		}
	};
	svg.onpointermove = (event) => {
		const here = at(event);

		move(...here);
		if (begin)
			outline(begin, here);
	};
	svg.onpointerup = (event) => {
		const from = begin, to = at(event);

		begin = null;
		outline(null);
		if (from && Math.abs(to[0] - from[0]) > 8)
			drag(from, to);
	};
}

/* Labels over the plot, each in the first row where it is free. */
function stackMarks(marks, x, left, right) {
	const rows = [];

	for (const mark of marks) {
		const wide = textWidth(mark.label, TEXT);
		const middle = Math.min(Math.max(x.place(mark.x), left + wide / 2), Math.max(right - wide / 2, left + wide / 2));
		let row = 0;

		while (rows[row] !== undefined && middle - wide / 2 < rows[row] + 8)
			row++;
		rows[row] = middle + wide / 2;
		Object.assign(mark, { row, middle });
	}
	return rows.length;
}

/*
 * plot({ title, file, series: [{ name, points: [{ x, y, low, high, note }], dots }], marks: [{ x, label, kind }],
 *        xWord, yWord, xUnit, yUnit, xLog, yLog, bars })
 */
function plot(model) {
	const all = model.series.flatMap((series, index) => series.points.map((point) => ({ ...point, index })))
		.sort((a, b) => a.x - b.x || a.index - b.index);
	const whole = spanOf(all.map((point) => point.x), model.xLog);
	let span = whole, cursor = -1, scene = null;
	const say = (unit, value, word) => unit ? quantity(unit, value) : plain(value) + (model.quiet ? '' : `\u00a0${word}`);

	function point(index) {
		const chosen = all[index];

		cursor = index;
		if (!chosen || !scene)
			return;
		const { x, y, cross } = scene, px = x.place(chosen.x), py = y.place(chosen.y);
		const range = finite(chosen.low) && finite(chosen.high) && chosen.low !== chosen.high
			? ` [${say(model.yUnit, chosen.low, '').trim()} .. ${say(model.yUnit, chosen.high, '').trim()}]` : '';

		cross.replaceChildren(draw('line', { class: 'cross', x1: px, x2: px, y1: scene.top, y2: scene.bottom }),
			draw('circle', { class: `cursor s${chosen.index % 6}`, cx: px, cy: py, r: 5 }));
		model.say(`${say(model.xUnit, chosen.x, model.xWord)}: ${say(model.yUnit, chosen.y, model.yWord)}${range}` +
			(model.series.length > 1 ? `, ${model.series[chosen.index].name}` : '') + (chosen.note ? `, ${chosen.note}` : ''));
	}

	function nearest(px, py) {
		let best = -1, least = Infinity;

		all.forEach((candidate, i) => {
			if (candidate.x < span[0] || candidate.x > span[1])
				return;
			const far = Math.hypot(scene.x.place(candidate.x) - px, (scene.y.place(candidate.y) - py) / 3);

			if (far < least)
				[best, least] = [i, far];
		});
		return best;
	}

	function show(from, to) {
		const inside = all.filter((one) => one.x >= from && one.x <= to);

		if (inside.length < 2)
			return;
		span = [from, to];
		model.again();
	}

	model.zoom = (factor) => {
		const x = axisOf(span[0], span[1], 0, 1, model.xLog), full = axisOf(whole[0], whole[1], 0, 1, model.xLog);
		const centre = cursor >= 0 && factor < 1 ? x.place(all[cursor].x) : 0.5;

		if (factor === 0)
			show(...whole);
		else
			show(Math.max(x.value(centre - factor / 2), full.low), Math.min(x.value(centre + factor / 2), full.high));
	};
	model.key = (key) => {
		const steps = { ArrowRight: 1, ArrowLeft: -1 };
		const inside = all.map((one, i) => i).filter((i) => all[i].x >= span[0] && all[i].x <= span[1]);
		const here = inside.indexOf(cursor);

		if (key === 'Home' || key === 'End')
			point(key === 'Home' ? inside[0] : inside[inside.length - 1]);
		else if (key in steps)
			point(inside[here < 0 ? 0 : Math.min(Math.max(here + steps[key], 0), inside.length - 1)]);
		else
			return false;
		return true;
	};
	model.rows = () => [[model.xWord, model.yWord, 'low', 'high', 'series', 'taken for'],
		...all.map((one) => [one.x, one.y, one.low, one.high, model.series[one.index].name, one.note])];
	model.render = (svg, width) => {
		scene = drawScene(svg, width, model, all, span);
		follow(svg, (px, py) => point(nearest(px, py)), (from, to) => show(...[scene.x.value(from[0]), scene.x.value(to[0])]
			.sort((a, b) => a - b)), (from, to) => scene.box.replaceChildren(...from ? [draw('rect', {
			class: 'drag', x: Math.min(from[0], to[0]), width: Math.abs(to[0] - from[0]), y: scene.top,
			height: scene.bottom - scene.top })] : []));
		svg.ondblclick = () => model.zoom(0);
		if (cursor >= 0 && all[cursor].x >= span[0] && all[cursor].x <= span[1])
			point(cursor);
	};
	if (model.series.length > 1)
		model.legend = make('ul', { class: 'legend' }, model.series.map((series, i) =>
			make('li', {}, [make('span', { class: `key s${i % 6}` }), series.name])));
	return frame(model);
}
