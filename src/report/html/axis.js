/* axis.js - one axis of a plot: from values to pixels, and where its ticks stand */

/* Values from low to high over pixels from first to last; logarithmic ones are all above 0. */
function axisOf(low, high, first, last, log) {
	const bend = log ? Math.log2 : (value) => value;
	const unbend = log ? (value) => 2 ** value : (value) => value;
	const from = bend(low), wide = bend(high) - from || 1;

	return {
		low, high, log,
		place: (value) => first + (bend(value) - from) / wide * (last - first),
		value: (pixel) => unbend(from + (pixel - first) / (last - first) * wide),
	};
}

/* Powers of 2 or 10 where they are enough, round numbers otherwise. */
function ticksOf(axis, most, base) {
	const ticks = [];

	if (axis.log && axis.high / axis.low >= base ** 2) {
		const step = Math.ceil(Math.log(axis.high / axis.low) / Math.log(base) / most) || 1;
		const first = Math.ceil(Math.log(axis.low) / Math.log(base) - 1e-9);

		for (let power = Math.ceil(first / step) * step; base ** power <= axis.high * 1.000001; power += step)
			ticks.push(base ** power);
		if (ticks.length > 1)
			return ticks;
		ticks.length = 0;
	}
	const rough = (axis.high - axis.low) / most || 1;
	const ten = 10 ** Math.floor(Math.log10(rough));
	const step = ten * [1, 2, 5, 10].find((factor) => factor * ten >= rough * 0.999);

	for (let i = Math.ceil(axis.low / step - 1e-9); i * step <= axis.high * (1 + 1e-9); i++)
		ticks.push(Number((i * step).toPrecision(12)));
	return ticks;
}

/* The first and last value, with some air around them. */
function spanOf(values, log) {
	const low = Math.min(...values), high = Math.max(...values);

	if (low === high)
		return log ? [low / 1.5, high * 1.5] : [low - (Math.abs(low) || 1) * 0.1, high + (Math.abs(high) || 1) * 0.1];
	if (log)
		return [low / (high / low) ** 0.04, high * (high / low) ** 0.04];
	return [low >= 0 && low < (high - low) * 0.3 ? 0 : low - (high - low) * 0.06, high + (high - low) * 0.06];
}

/* Those of the labels that do not touch the one before: [{ at, text, wide }], in order of at. */
function sparse(labels, gap) {
	let end = -Infinity;

	return labels.filter((label) => {
		const free = label.at - label.wide / 2 >= end + gap;

		if (free)
			end = label.at + label.wide / 2;
		return free;
	});
}
