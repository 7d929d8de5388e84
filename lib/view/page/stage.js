// The scene in three dimensions: camera, light, what is drawn, what is hit by a click.

class Stage {
  constructor(canvas, data) {
    const f = data.framing;
    this.data = data;
    this.canvas = canvas;
    this.framing = {...f, target: new THREE.Vector3(...f.target)};
    this.renderer = new THREE.WebGLRenderer({canvas, antialias: true, preserveDrawingBuffer: true});
    this.renderer.setPixelRatio(window.devicePixelRatio || 1);
    this.renderer.setClearColor(BACKGROUND);
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(f.fieldOfView, 1, 0.01 * f.radius, 100 * f.radius);
    this.camera.up.set(0, 0, 1);
    this.scene.add(this.camera);
    this.controls = new THREE.OrbitControls(this.camera, canvas);
    this.controls.enableKeys = false;
    this.controls.minDistance = 0.05 * f.radius;
    this.controls.maxDistance = 30 * f.radius;
    this.controls.addEventListener("change", () => { this.cameraMoved = this.dirty = true; });
    this.addLight();
    this.addBodies();
    this.contacts = new Contacts(data, this.framing);
    this.patches = new Patches(data, this.framing);
    this.scene.add(this.contacts.object, this.patches.object);
    this.chosen = -1;
    this.followed = -1;
    this.resize();
    this.resetView();
  }

