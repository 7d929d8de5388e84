// The paths of bodies' centres of mass: a line through all frames, bright up to the present one, with a dot a frame.

class Traces {
  constructor(data, group) {
    this.data = data;
    this.object = group;
    this.lines = new Map();   // body -> what is drawn of it
  }

  has(body) { return this.lines.has(body); }

  get bodies() { return [...this.lines.keys()]; }

  set(body, on) {
    if (on === this.has(body)) return;
    if (on) {
      this.lines.set(body, this.make(body));
      this.object.add(this.lines.get(body).group);
    } else {
      this.object.remove(this.lines.get(body).group);
      this.lines.delete(body);
    }
  }

  make(body) {
    const {frames, bodies, overlay} = this.data, painted = paintedPart(this.data, bodies[body]);
    const color = painted ? partColor(painted, this.data) : bodyColor(bodies[body]);
    const group = new THREE.Group();
    const path = (data, of) => {
      const geometry = new THREE.BufferGeometry(), com = new THREE.Vector3(...of.com), places = [];
      for (let f = 0; f < data.frames.time.length; ++f) {
        const pose = poseOf(data, of, f, 0);
        com.clone().applyQuaternion(pose.quaternion).add(pose.position).toArray(places, 3 * f);
      }
      geometry.setAttribute("position", new THREE.Float32BufferAttribute(places, 3));
      return geometry;
    };
    const geometry = path(this.data, bodies[body]), past = geometry.clone();
    const add = (object) => {
      object.frustumCulled = false;
      object.renderOrder = 5;
      group.add(object);
    };
    add(new THREE.Line(geometry, new THREE.LineBasicMaterial({color, transparent: true, opacity: 0.35})));
    add(new THREE.Line(past, new THREE.LineBasicMaterial({color, transparent: true, depthTest: false})));
    add(new THREE.Points(past, new THREE.PointsMaterial({color, size: 3 * (window.devicePixelRatio || 1), sizeAttenuation: false, transparent: true})));
    const other = overlay && overlay.bodies.find(({name}) => name === bodies[body].name);
    if (other && other.moves) add(new THREE.Line(path(overlay, other), new THREE.LineBasicMaterial({color: OVERLAY_COLOR, transparent: true, opacity: 0.8})));
    return {group, past, frames: frames.time.length};
  }

  // Bright up to frame f.
  show(f) { for (const {past} of this.lines.values()) past.setDrawRange(0, f + 1); }
}
