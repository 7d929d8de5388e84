// A second result over the first: what moves in it, translucent and of one colour.

const OVERLAY_COLOR = new THREE.Color();   // the theme sets it

class Overlay {
  constructor(data, framing) {
    this.data = data.overlay;
    this.visible = true;
    this.object = new THREE.Group();
    this.items = [];
    if (!this.data) return;
    const groups = new Map();
    for (const part of this.data.parts) {
      if (!this.data.bodies[part.body].moves) continue;
      if (!groups.has(part.surface)) groups.set(part.surface, []);
      groups.get(part.surface).push({...part, color: null});
    }
    for (const [surface, parts] of groups) {
      const item = new MovingParts(data.surfaces[surface], parts, this.data, framing);
      setOpacity(item.material, 0.4);
      // Where both results are in the same place the first is seen.
      setDepthLevel(item.material, OVERLAY_LEVEL);
      item.mesh.castShadow = false;
      item.mesh.renderOrder = 3;
      this.items.push(item);
      this.object.add(item.mesh);
    }
    this.paint();
  }

  paint() {
    for (const item of this.items) item.paint(() => OVERLAY_COLOR);
  }

  // At time t, between its own frames.
  show(t) {
    this.object.visible = this.visible;
    if (!this.data || !this.visible) return;
    const {time} = this.data.frames, f = lastAt(time, t), next = Math.min(f + 1, time.length - 1);
    const u = next > f ? Math.min(1, Math.max(0, (t - time[f]) / (time[next] - time[f]))) : 0;
    const poses = this.data.bodies.map((body) => poseOf(this.data, body, f, u));
    for (const item of this.items) item.setPoses(poses);
  }
}