  addLight() {
    const {target, radius} = this.framing;
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0xd6d8dc, 0.74));
    const light = new THREE.DirectionalLight(0xffffff, 0.36);
    light.position.set(0.5, -0.45, 1.1).multiplyScalar(3 * radius).add(target);
    light.target.position.copy(target);
    light.castShadow = true;
    light.shadow.mapSize.set(2048, 2048);
    Object.assign(light.shadow.camera, {left: -1.5 * radius, right: 1.5 * radius, top: 1.5 * radius, bottom: -1.5 * radius, near: 0.1 * radius, far: 8 * radius});
    light.shadow.bias = -0.0006;
    light.shadow.radius = 2;
    this.scene.add(light, light.target);
  }

  addBodies() {
    const {surfaces, parts, bodies, planes} = this.data;
    this.moving = [];
    this.fixed = [];
    surfaces.forEach((surface, index) => {
      for (const hasPolygons of [false, true]) {
        const group = parts.filter((part) => part.surface === index && bodies[part.body].moves && bodies[part.body].hasPolygons === hasPolygons);
        if (group.length > 0) this.moving.push(new MovingParts(surface, group, this.data, this.framing));
      }
    });
    for (const part of parts) {
      if (!bodies[part.body].moves) this.fixed.push(new FixedPart(surfaces[part.surface], part, this.data, this.framing));
    }
    for (const item of [...this.moving, ...this.fixed]) this.scene.add(item.mesh);
    this.planes = planes.map((plane) => ({plane, mesh: planeMesh(plane, this.data, this.framing)}));
    for (const {mesh} of this.planes) this.scene.add(mesh);
    this.hasGrid = planes.length > 0 || this.fixed.some((item) => item.large);
    for (const item of this.moving) item.setColors(-1);
  }

  // The first view: as camera_distance() in framing.h.
  resetView() {
    const {lower, upper, direction, target} = this.framing;
    const back = new THREE.Vector3(...direction), right = new THREE.Vector3(0, 0, 1).cross(back).normalize(), up = back.clone().cross(right);
    const vertical = Math.tan(this.camera.fov * Math.PI / 360), horizontal = this.camera.aspect * vertical;
    let distance = 0;
    for (let corner = 0; corner < 8; ++corner) {
      const p = new THREE.Vector3(...[0, 1, 2].map((k) => ((corner >> k & 1) - 0.5) * (upper[k] - lower[k])));
      distance = Math.max(distance, p.dot(back) + 1.12 * Math.abs(p.dot(right)) / horizontal, p.dot(back) + 1.12 * Math.abs(p.dot(up)) / vertical);
    }
    this.controls.target.copy(target);
    this.camera.position.copy(back).multiplyScalar(distance / this.framing.zoom).add(target);
    this.controls.update();
    this.cameraMoved = this.dirty = true;
  }

  resize() {
    const {clientWidth: width, clientHeight: height} = this.canvas.parentElement;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.dirty = true;
  }

  // Poses between frames f and f + 1; contacts of the nearer one, which are at no place in between.
  setTime(f, u) {
    this.poses = this.data.bodies.map((body) => poseOf(this.data, body, f, u));
    for (const item of this.moving) item.setPoses(this.poses);
    for (const {plane, mesh} of this.planes) {
      if (this.data.bodies[plane.body].moves) placePlane(mesh, plane, this.poses[plane.body], this.framing);
    }
    this.frame = u > 0.5 ? f + 1 : f;
    this.showForces();
    if (this.followed >= 0) {
      const now = this.poses[this.followed].position.clone();
      if (this.lastFollowed) {
        const shift = now.clone().sub(this.lastFollowed);
        this.camera.position.add(shift);
        this.controls.target.add(shift);
      }
      this.lastFollowed = now;
    }
    this.dirty = true;
  }

  choose(body) {
    this.chosen = body;
    for (const item of this.moving) item.setColors(body);
    for (const item of this.fixed) {
      item.material.color.copy(bodyColor(this.data.bodies[item.part.body]));
      if (item.part.body === body) item.material.color.lerp(new THREE.Color(CHOSEN_COLOR), 0.5);
    }
    this.showForces();
  }

  // Contacts and patches of the present frame.
  showForces() {
    this.contacts.show(this.frame, this.chosen);
    this.patches.show(this.frame, this.chosen);
    this.dirty = true;
  }

  follow(body) {
    this.followed = body;
    this.lastFollowed = null;
    if (body >= 0) {
      const now = this.poses[body].position.clone();
      this.camera.position.add(now).sub(this.controls.target);
      this.controls.target.copy(now);
      this.controls.update();
      this.lastFollowed = now;
    }
  }

  // Bodies on which polygons of patches lie; where there are none, all that move.
  seeThrough(on) {
    const withPolygons = this.moving.filter(({parts}) => this.data.bodies[parts[0].body].hasPolygons);
    for (const {material} of withPolygons.length > 0 ? withPolygons : this.moving) {
      material.transparent = on;
      material.opacity = on ? 0.28 : 1;
      material.depthWrite = !on;
      material.needsUpdate = true;
    }
    this.dirty = true;
  }

  // The body under a place of the canvas, in pixels; -1 for none.
  bodyAt(x, y) {
    const far = new THREE.Vector3(2 * x / this.canvas.clientWidth - 1, 1 - 2 * y / this.canvas.clientHeight, 0.9).unproject(this.camera);
    let nearest = Infinity, hit = -1;
    const glass = new Set(this.fixed.filter((item) => item.material.transparent).map((item) => item.part));
    for (const part of this.data.parts) {
      if (glass.has(part)) continue;
      const s = rayPart(this.data.surfaces[part.surface], part.scale, compose(this.poses[part.body], part), this.camera.position, far);
      if (s < nearest) {
        nearest = s;
        hit = part.body;
      }
    }
    return hit;
  }

  // Pixels of a metre at the target.
  get pixelsPerMetre() {
    const distance = this.camera.position.distanceTo(this.controls.target);
    return this.canvas.clientHeight / (2 * distance * Math.tan(this.camera.fov * Math.PI / 360));
  }

  draw() {
    if (this.cameraMoved) {
      for (const item of this.fixed) item.setGlass(this.camera.position, this.framing.points);
      this.cameraMoved = false;
    }
    this.patches.fadeEdges(this.pixelsPerMetre);
    this.renderer.render(this.scene, this.camera);
    this.dirty = false;
  }
}
