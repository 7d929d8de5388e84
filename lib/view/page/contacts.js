// Contact points and the forces on the second body, drawn over the bodies.

const STICK_COLOR = "#d9480f", SLIP_COLOR = "#b5179e";
const LONGEST_ARROW = 2;   // times the length of `largestForce`; longer ones end there and are drawn darker

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

const ARROW_VERTEX = `
attribute float head;
attribute vec3 start, along, arrowColor;
uniform float width;
varying vec3 vColor, vNormal;
void main() {
  float size = length(along);
  vec3 z = along / max(size, 1e-30), x = normalize(abs(z.x) < 0.7 ? cross(vec3(1, 0, 0), z) : cross(vec3(0, 1, 0), z)), y = cross(z, x);
  // The head of a short arrow shrinks with it.
  float w = width * min(1.0, size / (10.0 * width));
  vec3 p = start + w * (position.x * x + position.y * y + position.z * z) + head * max(size - 7.0 * w, 0.0) * z;
  vNormal = normalMatrix * (normal.x * x + normal.y * y + normal.z * z);
  vColor = arrowColor;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(p, 1.0);
}`;
const ARROW_FRAGMENT = `
varying vec3 vColor, vNormal;
void main() { gl_FragColor = vec4(vColor * (0.62 + 0.38 * max(normalize(vNormal).z, 0.0)), 1.0); }`;
const POINT_VERTEX = `
attribute vec3 start, arrowColor;
uniform float size;
varying vec3 vColor;
void main() {
  vColor = arrowColor;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(start, 1.0);
  gl_PointSize = size;
}`;
const POINT_FRAGMENT = `
varying vec3 vColor;
void main() {
  float r = length(gl_PointCoord - 0.5);
  if (r > 0.5) discard;
  gl_FragColor = vec4(mix(vColor, vec3(1.0), 0.8 * smoothstep(0.32, 0.42, r)), 1.0);
}`;

class Contacts {
  constructor(data, framing) {
    this.data = data.contacts;
    this.framing = framing;
    this.object = new THREE.Group();
    this.visible = true;
    this.scale = 1;
    if (!this.data) return;
    let most = 0;
    for (let f = 0; f + 1 < this.data.offset.length; ++f) most = Math.max(most, this.data.offset[f + 1] - this.data.offset[f]);
    this.arrows = arrowGeometry(THREE.InstancedBufferGeometry);
    for (const name of ["start", "along", "arrowColor"]) this.arrows.setAttribute(name, new THREE.InstancedBufferAttribute(new Float32Array(3 * most), 3));
    this.points = new THREE.BufferGeometry();
    for (const name of ["start", "arrowColor"]) {
      this.points.setAttribute(name, new THREE.BufferAttribute(this.arrows.getAttribute(name).array, 3));
    }
    this.points.setAttribute("position", this.points.getAttribute("start"));
    this.arrowMaterial = new THREE.ShaderMaterial({vertexShader: ARROW_VERTEX, fragmentShader: ARROW_FRAGMENT, uniforms: {width: {value: 0.0032 * framing.radius}}, transparent: true});
    this.pointMaterial = new THREE.ShaderMaterial({vertexShader: POINT_VERTEX, fragmentShader: POINT_FRAGMENT, uniforms: {size: {value: 5 * (window.devicePixelRatio || 1)}}, transparent: true, depthTest: false});
    const arrows = new THREE.Mesh(this.arrows, this.arrowMaterial), points = new THREE.Points(this.points, this.pointMaterial);
    for (const object of [arrows, points]) {
      object.frustumCulled = false;
      this.object.add(object);
    }
    arrows.renderOrder = 10;
    points.renderOrder = 11;
    // Arrows stand in front of the bodies and still hide each other: the depth is cleared before the first of them.
    arrows.onBeforeRender = (renderer) => {
      renderer.state.buffers.depth.setMask(true);
      renderer.clearDepth();
    };
    this.frame = -1;
  }

  // Length of the arrow of a force, m per N.
  get metresPerNewton() { return 0.36 * this.framing.radius / this.framing.largestForce * this.scale; }

  // Contacts of frame f; of one body alone when one is chosen.
  show(f, chosen) {
    if (!this.data) return;
    const {offset, point, force, bodies, slips} = this.data;
    const start = this.arrows.getAttribute("start"), along = this.arrows.getAttribute("along"), color = this.arrows.getAttribute("arrowColor");
    const stick = new THREE.Color(STICK_COLOR), slip = new THREE.Color(SLIP_COLOR);
    const longest = LONGEST_ARROW * this.framing.largestForce;
    let n = 0;
    for (let i = offset[f]; i < offset[f + 1]; ++i) {
      if (chosen >= 0 && bodies[2 * i] !== chosen && bodies[2 * i + 1] !== chosen) continue;
      // The force on the chosen body, else on the second one.
      const sign = bodies[2 * i] === chosen ? -1 : 1;
      const size = Math.hypot(force[3 * i], force[3 * i + 1], force[3 * i + 2]), cut = size > longest;
      const c = slips[i] ? slip : stick, dark = cut ? 0.55 : 1;
      for (let k = 0; k < 3; ++k) {
        start.array[3 * n + k] = point[3 * i + k];
        along.array[3 * n + k] = sign * force[3 * i + k] * this.metresPerNewton * (cut ? longest / size : 1);
      }
      color.array.set([c.r * dark, c.g * dark, c.b * dark], 3 * n);
      ++n;
    }
    for (const attribute of [start, along, color, this.points.getAttribute("start"), this.points.getAttribute("arrowColor")]) attribute.needsUpdate = true;
    this.arrows.maxInstancedCount = n;
    this.points.setDrawRange(0, n);
    this.object.visible = this.visible && n > 0;
    this.count = n;
  }

  // Force and length in pixels of the arrow that the legend shows.
  legend(pixelsPerMetre) {
    const pixels = 60, force = niceNumber(pixels / (this.metresPerNewton * pixelsPerMetre));
    return {force, pixels: force * this.metresPerNewton * pixelsPerMetre};
  }
}

// 1, 2 or 5 times a power of ten, at most x.
function niceNumber(x) {
  const power = Math.pow(10, Math.floor(Math.log10(x)));
  for (const digit of [5, 2]) if (digit * power <= x * (1 + 1e-9)) return digit * power;
  return power;
}
