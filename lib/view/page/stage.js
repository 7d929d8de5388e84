// The scene in three dimensions: camera, light, what is drawn, what is hit by a click.

const PICK_PIXELS = 7;   // of a contact or joint from where one clicks

class Stage {
  constructor(canvas, data, theme) {
    const f = data.framing;
    this.theme = theme;
    this.paintTheme();
    this.data = data;
    this.canvas = canvas;
    this.framing = {...f, target: new THREE.Vector3(...f.target)};
    this.renderer = new THREE.WebGLRenderer({canvas, antialias: true, preserveDrawingBuffer: true});
    this.renderer.setPixelRatio(window.devicePixelRatio || 1);
    this.renderer.setClearColor(BACKGROUND.value);
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
    this.contacts = new Contacts(data, this.framing, theme);
    this.patches = new Patches(data, this.framing, theme);
    this.links = new Links(data, this.framing);
    this.overlay = new Overlay(data, this.framing);
    this.frames = new Frames(data, this.framing, document.getElementById("labels"));
    this.traces = new Traces(data, new THREE.Group());
    this.compass = new Compass(document.getElementById("compass"), data.gravity);
    for (const {object} of [this.contacts, this.patches, this.links, this.overlay, this.frames, this.traces]) this.scene.add(object);
    this.choice = new Choice();
    this.followed = -1;
    this.resize();
    this.resetView();
  }

  // Colours that are not those of bodies.
  paintTheme() {
    const {background, fixed, ground, overlay} = this.theme.colors;
    BACKGROUND.value.set(background);
    FIXED_COLOR.set(fixed);
    GROUND_COLOR.set(ground);
    OVERLAY_COLOR.set(overlay);
  }

