/* base.js - the document, elements, and numbers for people: the rules of units.c */

const read = (id) => JSON.parse(document.getElementById(id).textContent);
const page = read('document');
const extra = read('extra');
const findings = page.findings;

const SVG = 'http://www.w3.org/2000/svg';

function fill(node, attributes, children) {
	for (const [name, value] of Object.entries(attributes || {})) {
		if (name.startsWith('on'))
			node.addEventListener(name.slice(2), value);
		else if (value !== undefined && value !== null && value !== false)
			node.setAttribute(name, value === true ? '' : value);
	}
	for (const child of [children === undefined ? [] : children].flat())
		if (child !== null && child !== undefined)
			node.append(child);
	return node;
}

const make = (tag, attributes, children) => fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes, children) => fill(document.createElementNS(SVG, tag), attributes, children);

const finite = (value) => typeof value === 'number' && Number.isFinite(value);
const measured = (name) => findings[name] && findings[name].outcome === 'measured' ? findings[name] : null;
const valueOf = (name) => measured(name) ? measured(name).value : undefined;

const pen = document.createElement('canvas').getContext('2d');
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

/* How wide a text is going to be, in pixels; 5 % more, since fonts are hinted. */
function textWidth(text, size, bold) {
	pen.font = `${bold ? '600 ' : ''}${size}px ${FONT}`;
	return pen.measureText(text).width * 1.05 + 1;
}

