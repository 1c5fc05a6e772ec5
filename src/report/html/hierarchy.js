/* hierarchy.js - the picture of the machine: what is nearest on top, and who shares what as frames around it */

const LEVELS = ['l1d', 'l2', 'l3', 'l4', 'l5'];
const PAD = 12, LINE = 18;

/* Words broken into lines that fit. */
function wrapped(text, width, size) {
	const lines = [];
	let line = '';

	for (const word of text.split(' ')) {
		const longer = line ? `${line} ${word}` : word;

		if (line && textWidth(longer, size) > width) {
			lines.push(line);
			line = word;
		} else {
			line = longer;
		}
	}
	return line ? [...lines, line] : lines;
}

function sharingOf(level) {
	const text = valueOf(`cache.${level}.sharing`);

	return text === undefined ? null : groupsOf(text);
}

/* What goes when it is full, what becomes of stores, what it holds of the level above. */
function mannersOf(name) {
	const words = (property, form) => measured(`${name}.${property}`) ? form(valueOf(`${name}.${property}`)) : null;

	return [words('policy', (policy) => policy), words('write', (stores) => `stores: ${stores}`),
		words('inclusion', (how) => how === 'none' ? 'neither inclusive nor exclusive' : how)].filter(Boolean);
}

/* Bytes that come from there, and loads that it serves at once. */
function trafficOf(name) {
	const rate = measured(`${name}.bandwidth`), misses = measured(`${name}.parallelism`);

	return [rate ? valueInWords(rate) : null, misses ? `${plain(Math.round(misses.value))}\u00a0loads\u00a0at\u00a0once` : null].filter(Boolean);
}

/* What a box says: a title, a size, and lines. */
function cacheBox(level, title) {
	const size = measured(`cache.${level}.size`), reach = measured(`cache.${level}.reach`);
	const latency = measured(`cache.${level}.latency`), shown = size || reach;
	const parts = [], lines = [];

	if (!shown && !latency)
		return null;
	if (latency)
		parts.push(valueInWords(latency));
	if (measured(`cache.${level}.ways`))
		parts.push(`${valueOf(`cache.${level}.ways`)}\u00a0ways`);
	if (measured(`cache.${level}.line`))
		parts.push(`lines of\u00a0${valueInWords(measured(`cache.${level}.line`))}`);
	if (parts.length)
		lines.push({ text: parts.join(' · ') });
	if (mannersOf(`cache.${level}`).length)
		lines.push({ text: mannersOf(`cache.${level}`).join(' · ') });
	if (trafficOf(`cache.${level}`).length)
		lines.push({ text: trafficOf(`cache.${level}`).join(' · ') });
	if (size && reach && Math.abs(reach.value / size.value - 1) > 0.05)
		lines.push({ text: `a walk reaches ${valueInWords(reach)}` });
	for (const finding of [size || reach, latency])
		if (finding && finding.agrees === false)
			lines.push({ text: `claimed: ${claimInWords(finding)}`, kind: 'dispute' });
	return { title, value: size ? valueInWords(size) : reach ? `reaches ${valueInWords(reach)}` : '', lines, groups: sharingOf(level), level };
}

function tlbLine(side) {
	const parts = ['l1', 'l2', 'l3'].map((level) => [level, valueOf(`tlb.${level}${side}.entries`)])
		.filter(([, entries]) => entries !== undefined).map(([level, entries]) => `${level.toUpperCase()}\u00a0${plain(entries)}`);

	return parts.length ? { text: `TLB entries: ${parts.join(' · ')}` } : null;
}

function codeBox() {
	const box = cacheBox('l1i', valueOf('cache.l1i.unified') === true ? 'L1, code and data' : 'L1 code');

	if (!box)
		return null;
	if (measured('cache.uop.size'))
		box.lines.push({ text: `decoded instructions: ${valueInWords(measured('cache.uop.size'))}` });
	return { ...box, lines: [...box.lines, tlbLine('i')].filter(Boolean), groups: null };
}

function coreBox() {
	const registers = ['i64', 'f64'].map((type) => [type, valueOf(`cpu.registers.${type}`)]).filter(([, count]) => count)
		.map(([type, count]) => `${count}\u00a0registers\u00a0${type}`);
	const clock = measured('cpu.frequency'), threads = valueOf('smp.smt'), lines = [];

	if (registers.length)
		lines.push({ text: registers.join(' · ') });
	if (clock && clock.agrees === false)
		lines.push({ text: `claimed: ${claimInWords(clock)}`, kind: 'dispute' });
	if (threads > 1)
		lines.push({ text: `${threads} CPUs to a core` });
	return { title: 'Core', value: clock ? valueInWords(clock) : '', lines };
}

function memoryBox() {
	const latency = measured('memory.latency'), nodes = valueOf('numa.nodes');

	if (!latency && !nodes)
		return null;
	return { title: 'Memory', value: latency ? valueInWords(latency) : '', kind: 'memory',
		lines: [...trafficOf('memory'), nodes ? nodes === 1 ? 'one node' : `${nodes} nodes` : null].filter(Boolean)
			.map((text) => ({ text })) };
}

/* CPUs that one cache of the level serves; undefined where they are not known or not as many everywhere. */
function sharersOf(box) {
	const sizes = new Set(box.groups ? box.groups.map((group) => group.length) : []);

	return sizes.size === 1 ? [...sizes][0] : undefined;
}

