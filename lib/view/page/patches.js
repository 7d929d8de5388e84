// Contact patches: their polygons coloured by pressure, the force on the body later in the scene (or on the selected one) and its moment about the centroid.

const PATCH_COLOR = "#d9480f";

class Patches {
  constructor(data, framing, theme) {
    this.data = data.patches;
    this.framing = framing;
    this.theme = theme;
    this.viewScale = 1;
    this.object = new THREE.Group();
    this.visible = true;
    this.scale = 1;
    this.count = 0;
    if (!this.data) return;
    // A moment has two heads: two arrows.
    this.arrows = new Arrows(3 * mostRows(this.data.offset), framing, {inFront: this.hasPolygons});
    this.object.add(this.arrows.object);
    if (this.data.polygons) this.addPolygons();
  }

  get hasPolygons() { return Boolean(this.data && this.data.polygons); }

  // Room for the polygons of any frame: triangles over them, lines around them.
  addPolygons() {
    const {cornerOffset} = this.data.polygons;
    const corners = mostRows(Array.from(this.data.offset, (patch) => cornerOffset[patch]));
    this.geometry = new THREE.BufferGeometry();
    this.geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * corners), 3));
    this.geometry.setAttribute("color", new THREE.BufferAttribute(new Float32Array(3 * corners), 3));
    this.geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(3 * corners), 1));
    this.edges = new THREE.BufferGeometry();
    this.edges.setAttribute("position", this.geometry.getAttribute("position"));
    this.edges.setIndex(new THREE.BufferAttribute(new Uint32Array(2 * corners), 1));
    const mesh = new THREE.Mesh(this.geometry, new THREE.MeshBasicMaterial({vertexColors: THREE.VertexColors, side: THREE.DoubleSide, transparent: true}));
    const lines = this.lines = new THREE.LineSegments(this.edges, new THREE.LineBasicMaterial({color: 0x101820, transparent: true, depthTest: false}));
    for (const object of [mesh, lines]) {
      object.frustumCulled = false;
      this.object.add(object);
    }
    mesh.renderOrder = 8;
    lines.renderOrder = 9;
    mesh.onBeforeRender = clearDepth;
  }

  get metresPerNewton() { return 0.36 * this.framing.radius / this.framing.largestForce * this.scale * this.viewScale; }

  get metresPerNewtonMetre() { return 0.36 * this.framing.radius / this.framing.largestMoment * this.scale * this.viewScale; }

  // Patches of frame f; of one body or one pair alone when one is chosen.
  show(f, choice) {
    if (!this.data) return;
    const {offset, centroid, force, moment, bodies} = this.data;
    const ofForce = new THREE.Color(PATCH_COLOR), ofMoment = new THREE.Color(this.theme.colors.moment);
    const rows = [];
    for (let i = offset[f]; i < offset[f + 1]; ++i) {
      if (choice.has(bodies[2 * i], bodies[2 * i + 1])) rows.push(i);
    }
    this.rows = rows;
    this.arrows.clear();
    this.arrows.setScale(this.viewScale);
    for (const i of rows) {
      const sign = bodies[2 * i] === choice.body ? -1 : 1, from = vectorAt(centroid, i), turn = vectorAt(moment, i).map((x) => sign * x);
      this.arrows.add(from, vectorAt(force, i).map((x) => sign * x), ofForce, this.metresPerNewton, this.framing.largestForce);
      const length = this.arrows.add(from, turn, ofMoment, this.metresPerNewtonMetre, this.framing.largestMoment);
      const shorter = Math.max(0.55, 1 - 6 * this.arrows.width / Math.max(length, 1e-30));
      this.arrows.add(from, turn, ofMoment, shorter * this.metresPerNewtonMetre, this.framing.largestMoment);
    }
    this.arrows.finish();
    if (this.hasPolygons) this.showPolygons(rows);
    this.object.visible = this.visible && rows.length > 0;
    this.count = rows.length;
  }

  showPolygons(rows) {
    const {faceOffset, cornerOffset, cornersOfFace, lower, size, place, color} = this.data.polygons, colors = this.data.bar.colors;
    const position = this.geometry.getAttribute("position"), tint = this.geometry.getAttribute("color");
    let n = 0, triangles = 0, lines = 0;
    for (const i of rows) {
      let corner = cornerOffset[i];
      for (let face = faceOffset[i]; face < faceOffset[i + 1]; ++face) {
        const first = n, m = cornersOfFace[face];
        for (let k = 0; k < m; ++k, ++n, ++corner) {
          for (let axis = 0; axis < 3; ++axis) {
            position.array[3 * n + axis] = lower[3 * i + axis] + place[3 * corner + axis] / 65535 * size[3 * i + axis];
            tint.array[3 * n + axis] = colors[3 * color[corner] + axis] / 255;
          }
          this.edges.index.array.set([n, first + (k + 1) % m], 2 * lines++);
          if (k > 1) this.geometry.index.array.set([first, n - 1, n], 3 * triangles++);
        }
      }
    }
    for (const attribute of [position, tint, this.geometry.index, this.edges.index]) attribute.needsUpdate = true;
    this.geometry.setDrawRange(0, 3 * triangles);
    this.edges.setDrawRange(0, 2 * lines);
    let length = 0;
    const p = (k) => vectorAt(position.array, this.edges.index.array[k]);
    for (let k = 0; k < 2 * lines; k += 2) {
      const a = p(k), b = p(k + 1);
      length += Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    }
    this.meanEdge = length / Math.max(1, lines);
  }

  // Lines around polygons of a few pixels would hide their colours.
  fadeEdges(pixelsPerMetre) {
    if (!this.hasPolygons) return;
    const strength = Math.min(1, Math.max(0, (this.meanEdge * pixelsPerMetre - 8) / 24));
    this.lines.material.opacity = 0.25 * strength;
    this.lines.visible = strength > 0;
  }
}

// The bar beside the scene: colours from the bottom up, labels at round pressures.
function fillColorBar(element, bar) {
  const stops = [];
  for (let i = 0; i <= 32; ++i) {
    const k = 3 * Math.round(255 * i / 32);
    stops.push(`rgb(${bar.colors[k]}, ${bar.colors[k + 1]}, ${bar.colors[k + 2]})`);
  }
  const title = document.createElement("span"), strip = document.createElement("div");
  title.className = "title";
  title.textContent = `pressure, ${bar.unit}`;
  strip.className = "strip";
  strip.style.background = `linear-gradient(to top, ${stops.join(", ")})`;
  for (const tick of bar.ticks) {
    const label = document.createElement("span");
    label.textContent = tick.label;
    label.style.bottom = `${100 * tick.at}%`;
    strip.append(label);
  }
  element.append(title, strip);
  if (bar.beyond) {
    const beyond = document.createElement("span");
    beyond.className = "beyond";
    beyond.textContent = bar.beyond;
    beyond.title = "The largest pressure of the run; what is beyond the bar has its last colour";
    title.after(beyond);
  }
  element.hidden = false;
}
