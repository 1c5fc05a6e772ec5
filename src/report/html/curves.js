/* curves.js - the curves that findings were read from, by what their evidence says of itself */

/* Points of one finding's evidence whose words match, one for each x: the lowest, as later looks only add time. */
function seriesOf(name, words, title) {
	const lowest = new Map();

	for (const point of (findings[name] && findings[name].evidence) || []) {
		if (!finite(point.x) || !finite(point.value) || !words.test(point.what))
			continue;
		if (!lowest.has(point.x) || lowest.get(point.x).y > point.value)
			lowest.set(point.x, { x: point.x, y: point.value, low: point.low, high: point.high, note: point.verdict });
	}
	return lowest.size > 3 ? { name: title, points: [...lowest.values()] } : null;
}

/* Marks at what was found and at what is claimed. */
function marksOf(names) {
	return names.flatMap(([name, label]) => {
		const finding = measured(name), marks = [];

		if (!finding || !finite(finding.value))
			return [];
		marks.push({ x: finding.value, kind: 'found', label: `${label} ${valueInWords(finding)}` });
		if (finding.claimed && finite(finding.claimed.value) && finding.claimed.value > 0)
			marks.push({ x: finding.claimed.value, kind: 'claimed',
				label: `${label.split(' ')[0]} claimed ${quantity(finding.unit, finding.claimed.value)}` });
		return marks;
	});
}

/* Does a logarithmic axis show more than a straight one? */
function spreads(points, key) {
	const values = points.map((point) => point[key]);

	return Math.min(...values) > 0 && Math.max(...values) / Math.min(...values) > 20;
}

function curve(options) {
	const series = options.series.filter(Boolean);
	const points = series.flatMap((one) => one.points);

	if (!series.length)
		return null;
	return plot({ xLog: true, yLog: spreads(points, 'y'), ...options, series });
}

function dataCurve() {
	return curve({ title: 'A random load from so many bytes', file: 'data-caches', xUnit: 'bytes',
		xWord: 'bytes walked over', yWord: 'cycles',
		series: [seriesOf('cache.levels', /^cycles by bytes$/, 'load'),
			seriesOf('cache.levels', /^cycles of translation by bytes$/, 'of it, translation')]
			.map((one, i, both) => i && one && both[0] && Math.max(...one.points.map((point) => point.y)) <= 0 ? null : one),
		yLog: false, marks: marksOf(LEVELS.map((level) => {
			const label = level.slice(0, 2).toUpperCase();

			return measured(`cache.${level}.size`) ? [`cache.${level}.size`, label] : [`cache.${level}.reach`, `${label} reach`];
		})) });
}

function tlbCurve() {
	return curve({ title: 'A load from one of so many pages, caches kept out', file: 'tlb-data', xWord: 'pages',
		yWord: 'cycles', series: [seriesOf('page.size', /^cycles by pages$/, 'more lines'),
			seriesOf('page.size', /^cycles by pages, few lines$/, 'few lines'),
			seriesOf('page.huge', /^cycles by pages$/, 'huge pages')],
		marks: marksOf(['l1', 'l2', 'l3'].map((level) => [`tlb.${level}d.entries`, `${level.toUpperCase()} TLB`])) });
}

function codeTlbCurve() {
	return curve({ title: 'What a jump to one of so many pages takes more', file: 'tlb-code', xWord: 'pages', yWord: 'cycles more',
		series: [seriesOf('tlb.l1i.entries', /^cycles a jump takes more, by pages/, 'jump') ||
			seriesOf('tlb.l2i.entries', /^cycles a jump takes more, by pages/, 'jump')],
		marks: marksOf(['l1', 'l2'].map((level) => [`tlb.${level}i.entries`, `${level.toUpperCase()} TLB`])) });
}

function codeCurve() {
	return curve({ title: 'A jump nobody foresees, in so many bytes of code', file: 'code-caches', xUnit: 'bytes',
		xWord: 'bytes of code', yWord: 'cycles',
		series: [seriesOf('cache.l1i.size', /^cycles of a jump, by bytes of code/, 'jump'),
			seriesOf('cache.l1i.size', /^what it takes more than where all pages share a frame/, 'more than on one frame')],
		yLog: false, marks: marksOf([['cache.l1i.size', 'L1'], ['cache.l2.code', 'L2'], ['cache.l3.code', 'L3']]) });
}

/* The I-cache paper's figures 7 and 8: time of a case by code size. */
function straightCurve() {
	const found = seriesOf('cache.l1i.straight', /^cycles of a case, by bytes of code/, 'case');

	return curve({ title: 'Straight code: the time of a case by its bytes', file: 'straight-code', xUnit: 'bytes',
		xWord: 'bytes of code', yWord: 'cycles of a case', series: [found],
		marks: marksOf([['cache.l1i.straight', 'straight']]) });
}

/* The same paper's figures 9 and 10: how often a case took so long while all code was held. */
function hitTimes() {
	const found = seriesOf('cache.l1i.straight', /^cycles of a case, by bytes of code/, 'case');
	const edge = valueOf('cache.l1i.straight'), bins = 12;

	if (!found || !edge)
		return null;
	const times = found.points.filter((point) => point.x <= edge).map((point) => point.y);
	const low = Math.min(...times), wide = (Math.max(...times) - low) / bins;

	if (times.length < 8 || !(wide > 0))
		return null;
	const counts = new Array(bins).fill(0);

	times.forEach((time) => counts[Math.min(bins - 1, Math.floor((time - low) / wide))]++);
	return plot({ title: 'Straight code that is held: how often a case took so long', file: 'hit-times', xWord: 'cycles of a case',
		yWord: 'per cent of the timings', bars: wide,
		series: [{ name: 'timings', points: counts.map((count, i) => ({ x: low + (i + 0.5) * wide, y: 100 * count / times.length })) }] });
}

const MOST_SERIES = 6;

/* A plot of any evidence with numbers to plot over; null where there are too few. */
function evidencePlot(name) {
	const groups = new Map();

	for (const point of findings[name].evidence || [])
		if (finite(point.x) && finite(point.value)) {
			if (!groups.has(point.what))
				groups.set(point.what, []);
			groups.get(point.what).push({ x: point.x, y: point.value, low: point.low, high: point.high, note: point.verdict });
		}
	const ordered = [...groups].sort((a, b) => b[1].length - a[1].length);
	const rest = ordered.slice(MOST_SERIES - 1).flatMap(([what, points]) =>
		points.map((point) => ({ ...point, note: [what, point.note].filter(Boolean).join(', ') })));
	const kept = ordered.length > MOST_SERIES ? [...ordered.slice(0, MOST_SERIES - 1), ['others', rest]] : ordered;
	const points = kept.flatMap(([, some]) => some);

	if (points.length < 3 || new Set(points.map((point) => point.x)).size < 2)
		return null;
	return plot({ title: `Evidence of ${name}`, file: name, quiet: true, xWord: 'x', yWord: 'value', xLog: spreads(points, 'x'),
		yLog: spreads(points, 'y'), series: kept.map(([what, some]) => ({ name: what, points: some,
			dots: new Set(some.map((point) => point.x)).size < some.length })) });
}
