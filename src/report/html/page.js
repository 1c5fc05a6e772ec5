/* page.js - the head, the sections in their order, light and dark, printing */

const OUTCOMES = ['measured', 'unclear', 'absent', 'blocked', 'failed'];

function head() {
	const context = page.context, counts = {};
	const all = Object.values(findings);

	for (const finding of all)
		counts[finding.outcome] = (counts[finding.outcome] || 0) + 1;
	const disputed = all.filter((finding) => finding.agrees === false).length;
	const facts = [['date', context.date.replace('T', ' ').replace('Z', ' UTC')],
		['host', context.host === context.cpu ? '' : context.host], ['CPUs', String(context.cpus)],
		['measured on', finite(context.pinned) ? `CPU ${context.pinned}` : ''], ['kernel', context.kernel],
		['hypervisor', context.hypervisor], ['compiler', context.compiler], ['noise', context.noise],
		['quota', finite(context.quota) ? `${plain(context.quota)} CPUs` : ''],
		['took', finite(context.seconds) ? `${context.seconds.toFixed(1)} s` : ''], ['command', context.command]]
		.filter(([, value]) => value);

	document.title = `${context.cpu || context.host || 'A machine'} · xray`;
	document.getElementById('head').append(make('div', { class: 'bar' }, [
		make('p', { class: 'name' }, `xray ${page.tool.version}`),
		make('button', { type: 'button', id: 'theme', onclick: turn }, 'dark or light')]),
	make('h1', {}, context.cpu || context.host || 'A machine'),
	make('ul', { class: 'counts' }, [...OUTCOMES.filter((word) => counts[word]).map((word) =>
		make('li', { class: word }, [make('b', {}, String(counts[word])), ` ${word}`])),
	disputed ? make('li', { class: 'disputed' }, [make('b', {}, String(disputed)), ` disagree${disputed > 1 ? '' : 's'} with what is claimed`]) : null]),
	make('dl', {}, facts.map(([word, value]) => make('div', {}, [make('dt', {}, word),
		make('dd', {}, word === 'command' ? make('code', {}, value) : value)]))));
}

/* Light and dark are the system's until somebody says otherwise. */
function turn() {
	const root = document.documentElement;
	const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;

	root.dataset.theme = dark ? 'light' : 'dark';
}

function section(id, title, text, parts) {
	const there = parts.filter(Boolean);

	return there.length ? make('section', { id, 'aria-labelledby': `${id}-title` }, [make('h2', { id: `${id}-title` }, title),
		text ? make('p', { class: 'lead' }, text) : null, ...there]) : null;
}

const pair = (parts) => parts.some(Boolean) ? make('div', { class: 'pair' }, parts.filter(Boolean)) : null;

function unclear() {
	const open = Object.entries(findings).filter(([, finding]) => ['unclear', 'blocked', 'failed'].includes(finding.outcome));

	return open.length ? make('dl', { class: 'open' }, open.map(([name, finding]) => make('div', {}, [
		make('dt', {}, make('a', { href: `#${name}` }, name)), make('dd', {}, [make('b', {}, finding.outcome), ` ${finding.reason}`])]))) : null;
}

function disputes() {
	const names = Object.keys(findings).filter((name) => findings[name].agrees === false);

	return names.length ? make('dl', { class: 'open' }, names.map((name) => make('div', {}, [
		make('dt', {}, make('a', { href: `#${name}` }, name)), make('dd', {}, [`${valueInWords(findings[name])}, claimed `,
			claimInWords(findings[name]), findings[name].note ? `; ${findings[name].note}` : ''])]))) : null;
}

function show() {
	const sections = [
		section('machine', 'The machine', null, [hierarchy()]),
		section('disputes', 'Not as claimed', 'What was measured differs from what CPUID or the system says.', [disputes()]),
		section('data', 'Data caches', 'Where the curve rises, a cache is full.', [dataCurve()]),
		section('pages', 'Pages and TLBs', null, [pair([tlbCurve(), codeTlbCurve()])]),
		section('code', 'Code caches', null, [codeCurve(), pair([straightCurve(), hitTimes()])]),
		section('between', 'Between CPUs', null, [pair([heatMap('comm.latency', 'A line passed from CPU to CPU'),
			heatMap('comm.bandwidth', 'Bytes passed from CPU to CPU'), heatMap('numa.latency', 'A load from the memory of a node'),
			heatMap('numa.bandwidth', 'Bytes read from the memory of a node')]),
		localityTree()]),
		section('operations', 'Operations', null, [operations()]),
		section('open', 'Not known', 'What times did not tell, and why.', [unclear()]),
		section('findings', 'All findings', null, findingTables()),
	].filter(Boolean);

	document.getElementById('main').replaceChildren(make('nav', { 'aria-label': 'Sections' }, make('ul', {}, sections.map((one) =>
		make('li', {}, make('a', { href: `#${one.id}` }, one.querySelector('h2').textContent))))), ...sections);
	document.getElementById('foot').append(make('p', {}, 'Measured by timing; what is claimed stands beside it and was never used for it. ' +
		'The whole document is inside this page.'));
}

/* A link to a finding opens what it lies in. */
function reveal() {
	const row = document.getElementById(decodeURIComponent(location.hash.slice(1)));

	for (let around = row; around; around = around.parentElement)
		if (around.tagName === 'DETAILS')
			around.open = true;
	if (row)
		row.scrollIntoView();
}

/* On paper everything is light, all families are open, and evidence is not. */
function paper() {
	const theme = document.documentElement.dataset.theme;
	const changed = [...document.querySelectorAll('details')].filter((one) => one.open !== one.classList.contains('family'));

	document.documentElement.dataset.theme = 'light';
	changed.forEach((one) => one.open = !one.open);
	window.addEventListener('afterprint', () => {
		changed.forEach((one) => one.open = !one.open);
		if (theme)
			document.documentElement.dataset.theme = theme;
		else
			delete document.documentElement.dataset.theme;
	}, { once: true });
}

head();
show();
window.addEventListener('hashchange', reveal);
window.addEventListener('beforeprint', paper);
if (location.hash)
	reveal();
