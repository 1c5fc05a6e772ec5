/* tables.js - operations, and every finding with its evidence */

const cell = (tag, content, attributes) => make(tag, { role: tag === 'th' ? 'rowheader' : 'cell', ...attributes }, content);

function headRow(columns) {
	return make('thead', { role: 'rowgroup' }, make('tr', { role: 'row' }, columns.map(([label, kind, action]) =>
		make('th', { scope: 'col', role: 'columnheader', class: kind, 'aria-sort': action ? 'none' : null },
			action ? make('button', { type: 'button', onclick: action }, label) : label))));
}

/* Every column sorts; a second time in the other direction. What has no number comes last. */
function sortable(table, body) {
	let by = -1, direction = 1;

	return (column) => {
		direction = by === column ? -direction : 1;
		by = column;
		const key = (row) => row.cells[column].dataset.sort;
		const rows = [...body.rows].sort((a, b) => {
			const [left, right] = [key(a), key(b)];

			if (left === '' || right === '')
				return (left === '') - (right === '');
			return direction * (column > 1 ? left - right : left.localeCompare(right, 'en', { numeric: true }));
		});

		body.append(...rows);
		[...table.tHead.rows[0].cells].forEach((head, i) =>
			head.setAttribute('aria-sort', i !== column ? 'none' : direction > 0 ? 'ascending' : 'descending'));
	};
}

const PROPERTIES = ['latency', 'interval', 'inflight'];

function operations() {
	const rows = new Map(), absent = [];

	for (const name of Object.keys(findings)) {
		const [, operation, type, property] = /^op\.(.+)\.([^.]+)\.(latency|interval|inflight)$/.exec(name) || [];

		if (!operation)
			continue;
		if (!rows.has(`${operation}.${type}`))
			rows.set(`${operation}.${type}`, { operation, type });
		rows.get(`${operation}.${type}`)[property] = findings[name];
	}
	const shown = [...rows.values()].filter((row) => {
		const there = PROPERTIES.some((property) => row[property] && row[property].outcome !== 'absent');

		if (!there)
			absent.push(`${row.operation}.${row.type}`);
		return there;
	});

	if (!shown.length)
		return null;
	const body = make('tbody', { role: 'rowgroup' }), table = make('table', { role: 'table', class: 'operations' });
	const sort = sortable(table, body), number = (finding) => {
		const is = finding && finding.outcome === 'measured';

		return cell('td', !finding ? '–' : is ? numberIn(formOf(finding.unit, finding.value), finding.value) : finding.outcome,
			{ class: is ? 'number' : 'number open', 'data-sort': is ? finding.value : '', title: finding && finding.reason || null });
	};

	body.append(...shown.map((row) => make('tr', { role: 'row' }, [cell('th', row.operation, { scope: 'row', 'data-sort': row.operation }),
		cell('td', row.type, { 'data-sort': row.type }), ...PROPERTIES.map((property) => number(row[property]))])));
	table.append(make('caption', {}, 'Latency and interval in cycles; in flight is how many there can be at once'),
		headRow([['operation', '', () => sort(0)], ['type', '', () => sort(1)], ['latency', 'number', () => sort(2)],
			['interval', 'number', () => sort(3)], ['in flight', 'number', () => sort(4)]]), body);
	return make('div', {}, [table, absent.length ? make('p', { class: 'quiet' }, `Absent: ${absent.join(', ')}.`) : null]);
}

const MOST_ROWS = 200;

