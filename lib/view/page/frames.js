// Frames of bodies and joints, and where bodies overlap at the start; names and masses beside them.

const AXIS_COLORS = ["#d83a34", "#2f9e44", "#2563c9"], JOINT_COLOR = "#8a3ffc", OVERLAP_COLOR = "#e00025";
const MOST_LABELS = 40;

class Frames {
  constructor(data, framing, labels) {
    this.data = data;
    this.radius = framing.radius;
    this.visible = data.beforeRunning;
    this.viewScale = 1;
    // Three axes each, of a joint its own too, with two heads where it turns.
    this.arrows = new Arrows(3 * data.moving.length + 5 * data.joints.length + data.overlaps.length, framing, {inFront: true, order: 20});
    this.object = this.arrows.object;
    this.labels = new Labels(labels);
    this.places = [];
  }

  get isEmpty() { return this.data.moving.length + this.data.joints.length === 0; }

  jointPose(joint, poses) { return joint.parent < 0 ? joint : compose(poses[joint.parent], joint); }

  show(poses, choice) {
    this.places = [];
    this.arrows.clear();
    this.arrows.setScale(0.8 * this.viewScale);
    const length = 0.13 * this.radius * this.viewScale, colors = AXIS_COLORS.map((color) => new THREE.Color(color));
    const add = (pose, local, color, size) => {
      const along = local.clone().applyQuaternion(pose.quaternion).toArray();
      this.arrows.add(pose.position.toArray(), along, color, size, 1);
    };
    const axes = [new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 1, 0), new THREE.Vector3(0, 0, 1)];
    if (this.visible) {
      for (const body of this.data.moving) {
        axes.forEach((axis, k) => add(poses[body.index], axis, colors[k], length));
        const com = new THREE.Vector3(...body.com).applyQuaternion(poses[body.index].quaternion).add(poses[body.index].position);
        this.places.push({at: com, text: `${body.name}  ${shown(body.mass)} kg`, weight: body.mass});
      }
    }
    this.data.joints.forEach((joint, row) => {
      if (!this.visible && choice.joint !== row) return;
      const pose = this.jointPose(joint, poses);
      axes.forEach((axis, k) => add(pose, axis, colors[k], 0.6 * length));
      if (!["revolute", "prismatic", "screw"].includes(joint.type)) return;
      const axis = new THREE.Vector3(...joint.axis), color = new THREE.Color(JOINT_COLOR);
      add(pose, axis, color, 1.4 * length);
      if (joint.type === "revolute") add(pose, axis, color, 1.2 * length);
    });
    for (const {point, depth} of this.data.overlaps) {
      if (!this.visible) break;
      this.arrows.add(point, [0, 0, 0], new THREE.Color(OVERLAP_COLOR), 1, 1);
      this.places.push({at: new THREE.Vector3(...point), text: `overlap ${shown(depth)} m`, weight: Infinity, overlap: true});
    }
    this.arrows.finish();
    this.places.sort((a, b) => b.weight - a.weight);
  }

  // Of the camera's present view.
  draw(camera, width, height) { this.labels.show(this.places, camera, width, height); }
}

// Texts over the scene, the first first; what would cover an earlier one is left out.
class Labels {
  constructor(parent) {
    this.parent = parent;
    this.pool = [];
  }

  show(places, camera, width, height) {
    const taken = [];
    let used = 0;
    for (const {at, text, overlap} of places) {
      if (used === MOST_LABELS) break;
      const p = at.clone().project(camera);
      if (p.z > 1 || Math.abs(p.x) > 1 || Math.abs(p.y) > 1) continue;
      const x = (p.x + 1) / 2 * width + 8, y = (1 - p.y) / 2 * height - 20;
      const box = [x, y, x + 7 * text.length + 8, y + 18];
      if (taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3])) continue;
      taken.push(box);
      const label = this.pool[used] || this.make();
      ++used;
      label.hidden = false;
      label.textContent = text;
      label.classList.toggle("overlap", Boolean(overlap));
      label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
    for (let i = used; i < this.pool.length; ++i) this.pool[i].hidden = true;
  }

  make() {
    const label = document.createElement("span");
    this.parent.append(label);
    this.pool.push(label);
    return label;
  }
}
