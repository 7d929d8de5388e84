// Arrows, and the points they start from, drawn over the bodies.

const LONGEST_ARROW = 2;   // times the length of `largestForce`; longer ones end there and are drawn darker
const CUT_DARKNESS = 0.55;
const HIDDEN_OPACITY = 0.3;  // behind bodies
const RIM = 0.98;            // of half the window: arrows that start in it end there, darker

// Unit arrow along z: shaft and head; lengths follow the force, widths do not.
function arrowGeometry(Type) {
  const geometry = new Type();
  const position = [], normal = [], kind = [], index = [], n = 10;
  const ring = (r, z, nr, nz, head) => {
    const first = position.length / 3;
    for (let i = 0; i <= n; ++i) {
      const c = Math.cos(2 * Math.PI * i / n), s = Math.sin(2 * Math.PI * i / n);
      position.push(r * c, r * s, z);
      normal.push(nr * c, nr * s, nz);
      kind.push(head);
    }
    return first;
  };
  const join = (a, b) => { for (let i = 0; i < n; ++i) index.push(a + i, a + i + 1, b + i + 1, a + i, b + i + 1, b + i); };
  join(ring(1, 0, 1, 0, 0), ring(1, 0, 1, 0, 1));
  join(ring(0, 0, 0, -1, 1), ring(2.6, 0, 0, -1, 1));
  join(ring(2.6, 0, 0.93, 0.36, 1), ring(0, 7, 0.93, 0.36, 1));
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(position, 3));
  geometry.setAttribute("normal", new THREE.Float32BufferAttribute(normal, 3));
  geometry.setAttribute("head", new THREE.Float32BufferAttribute(kind, 1));
  geometry.setIndex(index);
  return geometry;
}

// What lies on a surface is in front of it: places move a little towards the camera, on their rays.
const TO_CAMERA = "vec4 toClip(vec3 p) { vec4 v = modelViewMatrix * vec4(p, 1.0); return projectionMatrix * vec4(0.996 * v.xyz, 1.0); }\n";
const ARROW_VERTEX = TO_CAMERA + `
attribute float head;
attribute vec3 start, along, arrowColor;
uniform float width;
varying vec3 vColor, vNormal;
// How much of the way from a to b, which starts in the window, lies in it.
float shareInside(vec4 a, vec4 b) {
  float share = 1.0;
  for (int k = 0; k < 4; ++k) {
    float side = k < 2 ? 1.0 : -1.0;
    float from = ${RIM} * a.w - side * (k == 0 || k == 2 ? a.x : a.y), to = ${RIM} * b.w - side * (k == 0 || k == 2 ? b.x : b.y);
    if (from < 0.0) return 1.0;
    if (to < 0.0) share = min(share, from / (from - to));
  }
  return share;
}
void main() {
  float share = shareInside(toClip(start), toClip(start + along)), size = share * length(along);
  vec3 z = along / max(length(along), 1e-30), x = normalize(abs(z.x) < 0.7 ? cross(vec3(1, 0, 0), z) : cross(vec3(0, 1, 0), z)), y = cross(z, x);
  // The head of a short arrow shrinks with it.
  float w = width * min(1.0, size / (10.0 * width));
  vec3 p = start + w * (position.x * x + position.y * y + position.z * z) + head * max(size - 7.0 * w, 0.0) * z;
  vNormal = normalMatrix * (normal.x * x + normal.y * y + normal.z * z);
  vColor = arrowColor * (share < 1.0 ? ${CUT_DARKNESS} : 1.0);
  gl_Position = toClip(p);
}`;
const ARROW_FRAGMENT = `
varying vec3 vColor, vNormal;
uniform float opacity;
void main() { gl_FragColor = vec4(vColor * (0.62 + 0.38 * max(normalize(vNormal).z, 0.0)), opacity); }`;
const POINT_VERTEX = TO_CAMERA + `
attribute vec3 start, arrowColor;
uniform float size;
varying vec3 vColor;
void main() {
  vColor = arrowColor;
  gl_Position = toClip(start);
  gl_PointSize = size;
}`;
const POINT_FRAGMENT = `
varying vec3 vColor;
uniform float opacity;
void main() {
  float r = length(gl_PointCoord - 0.5);
  if (r > 0.5) discard;
  gl_FragColor = vec4(mix(vColor, vec3(1.0), 0.8 * smoothstep(0.32, 0.42, r)), opacity);
}`;