const STEPS = {
	'bytes': [[2 ** 40, 'TiB'], [2 ** 30, 'GiB'], [2 ** 20, 'MiB'], [2 ** 10, 'KiB'], [1, 'B']],
	'Hz': [[1e9, 'GHz'], [1e6, 'MHz'], [1e3, 'kHz'], [1, 'Hz']],
	'bytes/s': [[1e9, 'GB/s'], [1e6, 'MB/s'], [1e3, 'kB/s'], [1, 'B/s']],
	'ns': [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']],
};
const READABLE = 8192; /* the most of a smaller unit that reads better than a fraction of a larger one */

function formOf(unit, value) {
	const size = Math.abs(value);
	const steps = STEPS[unit];

	if (unit === 'cycles')
		return { divisor: 1, word: 'cycles', decimals: size < 100 ? 2 : 1 };
	if (!steps)
		return { divisor: 1, word: unit === 'count' ? '' : unit, decimals: 2, asNeeded: true };
	if (unit === 'bytes') {
		for (const [divisor, word] of steps) {
			const quarters = 4 * size / divisor;

			if (quarters >= 4 && Number.isInteger(quarters) && quarters <= 4 * READABLE)
				return { divisor, word, decimals: 2, asNeeded: true };
		}
	}
	const [divisor, word] = steps.find(([least]) => size >= least) || steps[steps.length - 1];
	const shown = size / divisor;
	const decimals = unit !== 'ns' ? 2 : shown < 1 ? 3 : shown < 100 ? 2 : 1;

	return { divisor, word, decimals, asNeeded: unit === 'bytes' };
}

function numberIn(form, value) {
	const text = (value / form.divisor).toFixed(form.decimals);

	return form.asNeeded ? String(Number(text)) : text;
}

const FINEST = 20; /* parts of an error that the last digit may be */

/* The form of a value that may be off by so much. */
function formWithin(unit, value, error) {
	const form = formOf(unit, value);
	const enough = error > 0 ? Math.max(0, Math.ceil(Math.log10(FINEST * form.divisor / error))) : form.decimals;

	return { ...form, decimals: Math.min(form.decimals, enough) };
}

function quantity(unit, value, error) {
	const form = formWithin(unit, value, error);

	return numberIn(form, value) + (form.word ? '\u00a0' + form.word : '');
}

/* A number that has no unit of its own, in some four digits. */
function plain(value) {
	if (!finite(value))
		return '';
	if (Number.isInteger(value) || Math.abs(value) >= 1e4)
		return String(Math.round(value));
	return String(Number(value.toPrecision(4)));
}

function leaves(tree) {
	return Array.isArray(tree) ? tree.flatMap(leaves) : [tree];
}

/* "0-3,8" of some numbers. */
function ranges(numbers) {
	const sorted = [...numbers].sort((a, b) => a - b);
	const parts = [];

	for (let i = 0, j; i < sorted.length; i = j) {
		for (j = i + 1; j < sorted.length && sorted[j] === sorted[j - 1] + 1;)
			j++;
		parts.push(j - i > 1 ? `${sorted[i]}-${sorted[j - 1]}` : `${sorted[i]}`);
	}
	return parts.length > 8 ? parts.slice(0, 8).join(',') + ',…' : parts.join(',');
}

/* The groups of a text such as "0,96 1-3,97": lists of CPUs. */
function groupsOf(text) {
	return String(text).trim().split(/\s+/).map((group) => group.split(',').flatMap((part) => {
		const [first, last] = part.split('-').map(Number);

		return last === undefined ? [first] : Array.from({ length: last - first + 1 }, (_, i) => first + i);
	}));
}

/* "2 CPUs each, × 96", or "groups of 2 (× 8) and 4 (× 2)" */
function groupsInWords(groups) {
	const sizes = new Map();

	for (const group of groups)
		sizes.set(group.length, (sizes.get(group.length) || 0) + 1);
	if (sizes.size === 1) {
		const [[size, count]] = sizes;

		return size === 1 ? `one CPU each, × ${count}` : count === 1 ? `shared by ${size} CPUs`
			: `shared by ${size} CPUs, × ${count}`;
	}
	return 'groups of ' + [...sizes].slice(0, 4).map(([size, count]) => `${size} (× ${count})`).join(', ');
}

/* A list in words has semicolons between its parts. */
const partsOf = (text) => text.split('; ');

function unitOf(finding) {
	if (finding.unit === 'matrix')
		return finding.value ? finding.value.unit : '';
	return finding.unit === 'text' || finding.unit === 'tree' ? 'count' : finding.unit;
}

function valueInWords(finding) {
	if (finding.outcome !== 'measured')
		return finding.outcome;
	if (finding.unit === 'bool')
		return finding.value ? 'yes' : 'no';
	if (finding.unit === 'text') {
		const groups = groupsOf(finding.value), parts = partsOf(finding.value);

		if (finding.value.length <= 40)
			return finding.value;
		return groups.flat().every(finite) ? groupsInWords(groups) : parts.length > 1 ? `${parts.length} of them` : finding.value;
	}
	if (finding.unit === 'tree')
		return `${finding.number} levels, ${leaves(finding.value).length} CPUs`;
	if (finding.unit === 'matrix')
		return 'median ' + quantity(finding.value.unit, finding.number);
	return quantity(finding.unit, finding.value, errorOf(finding));
}

/* The farther end of the interval; NaN without one. */
function errorOf(finding) {
	return Math.max(finding.value - finding.low, finding.high - finding.value);
}

const NARROW = 0.02; /* a half width up to this is told in per cent */

function intervalInWords(finding) {
	const { low, high } = finding;
	const value = finding.unit === 'matrix' ? finding.number : finding.value;

	if (finding.outcome !== 'measured' || !finite(low) || !finite(high) || low === high)
		return '';
	const below = value - low, above = high - value;
	const wide = Math.max(below, above), form = formWithin(unitOf(finding), value, wide), half = wide / Math.abs(value);
	const from = numberIn(form, low), to = numberIn(form, high);

	if (finding.unit !== 'matrix' && half <= NARROW && (Math.min(below, above) >= wide / 2 || from === to))
		return `±\u00a0${Math.max(100 * half, 0.1).toFixed(1)}\u00a0%`;
	return `[${from} .. ${to}]`;
}

function claimInWords(finding) {
	const claim = finding.claimed;

	return claim ? `${claim.value === true ? 'yes' : claim.value === false ? 'no' : quantity(unitOf(finding), claim.value)}` +
		` (${claim.source})` : '';
}

/* Rows of fields as comma-separated text. */
function csvOf(rows) {
	return rows.map((row) => row.map((field) => {
		const text = field === undefined || field === null ? '' : String(field);

		return /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
	}).join(',')).join('\n') + '\n';
}

function download(name, text) {
	const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));

	make('a', { href: address, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(address), 10000);
}