/* Rows from the core to memory, each with the number of CPUs that share it; undefined where that is not known. */
function rowsOfMachine() {
	const rows = [], core = coreBox(), data = cacheBox('l1d', valueOf('cache.l1i.unified') === true ? 'L1' : 'L1 data');
	const cpus = valueOf('smp.cpus'), siblings = valueOf('smp.siblings');
	const smt = siblings === undefined ? valueOf('smp.smt') : sharersOf({ groups: groupsOf(siblings) });

	if (data) {
		const tlb = tlbLine('d');

		if (tlb)
			data.lines.push(tlb);
	}
	if (core.value || core.lines.length)
		rows.push({ boxes: [core], sharers: smt });
	if (data || codeBox())
		rows.push({ boxes: [codeBox(), data].filter(Boolean), sharers: data && data.groups ? sharersOf(data) : smt });
	for (const level of LEVELS.slice(1)) {
		const box = cacheBox(level, level.toUpperCase());

		if (box)
			rows.push({ boxes: [box], sharers: sharersOf(box) });
	}
	if (memoryBox())
		rows.push({ boxes: [memoryBox()], sharers: cpus });
	for (const row of rows)
		for (const box of row.boxes) {
			const finding = findings[`cache.${box.level}.sharing`];

			if (box.groups)
				box.lines.push({ text: groupsInWords(box.groups) });
			else if (finding && finding.outcome === 'unclear')
				box.lines.push({ text: 'who shares it is unclear' });
		}
	return rows;
}

function layBox(box, x, y, width) {
	const inner = width - 2 * PAD, title = textWidth(box.title, 14, true);
	const apart = title + 16 + textWidth(box.value, 16, true) <= inner;
	const lines = box.lines.flatMap((line) => wrapped(line.text, inner, 13).map((text) => ({ text, kind: line.kind || '' })));
	const first = y + 24 + (apart || !box.value ? 0 : 22);

	return { ...box, x, y, width, apart, shown: lines, first, height: first - y + lines.length * LINE + (lines.length ? 14 : 12) };
}

function drawBox(box) {
	const claim = box.lines.some((line) => line.kind === 'dispute') ? 'disputed' : '';

	return draw('g', { class: `box ${box.kind || ''} ${claim}` }, [
		draw('rect', { x: box.x, y: box.y, width: box.width, height: box.height, rx: 8 }),
		draw('text', { class: 'title', x: box.x + PAD, y: box.y + 24 }, box.title),
		box.value ? draw('text', { class: 'size', x: box.apart ? box.x + box.width - PAD : box.x + PAD,
			y: box.first, 'text-anchor': box.apart ? 'end' : 'start' }, box.value) : null,
		...box.shown.map((line, i) => draw('text', { class: `detail ${line.kind}`, x: box.x + PAD, y: box.first + (i + 1) * LINE + 2 },
			line.text)),
	]);
}

/* Frames from the outermost to the innermost: each holds the rows up to last, so many times in the one around it. */
function framesOf(rows) {
	const frames = [], cpus = valueOf('smp.cpus');

	rows.forEach((row, last) => {
		const inner = frames[frames.length - 1];

		if (!finite(row.sharers) || !cpus)
			return;
		if (inner && inner.sharers === row.sharers)
			inner.last = last;
		else if (!inner || row.sharers > inner.sharers)
			frames.push({ sharers: row.sharers, last });
	});
	return frames.map((one, i) => {
		const around = frames[i + 1] ? frames[i + 1].sharers : cpus;

		return { ...one, times: around / one.sharers };
	}).filter((one) => one.times > 1 && Number.isInteger(one.times)).reverse();
}

function renderHierarchy(svg, width) {
	const rows = rowsOfMachine(), frames = framesOf(rows), inset = width < 560 ? 10 : 22, boxes = [];
	let y = 6;

	frames.forEach((one, depth) => {
		one.x = 4 + depth * inset;
		one.y = y;
		y += 30;
	});
	rows.forEach((row, index) => {
		const depth = frames.filter((one) => one.last >= index).length;
		const left = 4 + depth * inset, room = width - 2 * left;
		const side = row.boxes.length > 1 && room > 480 ? (room - 12) / 2 : room;
		let x = left, tallest = 0;

		for (const box of row.boxes) {
			const laid = layBox(box, x, y, side);

			boxes.push(laid);
			if (side === room) {
				y += laid.height + 10;
			} else {
				x += side + 12;
				tallest = Math.max(tallest, laid.height);
			}
		}
		if (side !== room) {
			boxes.slice(-row.boxes.length).forEach((box) => box.height = tallest);
			y += tallest + 10;
		}
		for (const one of [...frames].reverse().filter((frame) => frame.last === index)) {
			one.height = y + 2 - one.y;
			y += 16;
		}
	});
	svg.setAttribute('viewBox', `0 0 ${width} ${y + 4}`);
	svg.append(...frames.map((one) => draw('g', { class: 'around' }, [
		draw('rect', { x: one.x, y: one.y, width: width - 2 * one.x, height: one.height, rx: 12 }),
		draw('text', { x: one.x + PAD, y: one.y + 21 }, `× ${one.times}`),
	])), ...boxes.map(drawBox));
}

function hierarchyInWords() {
	return rowsOfMachine().flatMap((row) => row.boxes).map((box) => [box.title, box.value, ...box.lines.map((line) => line.text)]
		.filter(Boolean).join(', ')).join('. ');
}

function hierarchy() {
	const svg = draw('svg', { role: 'img', class: 'machine', 'aria-label': `From core to memory. ${hierarchyInWords()}` });
	const figure = make('figure', { class: 'machine' }, svg);

	return rowsOfMachine().length < 2 ? null : fitted(figure, svg, (width) => {
		svg.replaceChildren();
		renderHierarchy(svg, width);
	});
}
