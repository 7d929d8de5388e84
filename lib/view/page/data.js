// The data: JSON, whose places {type, offset, count} become arrays on one block of bytes.

function loadData() {
  const text = atob(document.getElementById("data-base64").textContent);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  const types = {float32: Float32Array, float64: Float64Array, int32: Int32Array, int16: Int16Array, uint16: Uint16Array, uint8: Uint8Array};
  const data = JSON.parse(document.getElementById("data-json").textContent, (key, value) =>
    value && types[value.type] && "offset" in value ? new types[value.type](bytes.buffer, value.offset, value.count) : value);
  for (const part of data.overlay ? [data, data.overlay] : [data]) placeBodies(part);
  for (const joint of data.joints) Object.assign(joint, poseFrom(joint.position, joint.quaternion));
  return data;
}

// Rows of bodies and parts, their poses, and the rows of bodies that move in frames.position and frames.quaternion.
function placeBodies(data) {
  data.bodies.forEach((body, index) => { body.index = index; });
  data.parts.forEach((part, row) => { part.row = row; });
  for (const item of [...data.bodies, ...data.parts, ...data.planes || []])
    if (item.position) Object.assign(item, poseFrom(item.position, item.quaternion));
  data.moving = data.bodies.filter((body) => body.moves);
  data.moving.forEach((body, row) => { body.row = row; });
  // Most items have the plots of the one before them.
  let groups = null;
  for (const item of data.columns.items) groups = item.groups = item.groups || groups;
}

// A pose from its numbers, the quaternion's as (w, x, y, z).
function poseFrom(position, [w, x, y, z]) {
  return {position: new THREE.Vector3(...position), quaternion: new THREE.Quaternion(x, y, z, w).normalize()};
}

// X_WB * X_BG.
function compose(outer, inner) {
  return {
    position: inner.position.clone().applyQuaternion(outer.quaternion).add(outer.position),
    quaternion: outer.quaternion.clone().multiply(inner.quaternion),
  };
}

// The pose of a body between frames f and f + 1, u from 0 to 1.
function poseOf(data, body, f, u) {
  if (!body.moves) return body;
  const {position, quaternion, time} = data.frames;
  const at = (frame) => {
    const i = frame * data.moving.length + body.row;
    return poseFrom(position.subarray(3 * i, 3 * i + 3), quaternion.subarray(4 * i, 4 * i + 4));
  };
  const pose = at(f), next = at(Math.min(f + 1, time.length - 1));
  pose.position.lerp(next.position, u);
  pose.quaternion.slerp(next.quaternion, u);
  return pose;
}

// Whether a body sleeps in frame f (integrator.sleep_speed).
function isAsleep(data, body, f) {
  const {asleep} = data.frames;
  return body.moves && asleep.length > 0 && asleep[f * data.moving.length + body.row] === 1;
}

// "1 body", "2 bodies"; `many` is `one` and an s where it is left out.
function counted(count, one, many = one + "s") { return `${count} ${count === 1 ? one : many}`; }

// A number for a person: at most `digits` digits that count.
function shown(value, digits = 3) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(digits - 1).replace("e+", "e");
  return String(Number(value.toPrecision(digits)));
}
