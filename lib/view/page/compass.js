// The directions of the world's axes and of gravity, in a corner.

class Compass {
  constructor(canvas, gravity) {
    this.canvas = canvas;
    const arms = AXIS_COLORS.map((color, k) => ({name: "xyz"[k], way: new THREE.Vector3().setComponent(k, 1), color}));
    const g = gravity && new THREE.Vector3(...gravity);
    if (g && g.length() > 0) arms.push({name: "g", way: g.normalize().multiplyScalar(0.8), color: null});
    this.arms = arms;
  }

  draw(camera) {
    const ratio = window.devicePixelRatio || 1, size = this.canvas.clientWidth, arm = 0.32 * size;
    this.canvas.width = this.canvas.height = Math.round(size * ratio);
    const g = this.canvas.getContext("2d"), turn = camera.quaternion.clone().inverse();
    g.scale(ratio, ratio);
    g.font = '600 11px system-ui, "Segoe UI", "DejaVu Sans", sans-serif';
    g.textAlign = "center";
    g.textBaseline = "middle";
    g.lineWidth = 2;
    const tips = this.arms.map(({name, way, color}) => ({name, color: color || styleColor("--ink"), tip: way.clone().applyQuaternion(turn)}));
    // The nearest last.
    tips.sort((a, b) => a.tip.z - b.tip.z);
    for (const {name, color, tip} of tips) {
      const x = arm * tip.x, y = -arm * tip.y, length = Math.hypot(x, y), c = size / 2;
      g.strokeStyle = g.fillStyle = color;
      g.beginPath();
      g.moveTo(c, c);
      g.lineTo(c + x, c + y);
      g.stroke();
      const u = length > 1e-6 ? x / length : 1, v = length > 1e-6 ? y / length : 0;
      if (length > 6) {
        g.beginPath();
        g.moveTo(c + x + 4 * u, c + y + 4 * v);
        g.lineTo(c + x - 3 * u - 3.5 * v, c + y - 3 * v + 3.5 * u);
        g.lineTo(c + x - 3 * u + 3.5 * v, c + y - 3 * v - 3.5 * u);
        g.fill();
      }
      g.fillText(name, c + x + 11 * u, c + y + 11 * v);
    }
  }
}
