// The data: JSON, whose places {type, offset, count} become arrays on one block of bytes.

function loadData() {
  const text = atob(document.getElementById("data-base64").textContent);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  const types = {float32: Float32Array, float64: Float64Array, int32: Int32Array, int16: Int16Array, uint16: Uint16Array, uint8: Uint8Array};
  const data = JSON.parse(document.getElementById("data-json").textContent, (key, value) =>
    value && types[value.type] && "offset" in value ? new types[value.type](bytes.buffer, value.offset, value.count) : value);
  data.bodies.forEach((body, index) => { body.index = index; });
  // Rows of the moving bodies in frames.position and frames.quaternion.
  data.moving = data.bodies.filter((body) => body.moves);
  data.moving.forEach((body, row) => { body.row = row; });
  return data;
}

// Quaternions are arrays (w, x, y, z).

function quaternionProduct(a, b) {
  return [a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]];
}

function rotate(q, v) {
  const [w, x, y, z] = q;
  const tx = 2 * (y * v[2] - z * v[1]), ty = 2 * (z * v[0] - x * v[2]), tz = 2 * (x * v[1] - y * v[0]);
  return [v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx];
}

function inverse(q) { return [q[0], -q[1], -q[2], -q[3]]; }

// X_WB * X_BG.
function compose(outer, inner) {
  const p = rotate(outer.quaternion, inner.position);
  return {
    position: [outer.position[0] + p[0], outer.position[1] + p[1], outer.position[2] + p[2]],
    quaternion: quaternionProduct(outer.quaternion, inner.quaternion),
  };
}

// The pose of a body between frames f and f + 1, u from 0 to 1.
function poseOf(data, body, f, u) {
  if (!body.moves) return body;
  const {position, quaternion, time} = data.frames, n = data.moving.length;
  const g = Math.min(f + 1, time.length - 1), i = f * n + body.row, j = g * n + body.row;
  const p = [0, 1, 2].map((k) => position[3 * i + k] * (1 - u) + position[3 * j + k] * u);
  let dot = 0;
  for (let k = 0; k < 4; ++k) dot += quaternion[4 * i + k] * quaternion[4 * j + k];
  const sign = dot < 0 ? -1 : 1;
  const q = [0, 1, 2, 3].map((k) => quaternion[4 * i + k] * (1 - u) + sign * quaternion[4 * j + k] * u);
  const norm = Math.hypot(...q);
  return {position: p, quaternion: q.map((x) => x / norm)};
}

// A number for a person: at most `digits` digits that count.
function shown(value, digits = 3) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(digits - 1).replace("e+", "e");
  return String(Number(value.toPrecision(digits)));
}
