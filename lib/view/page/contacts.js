// Contact points and the forces on the body later in the scene, or on the selected one.

const STICK_COLOR = "#d9480f";

class Contacts {
  constructor(data, framing, theme) {
    this.data = data.contacts;
    this.framing = framing;
    this.theme = theme;
    this.viewScale = 1;   // of the arrows, as one zooms
    this.object = new THREE.Group();
    this.visible = true;
    this.scale = 1;
    if (!this.data) return;
    this.arrows = new Arrows(mostRows(this.data.offset), framing, {inFront: Boolean(data.patches && data.patches.polygons)});
    this.object.add(this.arrows.object);
  }

  // Length of the arrow of a force, m per N.
  get metresPerNewton() { return 0.36 * this.framing.radius / this.framing.largestForce * this.scale * this.viewScale; }

  // Contacts of frame f; of one body or one pair alone when one is chosen.
  show(f, choice) {
    if (!this.data) return;
    const {offset, point, force, bodies, slips} = this.data;
    const stick = new THREE.Color(STICK_COLOR), slip = new THREE.Color(this.theme.colors.slip);
    this.arrows.clear();
    this.arrows.setScale(this.viewScale);
    this.rows = [];
    for (let i = offset[f]; i < offset[f + 1]; ++i) {
      const a = bodies[2 * i], b = bodies[2 * i + 1];
      if (!choice.has(a, b)) continue;
      this.rows.push(i);
      // The force on the chosen body, else on the second one.
      const sign = a === choice.body ? -1 : 1;
      this.arrows.add(vectorAt(point, i), vectorAt(force, i).map((x) => sign * x), slips[i] ? slip : stick, this.metresPerNewton, this.framing.largestForce);
    }
    this.arrows.finish();
    this.object.visible = this.visible;
    this.count = this.arrows.count;
  }
}