  setTheme() {
    this.paintTheme();
    this.renderer.setClearColor(BACKGROUND.value);
    for (const {plane, mesh} of this.planes) if (!plane.color) mesh.material.color.copy(GROUND_COLOR);
    this.overlay.paint();
    this.choose(this.choice);
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
    const groups = new Map();  // what one instanced mesh draws
    for (const part of parts) {
      const {moves, hasPolygons} = bodies[part.body], key = `${part.surface} ${hasPolygons} ${opacityOf(part)} ${depthLevel(part)}`;
      if (moves && !groups.has(key)) groups.set(key, []);
      if (moves) groups.get(key).push(part);
    }
    for (const group of groups.values()) this.moving.push(new MovingParts(surfaces[group[0].surface], group, this.data, this.framing));
    for (const part of parts) {
      if (!bodies[part.body].moves) this.fixed.push(new FixedPart(surfaces[part.surface], part, this.data, this.framing));
    }
    for (const item of [...this.moving, ...this.fixed]) this.scene.add(item.mesh);
    this.planes = planes.map((plane) => ({plane, mesh: planeMesh(plane, this.data, this.framing)}));
    for (const {mesh} of this.planes) this.scene.add(mesh);
    this.hasGrid = planes.length > 0 || this.fixed.some((item) => item.large);
    for (const item of this.moving) item.setColors(new Choice(), 0);
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
    this.firstDistance = distance;
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
  setTime(f, u, t) {
    this.poses = this.data.bodies.map((body) => poseOf(this.data, body, f, u));
    for (const item of this.moving) item.setPoses(this.poses);
    for (const {plane, mesh} of this.planes) {
      if (this.data.bodies[plane.body].moves) placePlane(mesh, plane, this.poses[plane.body], this.framing);
    }
    const before = this.frame;
    this.frame = u > 0.5 ? f + 1 : f;
    if (this.frame !== before && this.data.frames.asleep.length > 0) this.paint();
    this.time = t;
    this.overlay.show(t);
    this.traces.show(this.frame);
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

  paint() {
    for (const item of this.moving) item.setColors(this.choice, this.frame);
  }

  choose(choice) {
    this.choice = choice;
    this.paint();
    for (const item of this.fixed) {
      item.material.color.copy(partColor(item.part, this.data));
      if (choice.marks(item.part.body)) item.material.color.lerp(new THREE.Color(CHOSEN_COLOR), 0.5);
    }
    this.showForces();
  }

  // Contacts, patches, links and frames at the present time.
  showForces() {
    const {frame, choice} = this;
    for (const part of [this.contacts, this.patches, this.links, this.frames]) part.viewScale = this.viewScale;
    this.contacts.show(frame, choice);
    this.patches.show(frame, choice);
    if (this.poses) this.links.show(frame, this.poses, choice);
    if (this.poses) this.frames.show(this.poses, choice);
    this.dirty = true;
  }

  // Of lengths and widths of arrows: they are the same on the screen at every zoom.
  get viewScale() {
    return this.firstDistance ? this.camera.position.distanceTo(this.controls.target) / this.firstDistance : 1;
  }

  // A body, which comes to the middle unless the view is to stay; none: -1.
  follow(body, stay = false) {
    this.followed = body;
    this.lastFollowed = null;
    if (body < 0) return;
    const now = this.poses[body].position.clone();
    if (!stay) {
      this.camera.position.add(now).sub(this.controls.target);
      this.controls.target.copy(now);
      this.controls.update();
    }
    this.lastFollowed = now;
  }

  // From a place to another, m.
  look(from, to) {
    this.camera.position.set(...from);
    this.controls.target.set(...to);
    this.controls.update();
    this.cameraMoved = this.dirty = true;
  }

  // Bodies on which polygons of patches lie; where there are none, all that move.
  seeThrough(on) {
    const withPolygons = this.moving.filter(({parts}) => this.data.bodies[parts[0].body].hasPolygons);
    for (const {material, opacity} of withPolygons.length > 0 ? withPolygons : this.moving) setOpacity(material, on ? 0.28 * opacity : opacity);
    this.dirty = true;
  }

  // The body under a place of the canvas, in pixels; -1 for none.
  bodyAt(x, y) {
    const far = new THREE.Vector3(2 * x / this.canvas.clientWidth - 1, 1 - 2 * y / this.canvas.clientHeight, 0.9).unproject(this.camera);
    let nearest = Infinity, hit = -1;
    const glass = new Set(this.fixed.filter((item) => item.glass).map((item) => item.part));
    for (const part of this.data.parts) {
      if (glass.has(part) || opacityOf(part) === 0) continue;
      const s = rayPart(this.data.surfaces[part.surface], part.scale, compose(this.poses[part.body], part), this.camera.position, far);
      if (s < nearest) {
        nearest = s;
        hit = part.body;
      }
    }
    return hit;
  }

  // The pair, joint or body under a place of the canvas, in pixels; nothing where there is none.
  choiceAt(x, y) {
    const {data} = this, at = (p) => {
      const q = new THREE.Vector3(...p).project(this.camera);
      return q.z > 1 ? Infinity : Math.hypot((q.x + 1) / 2 * this.canvas.clientWidth - x, (1 - q.y) / 2 * this.canvas.clientHeight - y);
    };
    let nearest = PICK_PIXELS, hit = null;
    const offer = (place, choice) => {
      const distance = at(place);
      if (distance >= nearest) return;
      nearest = distance;
      hit = choice;
    };
    for (const [part, rows, places] of [[this.contacts, data.contacts, "point"], [this.patches, data.patches, "centroid"]]) {
      if (!rows || !part.visible) continue;
      for (const i of part.rows || []) offer(vectorAt(rows[places], i), new Choice("pair", rows.bodies[2 * i], rows.bodies[2 * i + 1]));
    }
    if (this.frames.visible) data.joints.forEach((joint, row) => offer(this.frames.jointPose(joint, this.poses).position.toArray(), new Choice("joint", row)));
    const body = hit ? -1 : this.bodyAt(x, y);
    return hit || (body >= 0 ? new Choice("body", body) : new Choice());
  }

  // Depths are the finer, the farther away the nearest of them is.
  setNear() {
    this.camera.near = Math.max(0.01 * this.framing.radius, 0.02 * this.camera.position.distanceTo(this.controls.target));
    this.camera.updateProjectionMatrix();
  }

  // Pixels of a metre at the target.
  get pixelsPerMetre() {
    const distance = this.camera.position.distanceTo(this.controls.target);
    return this.canvas.clientHeight / (2 * distance * Math.tan(this.camera.fov * Math.PI / 360));
  }

  draw() {
    if (this.cameraMoved) {
      this.setNear();
      for (const item of this.fixed) item.setGlass(this.camera.position, this.framing.points);
      this.cameraMoved = false;
    }
    if (this.shownScale !== this.viewScale) {
      this.shownScale = this.viewScale;
      this.showForces();
    }
    this.patches.fadeEdges(this.pixelsPerMetre);
    this.renderer.render(this.scene, this.camera);
    this.compass.draw(this.camera);
    this.frames.draw(this.camera, this.canvas.clientWidth, this.canvas.clientHeight);
    this.dirty = false;
  }
}
