// Plots of what is chosen: the columns of a body, joint or actuator; what acts between two bodies.

// Of an item of the page's columns.
function itemPlots(columns, item) {
  const n = columns.time.length, at = (k) => item.values.subarray(k * n, (k + 1) * n);
  let first = 0;
  return item.groups.map(({title, unit, curves}) => {
    const plot = {title, unit, logarithmic: false, curves: curves.map((name, k) => ({name, time: columns.time, value: at(first + k)}))};
    if (curves.join() === "x,y,z" && unit.endsWith("/s")) plot.curves.unshift({name: "size", time: columns.time, value: sizes(plot.curves)});
    first += curves.length;
    return plot;
  });
}

// Of three curves.
function sizes([x, y, z]) {
  return Float64Array.from(x.value, (v, i) => Math.hypot(v, y.value[i], z.value[i]));
}

// Of two bodies, the force on the second, which is named; without a pair they never touched.
function pairPlots(pair, second, rowTimes) {
  const zeros = () => new Float64Array(rowTimes.length), force = [zeros(), zeros(), zeros()], size = zeros(), peak = zeros(), share = zeros();
  (pair ? pair.row : []).forEach((r, i) => {
    const f = vectorAt(pair.force, i);
    f.forEach((value, k) => { force[k][r] = value; });
    size[r] = Math.hypot(...f);
    peak[r] = pair.peak[i];
    share[r] = pair.share[i];
  });
  const plot = (title, unit, curves) => ({title, unit, logarithmic: false, curves: curves.map(([name, value]) => ({name, time: rowTimes, value}))});
  return [
    plot("Force between two bodies", "N", [["mean since the last row", size], ["largest normal force of a step", peak]]),
    plot(`Mean force on ${second}`, "N", [["x", force[0]], ["y", force[1]], ["z", force[2]]]),
    plot("Time in contact", "share of the time", [["", share]]),
  ];
}

function itemOf(data, kind, row) { return data.columns.items.find((item) => item.kind === kind && item.row === row); }

// Those of a choice; none of a scene at its start.
function choicePlots(data, choice) {
  if (data.beforeRunning) return [];
  if (choice.kind === "pair") {
    const pair = pairOf(data, ...choice.rows);
    return pairPlots(pair, data.bodies[pair ? pair.bodies[1] : Math.max(...choice.rows)].name, data.rowTimes);
  }
  const item = itemOf(data, choice.kind, choice.rows[0]);
  return item ? itemPlots(data.columns, item) : [];
}

function pairOf(data, a, b) { return data.pairs.find(({bodies}) => bodies.includes(a) && bodies.includes(b)); }

// The same of the second result, by names; null where it has none.
function choiceInOverlay(data, choice) {
  const {overlay} = data;
  if (choice.kind === "nothing") return null;
  if (choice.kind === "body" || choice.kind === "pair") {
    const rows = choice.rows.map((row) => overlay.bodies.findIndex(({name}) => name === data.bodies[row].name));
    return rows.includes(-1) ? null : new Choice(choice.kind, ...rows);
  }
  const {name} = itemOf(data, choice.kind, choice.rows[0]) || {};
  const item = overlay.columns.items.find((other) => other.kind === choice.kind && other.name === name);
  return item ? new Choice(choice.kind, item.row) : null;
}

// Plots with those of the second result, dashed.
function withOverlay(plots, others) {
  return plots.map((plot) => {
    const other = others.find(({title, unit}) => title === plot.title && unit === plot.unit);
    return other ? {...plot, others: other.curves} : plot;
  });
}
