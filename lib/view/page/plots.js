// Curves over time on a canvas; a click goes to that time. `plot.others`: those of a second result, dashed.

const AXIS_CURVES = ["x", "y", "z"], SHOWN_UNITS = ["J", "N", "N m", "Pa", "m", "m/s", "rad", "rad/s"];

// The style sheet's name for the colour of the k-th of the curves.
function curveColor(curves, k) {
  if (AXIS_CURVES.includes(curves[k].name)) return `--axis-${curves[k].name}`;
  if (curves[k].name === "size") return "--curve-0";
  return `--curve-${curves.length > 1 ? k % 4 : 1}`;
}

class Plot {
  constructor(parent, plot, range, seek) {
    this.plot = plot;
    this.range = range;
    const box = document.createElement("div");
    box.className = "plot";
    const title = document.createElement("h2");
    title.textContent = plot.title;
    const unit = document.createElement("span");
    unit.textContent = (plot.unit === "1" ? "" : plot.unit) + (plot.logarithmic ? " logarithmic" : "");
    this.value = document.createElement("output");
    title.append(unit, this.value);
    this.canvas = document.createElement("canvas");
    box.append(title, this.canvas);
    if (plot.curves.length > 1) {
      const keys = document.createElement("div");
      keys.className = "keys";
      plot.curves.forEach((curve, i) => {
        const key = document.createElement("span"), mark = document.createElement("b");
        mark.style.background = `var(${curveColor(plot.curves, i)})`;
        key.append(mark, curve.name);
        keys.append(key);
      });
      box.append(keys);
    }
    parent.append(box);
    this.box = box;
    const seekAt = (event) => {
      const {left, right, width} = this.margins();
      const u = (event.offsetX - left) / (width - left - right);
      seek(range[0] + Math.min(1, Math.max(0, u)) * (range[1] - range[0]));
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      seekAt(event);
    });
    this.canvas.addEventListener("pointermove", (event) => { if (event.buttons) seekAt(event); });
    this.findLimits();
  }

  margins() { return {left: 44, right: 6, top: 5, bottom: 15, width: this.canvas.clientWidth, height: this.canvas.clientHeight}; }

  // Values as they are drawn: their logarithms on a logarithmic axis, where 0 and less have no place.
  drawn(value) { return this.plot.logarithmic ? (value > 0 ? Math.log10(value) : NaN) : value; }

  findLimits() {
    let low = Infinity, high = -Infinity;
    for (const {value} of [...this.plot.curves, ...this.plot.others || []]) {
      for (const v of value) {
        const y = this.drawn(v);
        if (y < low) low = y;
        if (y > high) high = y;
      }
    }
    if (!(low <= high)) [low, high] = [0, 1];
    if (!this.plot.logarithmic) {
      low = Math.min(low, 0);
      high = Math.max(high, 0);
    }
    if (high - low < 1e-12 * Math.max(1, Math.abs(high))) high = low + 1;
    const step = this.plot.logarithmic ? Math.max(1, Math.ceil((high - low) / 3)) : tickStep(high - low, 3);
    this.low = Math.floor(low / step + 1e-9) * step;
    this.high = Math.ceil(high / step - 1e-9) * step;
    this.step = step;
  }

  // Everything but the line at the time of the slider, once a size.
  paintBase() {
    const {left, right, top, bottom, width, height} = this.margins(), ratio = window.devicePixelRatio || 1;
    this.base = document.createElement("canvas");
    this.base.width = this.canvas.width = Math.max(1, Math.round(width * ratio));
    this.base.height = this.canvas.height = Math.max(1, Math.round(height * ratio));
    const g = this.base.getContext("2d"), [t0, t1] = this.range;
    g.scale(ratio, ratio);
    g.font = '10.5px system-ui, "Segoe UI", "DejaVu Sans", sans-serif';
    const x = (t) => left + (t1 > t0 ? (t - t0) / (t1 - t0) : 0) * (width - left - right);
    const y = (v) => height - bottom - (v - this.low) / (this.high - this.low) * (height - top - bottom);
    g.fillStyle = styleColor("--quiet");
    g.strokeStyle = styleColor("--grid");
    g.textAlign = "right";
    g.textBaseline = "middle";
    for (let v = this.low; v <= this.high + 0.01 * this.step; v += this.step) {
      line(g, left, Math.round(y(v)) + 0.5, width - right, Math.round(y(v)) + 0.5);
      g.fillText(this.plot.logarithmic ? "1e" + Math.round(v) : shown(Math.abs(v) < 1e-9 * this.step ? 0 : v), left - 5, y(v));
    }
    g.textBaseline = "alphabetic";
    const step = tickStep(t1 - t0, 5);
    for (let k = Math.ceil(t0 / step - 1e-9); k * step <= t1 + 1e-9 * step; ++k) {
      g.textAlign = k * step - t0 < 0.02 * (t1 - t0) ? "left" : t1 - k * step < 0.02 * (t1 - t0) ? "right" : "center";
      g.fillText(shown(k * step) + (k * step + step > t1 ? " s" : ""), x(k * step), height - 3);
    }
    g.lineWidth = 1.2;
    g.lineJoin = "round";
    const paint = (curves, dash) => {
      g.setLineDash(dash);
      // The first curve lies on top.
      for (let c = curves.length - 1; c >= 0; --c) {
        const {time, value} = curves[c];
        g.strokeStyle = styleColor(curveColor(curves, c));
        g.beginPath();
        let down = false;
        for (let i = 0; i < time.length; ++i) {
          const v = this.drawn(value[i]);
          if (!Number.isFinite(v)) down = false;
          else if (down) g.lineTo(x(time[i]), y(v));
          else {
            g.moveTo(x(time[i]), y(v));
            down = true;
          }
        }
        g.stroke();
      }
    };
    g.save();
    g.beginPath();
    g.rect(left, 0, width - left - right, height);
    g.clip();
    if (this.plot.others) paint(this.plot.others, [4, 3]);
    paint(this.plot.curves, []);
    g.restore();
    this.x = x;
  }

  // Moves the line to time t and shows the values there.
  show(t) {
    const {top, bottom, width, height} = this.margins(), ratio = window.devicePixelRatio || 1;
    if (!this.base || this.canvas.width !== Math.max(1, Math.round(width * ratio))) this.paintBase();
    const g = this.canvas.getContext("2d");
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.clearRect(0, 0, this.canvas.width, this.canvas.height);
    g.drawImage(this.base, 0, 0);
    g.scale(ratio, ratio);
    g.strokeStyle = styleColor("--now");
    line(g, this.x(t), top - 3, this.x(t), height - bottom);
    const {time, value} = this.plot.curves[0];
    this.value.textContent = time.length ? shown(value[lastAt(time, t)]) + (SHOWN_UNITS.includes(this.plot.unit) ? " " + this.plot.unit : "") : "";
  }
}

function line(g, x0, y0, x1, y1) {
  g.lineWidth = 1;
  g.beginPath();
  g.moveTo(x0, y0);
  g.lineTo(x1, y1);
  g.stroke();
}

// 1, 2 or 5 times a power of ten: about `count` steps in `range`.
function tickStep(range, count) {
  if (!(range > 0)) return 1;
  const power = Math.pow(10, Math.floor(Math.log10(range / count)));
  for (const digit of [1, 2, 5]) if (range / (digit * power) <= count * 1.3) return digit * power;
  return 10 * power;
}

// Index of the last time at or before t; the first one when there is none.
function lastAt(time, t) {
  let low = 0, high = time.length;
  while (high - low > 1) {
    const middle = low + high >> 1;
    if (time[middle] <= t + 1e-12 * Math.abs(t)) low = middle;
    else high = middle;
  }
  return low;
}
