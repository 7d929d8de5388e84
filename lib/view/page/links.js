// Constraints, as lines from place to place, and forces on bodies.

const LINK_COLOR = "#5c3d2e", FORCE_COLOR = "#0b7285";

class Links {
  constructor(data, framing) {
    this.data = data;
    this.framing = framing;
    this.object = new THREE.Group();
    this.viewScale = 1;   // of the arrows, as one zooms
    this.scale = 1;
    if (data.links.length > 0) this.addLines();
    if (!data.forces) return;
    this.arrows = new Arrows(mostRows(data.forces.offset), framing);
    this.object.add(this.arrows.object);
  }

  addLines() {
    const numLines = this.data.links.reduce((sum, {places}) => sum + places.length - 1, 0);
    const geometry = new THREE.BufferGeometry(), color = new THREE.Color(LINK_COLOR);
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(6 * numLines), 3));
    this.geometry = geometry;
    this.ends = geometry.getAttribute("position");
    const add = (object) => {
      object.frustumCulled = false;
      object.renderOrder = 5;
      this.object.add(object);
    };
    add(new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({color, transparent: true, opacity: 0.35, depthTest: false})));
    add(new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({color})));
    add(new THREE.Points(geometry, new THREE.PointsMaterial({color, size: 5 * (window.devicePixelRatio || 1), sizeAttenuation: false, depthTest: false})));
  }

  // Length of the arrow of a force, m per N: that of contacts.
  get metresPerNewton() { return 0.36 * this.framing.radius / this.framing.largestForce * this.scale * this.viewScale; }

  // Links at the poses of the bodies, forces of frame f; those of the chosen body where there is one.
  show(f, poses, choice) {
    const place = ({body, point}) => {
      const p = new THREE.Vector3(...point);
      return body < 0 ? p : p.applyQuaternion(poses[body].quaternion).add(poses[body].position);
    };
    const {links, frames: {broken}} = this.data;
    let count = 0;
    links.forEach(({places}, i) => {
      if (broken[f * links.length + i] === 1) return;
      const path = places.map(place);
      for (let k = 1; k < path.length; ++k, count += 2) {
        path[k - 1].toArray(this.ends.array, 3 * count);
        path[k].toArray(this.ends.array, 3 * count + 3);
      }
    });
    if (this.ends) {
      this.ends.needsUpdate = true;
      this.geometry.setDrawRange(0, count);
    }
    if (!this.arrows) return;
    const {offset, point, force, body} = this.data.forces;
    this.arrows.clear();
    this.arrows.setScale(this.viewScale);
    for (let i = offset[f]; i < offset[f + 1]; ++i) {
      if (choice.kind === "body" && choice.body !== body[i]) continue;
      this.arrows.add(vectorAt(point, i), vectorAt(force, i), new THREE.Color(FORCE_COLOR), this.metresPerNewton, this.framing.largestForce);
    }
    this.arrows.finish();
  }
}
