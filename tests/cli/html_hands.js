/* html_hands.js - put behind a report's own script by html.sh: uses the page as a person would, and writes down what does not answer */
let tries = 0;

function hands() {
	const drawn = [...document.querySelectorAll('figure.plot svg')].every((svg) => svg.childNodes.length);

	if (!drawn && ++tries < 400) {
		setTimeout(hands, 50);
		return;
	}

	const wrong = [], check = (good, what) => good || wrong.push(what);
	const figures = [...document.querySelectorAll('figure.plot')].filter((figure) => figure.offsetParent);
	const pointer = (svg, type, x, y) => {
		const box = svg.getBoundingClientRect();

		svg.dispatchEvent(new PointerEvent(type, { bubbles: true, button: 0, pointerType: 'mouse', pointerId: 1,
			clientX: box.left + x * box.width, clientY: box.top + y * box.height }));
	};

	check(figures.length > 0, 'there is no plot');
	check(drawn, 'a plot stays empty');
	Element.prototype.setPointerCapture = () => {}; /* no such pointer exists */
	for (const figure of figures) {
		const svg = figure.querySelector('svg'), said = figure.querySelector('output'), of = figure.querySelector('figcaption').textContent;
		const press = (key) => svg.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
		const whole = svg.innerHTML;
		let hint = said.value, before;

		pointer(svg, 'pointermove', 0.25, 0.5);
		check(said.value !== hint, `${of}: hovering says nothing`);
		press('0');
		before = svg.innerHTML;
		pointer(svg, 'pointerdown', 0.1, 0.3);
		pointer(svg, 'pointermove', 0.4, 0.6);
		check(svg.querySelector('.drag'), `${of}: a drag has no outline`);
		pointer(svg, 'pointerup', 0.6, 0.6);
		check(svg.innerHTML !== before || !svg.querySelector('polyline'), `${of}: a drag does not zoom`);
		press('0');
		hint = said.value;
		press('End');
		press('ArrowLeft');
		press('ArrowUp');
		check(said.value !== hint, `${of}: keys say nothing`);
		press('+');
		press('0');
		check(Math.abs(svg.innerHTML.length - whole.length) < whole.length / 2 + 500, `${of}: 0 does not bring back all of it`);
	}

	let kept = null;

	URL.createObjectURL = (blob) => { kept = blob; return '#'; };
	[...document.querySelectorAll('.tools button')].filter((one) => one.textContent === 'data').slice(0, 1).forEach((one) => one.click());
	check(kept && kept.size > 20, 'the data button gives nothing');

	const table = document.querySelector('table.operations');
	const column = () => [...table.tBodies[0].rows].map((row) => row.cells[2].dataset.sort).filter((text) => text !== '').map(Number);

	table.querySelectorAll('thead button')[2].click();
	check(column().every((value, i, all) => i === 0 || all[i - 1] <= value), 'latencies are not sorted');
	table.querySelectorAll('thead button')[2].click();
	check(column().every((value, i, all) => i === 0 || all[i - 1] >= value), 'a second click does not turn the order');

	const theme = () => getComputedStyle(document.body).backgroundColor, first = theme();

	document.getElementById('theme').click();
	check(theme() !== first, 'light and dark are the same');
	for (const text of document.querySelectorAll('svg text')) {
		const box = text.getBoundingClientRect(), around = text.ownerSVGElement.getBoundingClientRect();

		check(!box.width || (box.left > around.left - 2 && box.right < around.right + 2), `'${text.textContent}' is cut off`);
	}
	check(document.documentElement.scrollWidth <= innerWidth, 'the page is wider than its window');
	document.body.append(Object.assign(document.createElement('pre'), { id: 'hands', textContent: ['used', ...wrong].join('\n') }));
}

hands();
