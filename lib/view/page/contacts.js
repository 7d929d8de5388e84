// Contact points and the forces on the second body.

const STICK_COLOR = "#d9480f", SLIP_COLOR = "#b5179e";

class Contacts {
  constructor(data, framing) {
    this.data = data.contacts;
    this.framing = framing;
    this.object = new THREE.Group();
    this.visible = true;
    this.scale = 1;
    if (!this.data) return;
    this.arrows = new Arrows(mostRows(this.data.offset), framing);
    this.object.add(this.arrows.object);
  }

  // Length of the arrow of a force, m per N.
  get metresPerNewton() { return 0.36 * this.framing.radius / this.framing.largestForce * this.scale; }

  // Contacts of frame f; of one body alone when one is chosen.
  show(f, chosen) {
    if (!this.data) return;
    const {offset, point, force, bodies, slips} = this.data;
    const stick = new THREE.Color(STICK_COLOR), slip = new THREE.Color(SLIP_COLOR);
    this.arrows.clear();
    for (let i = offset[f]; i < offset[f + 1]; ++i) {
      if (chosen >= 0 && bodies[2 * i] !== chosen && bodies[2 * i + 1] !== chosen) continue;
      // The force on the chosen body, else on the second one.
      const sign = bodies[2 * i] === chosen ? -1 : 1;
      this.arrows.add(vectorAt(point, i), vectorAt(force, i).map((x) => sign * x), slips[i] ? slip : stick, this.metresPerNewton, this.framing.largestForce);
    }
    this.arrows.finish();
    this.object.visible = this.visible;
    this.count = this.arrows.count;
  }
}