// As many arrows as `capacity` at a time: clear(), add() each, finish(). `inFront`: before all bodies; else they are faint behind them.
class Arrows {
  constructor(capacity, framing, {inFront = false, order = 10} = {}) {
    this.object = new THREE.Group();
    this.count = 0;
    this.radius = framing.radius;
    this.arrows = arrowGeometry(THREE.InstancedBufferGeometry);
    for (const name of ["start", "along", "arrowColor"]) this.arrows.setAttribute(name, new THREE.InstancedBufferAttribute(new Float32Array(3 * capacity), 3));
    this.points = new THREE.BufferGeometry();
    for (const name of ["start", "arrowColor"]) {
      this.points.setAttribute(name, new THREE.BufferAttribute(this.arrows.getAttribute(name).array, 3));
    }
    this.points.setAttribute("position", this.points.getAttribute("start"));
    this.uniforms = {width: {value: 0}, size: {value: 5 * (window.devicePixelRatio || 1)}};
    this.setScale(1);
    // Hidden parts first, then those that are seen.
    for (const hidden of inFront ? [false] : [true, false]) this.addObjects(hidden, inFront, order);
  }

  addObjects(hidden, inFront, order) {
    const uniforms = {...this.uniforms, opacity: {value: hidden ? HIDDEN_OPACITY : 1}};
    const options = {uniforms, transparent: true, depthWrite: !hidden, depthFunc: hidden ? THREE.GreaterDepth : THREE.LessEqualDepth};
    const arrows = new THREE.Mesh(this.arrows, new THREE.ShaderMaterial({vertexShader: ARROW_VERTEX, fragmentShader: ARROW_FRAGMENT, ...options}));
    const points = new THREE.Points(this.points, new THREE.ShaderMaterial({vertexShader: POINT_VERTEX, fragmentShader: POINT_FRAGMENT, ...options, depthTest: !inFront}));
    for (const object of [arrows, points]) {
      object.frustumCulled = false;
      this.object.add(object);
    }
    arrows.renderOrder = hidden ? order - 2 : order;
    points.renderOrder = hidden ? order - 1 : order + 1;
    if (inFront) arrows.onBeforeRender = clearDepth;
  }

  // Of widths: 1 in the first view.
  setScale(scale) { this.uniforms.width.value = this.width = 0.0032 * this.radius * scale; }

  clear() { this.count = 0; }

  // An arrow of a vector whose size `largest` is 0.36 radii long (times `scale`); longer than twice that it is cut and darker.
  add(start, vector, color, metresPerUnit, largest) {
    const size = Math.hypot(...vector), longest = LONGEST_ARROW * largest, cut = size > longest;
    const factor = metresPerUnit * (cut ? longest / size : 1), dark = cut ? CUT_DARKNESS : 1;
    this.arrows.getAttribute("start").array.set(start, 3 * this.count);
    this.arrows.getAttribute("along").array.set(vector.map((x) => x * factor), 3 * this.count);
    this.arrows.getAttribute("arrowColor").array.set([color.r * dark, color.g * dark, color.b * dark], 3 * this.count);
    ++this.count;
    return factor * size;
  }

  finish() {
    for (const geometry of [this.arrows, this.points]) {
      for (const name of ["start", "along", "arrowColor"]) if (geometry.getAttribute(name)) geometry.getAttribute(name).needsUpdate = true;
    }
    this.arrows.maxInstancedCount = this.count;
    this.points.setDrawRange(0, this.count);
    this.object.visible = this.count > 0;
  }
}

// What is drawn from here on stands in front of the bodies and still hides each other.
function clearDepth(renderer) {
  renderer.state.buffers.depth.setMask(true);
  renderer.clearDepth();
}

// Most rows that a frame has.
function mostRows(offset) {
  let most = 0;
  for (let f = 0; f + 1 < offset.length; ++f) most = Math.max(most, offset[f + 1] - offset[f]);
  return most;
}

const vectorAt = (array, i) => [array[3 * i], array[3 * i + 1], array[3 * i + 2]];

// 1, 2 or 5 times a power of ten, at most x.
function niceNumber(x) {
  const power = Math.pow(10, Math.floor(Math.log10(x)));
  for (const digit of [5, 2]) if (digit * power <= x * (1 + 1e-9)) return digit * power;
  return power;
}