function evidenceTable(name) {
	const evidence = findings[name].evidence, total = extra.thinned[name] || evidence.length;
	const rows = evidence.slice(0, MOST_ROWS);
	const note = total > rows.length ? `The first ${rows.length} of ${total} points` + (extra.thinned[name]
		? `; this page has ${evidence.length} of them, --json and --csv all.` : '; the data has all of them.') : null;
	const interval = (point) => finite(point.low) && finite(point.high) && point.low !== point.high
		? `[${plain(point.low)} .. ${plain(point.high)}]` : '';

	return make('div', {}, [
		make('table', { role: 'table', class: 'evidence' }, [make('caption', {}, `What was tried for ${name}`),
			headRow([['tried', ''], ['x', 'number'], ['value', 'number'], ['interval', ''], ['taken for', '']]),
			make('tbody', { role: 'rowgroup' }, rows.map((point) => make('tr', { role: 'row' }, [cell('td', point.what),
				cell('td', plain(point.x), { class: 'number' }), cell('td', plain(point.value), { class: 'number' }),
				cell('td', interval(point)), cell('td', point.verdict || '')])))]),
		note ? make('p', { class: 'quiet' }, note) : null,
		make('button', { type: 'button', 'aria-label': `download the data of ${name}`, onclick: () => download(`${name}.csv`, csvOf([
			['what', 'x', 'value', 'low', 'high', 'verdict'],
			...evidence.map((point) => [point.what, point.x, point.value, point.low, point.high, point.verdict])])) }, 'data'),
	]);
}

/* Evidence is drawn when it is asked for: a page has thousands of points. */
function evidenceOf(name) {
	const count = (findings[name].evidence || []).length;

	if (!count)
		return null;
	const details = make('details', { class: 'proof' }, make('summary', { 'aria-label': `evidence of ${name}, ${count} points` }, `evidence (${count})`));

	details.addEventListener('toggle', () => {
		if (details.open && details.childElementCount === 1)
			details.append(...[evidencePlot(name), evidenceTable(name)].filter(Boolean));
	});
	return details;
}

function findingRow(name) {
	const finding = findings[name], disputed = finding.agrees === false;
	const remark = finding.outcome === 'measured' ? finding.note : finding.reason;
	const long = finding.unit === 'text' && finding.outcome === 'measured' && valueInWords(finding) !== finding.value;

	return make('tr', { role: 'row', id: name, class: finding.outcome }, [
		cell('th', name, { scope: 'row' }),
		cell('td', valueInWords(finding), { class: finding.unit === 'text' ? 'words value' : 'number value' }),
		cell('td', intervalInWords(finding), { class: 'number' }),
		cell('td', finite(finding.confidence) ? finding.confidence.toFixed(2) : '', { class: 'number', 'data-label': 'confidence' }),
		cell('td', finding.claimed ? [disputed ? make('strong', { class: 'dispute' }, 'DISAGREES') : '=', ` ${claimInWords(finding)}`] : ''),
		cell('td', [remark ? make('span', { class: 'remark' }, remark) : null,
			long ? make('details', {}, [make('summary', {}, 'all of it'), make('ul', {}, partsOf(finding.value).map((part) =>
				make('li', {}, part)))]) : null, evidenceOf(name)]),
	]);
}

const FAMILIES = { cpu: 'Core', op: 'Operations', cache: 'Caches', memory: 'Memory', line: 'Lines', page: 'Pages', tlb: 'TLBs',
	smp: 'CPUs', contexts: 'Contexts', comm: 'Between CPUs', counter: 'By hardware counters', numa: 'Nodes of memory', os: 'Operating system' };

function findingTables() {
	const families = new Map();

	for (const name of Object.keys(findings)) {
		const family = name.split('.')[0];

		families.set(family, [...families.get(family) || [], name]);
	}
	return [...families].map(([family, names]) => {
		const table = make('table', { role: 'table', class: 'findings' }, [
			make('caption', {}, `${FAMILIES[family] || family}: ${names.length} finding${names.length > 1 ? 's' : ''}`),
			headRow([['name', ''], ['value', 'number'], ['interval', 'number'], ['confidence', 'number'], ['claimed', ''], ['remark and evidence', '']]),
			make('tbody', { role: 'rowgroup' }, names.map(findingRow)),
		]);

		return make('details', { class: 'family', open: names.length <= 40 }, [
			make('summary', {}, `${FAMILIES[family] || family} (${names.length})`), table]);
	});
}
