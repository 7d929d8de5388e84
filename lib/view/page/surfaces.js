// Bodies as three.js meshes: one instanced mesh per surface for all that moves, a mesh of its own for every fixed part.

const BACKGROUND = {value: new THREE.Color()};   // shared by all shaders; the theme sets it and the next two
const FIXED_COLOR = new THREE.Color(), GROUND_COLOR = new THREE.Color();
const PALETTE = [0x4a8fdc, 0xf0923a, 0x55b56c, 0xdc5f5f, 0x9478cf, 0x36b3ae, 0xe6bf3f, 0xb87a5c, 0xd984bd, 0x8497ae];
const CHOSEN_COLOR = 0xffd83d, ASLEEP_DIMMING = 0.6;

function bodyColor(body) {
  return new THREE.Color(body.moves ? PALETTE[body.row % PALETTE.length] : FIXED_COLOR);
}

// What the scene says of a part, else the colour of its body.
function partColor(part, data) {
  return part.color ? new THREE.Color(...part.color.slice(0, 3)) : bodyColor(data.bodies[part.body]);
}

const opacityOf = (part) => part.color ? part.color[3] : 1;

// A material of that opacity; translucent ones hide nothing.
function setOpacity(material, opacity) {
  material.transparent = opacity < 1;
  material.opacity = opacity;
  material.depthWrite = opacity === 1;
  material.needsUpdate = true;
}

// Of coplanar faces that of the first part is seen: graphics cards round corners to places within a pixel, and the faces would flicker. A
// part lies a little behind those before it, by parts of a pixel, so that none is seen to be elsewhere; after some it begins again. Floors
// lie behind all parts, and a second result behind the first.
const DEPTH_LEVELS = 8, FLOOR_LEVEL = DEPTH_LEVELS, OVERLAY_LEVEL = DEPTH_LEVELS + 2;
const depthLevel = (part) => part.row % DEPTH_LEVELS;

function setDepthLevel(material, level) {
  Object.assign(material, {polygonOffset: true, polygonOffsetFactor: level / 4, polygonOffsetUnits: 4 * level});
}

// A part throws a shadow from this opacity on.
const SHADOW_OPACITY = 0.5;

function bufferGeometry(surface, Type) {
  const geometry = new Type();
  geometry.setAttribute("position", new THREE.BufferAttribute(surface.vertices, 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(surface.normals, 3));
  geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(surface.triangles), 1));
  return geometry;
}

// Changes of three.js's Phong and depth shaders:
//   instanced: scale, then rotation and translation of the instance;  colour of the instance
//   round:     alternate quarters about the z axis are darker, so that one sees it turn
//   grid:      lines every `grid` metres on the two axes across the normal
//   fade:      towards the background between 2.5 and 6 radii from the middle of the scene
const INSTANCE_POSE = `
attribute vec3 instancePosition, instanceScale, instanceColor;
attribute vec4 instanceQuaternion;
vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
`;

function patchShader(material, options, framing) {
  material.onBeforeCompile = (shader) => {
    let vertex = "varying vec3 vLocal, vLocalNormal, vPlace, vInstanceColor;\nuniform vec3 partScale;\n";
    let begin = "vec3 transformed = position * partScale;\nvLocal = transformed;\n", normal = "vec3 objectNormal = normal / partScale;\nvLocalNormal = normal;\n";
    if (options.instanced) {
      vertex += INSTANCE_POSE;
      begin = "vLocal = position * instanceScale;\nvec3 transformed = instancePosition + turned(instanceQuaternion, vLocal);\nvInstanceColor = instanceColor;\n";
      normal = "vec3 objectNormal = turned(instanceQuaternion, normal / instanceScale);\nvLocalNormal = normal;\n";
    }
    shader.vertexShader = vertex + shader.vertexShader
      .replace("#include <begin_vertex>", begin)
      .replace("#include <beginnormal_vertex>", normal)
      .replace("#include <project_vertex>", "#include <project_vertex>\nvPlace = (modelMatrix * vec4(transformed, 1.0)).xyz;\n");
    let color = options.instanced ? "diffuseColor.rgb = vInstanceColor;\n" : "";
    if (options.round) color += "if (vLocal.x * vLocal.y > 0.0) diffuseColor.rgb *= 0.78;\n";
    if (options.grid) {
      color += `
        vec3 size = abs(vLocalNormal);
        vec2 across = size.z > max(size.x, size.y) ? vLocal.xy : size.y > size.x ? vLocal.xz : vLocal.yz;
        vec2 place = across / gridSpacing, width = fwidth(place);
        vec2 line = 1.0 - smoothstep(vec2(0.0), width * 1.1, abs(fract(place - 0.5) - 0.5));
        // Lines closer than a few pixels would flicker.
        vec2 clear = 1.0 - smoothstep(0.15, 0.5, width);
        diffuseColor.rgb *= 1.0 - 0.2 * max(line.x * clear.x, line.y * clear.y);
      `;
    }
    const end = options.fade ? "gl_FragColor.rgb = mix(gl_FragColor.rgb, backgroundColor, smoothstep(2.5, 6.0, distance(vPlace, middle) / sceneRadius));\n" : "";
    shader.fragmentShader = "varying vec3 vLocal, vLocalNormal, vPlace, vInstanceColor;\nuniform vec3 middle, backgroundColor;\nuniform float gridSpacing, sceneRadius;\n" +
      shader.fragmentShader
        .replace("#include <color_fragment>", color)
        .replace("#include <dithering_fragment>", end);
    Object.assign(shader.uniforms, {
      partScale: {value: options.scale || new THREE.Vector3(1, 1, 1)},
      middle: {value: framing.target},
      sceneRadius: {value: framing.radius},
      gridSpacing: {value: framing.grid},
      backgroundColor: BACKGROUND,
    });
  };
  material.extensions = {derivatives: true};
  // three.js keeps programs by their material's parameters, among them the text of onBeforeCompile, which is the same for all.
  material.defines = {["VARIANT_" + Object.keys(options).filter((key) => options[key]).sort().join("_").toUpperCase()]: 1};
  return material;
}

// Moving parts with one surface, one opacity and one level of depth.
class MovingParts {
  constructor(surface, parts, data, framing) {
    this.parts = parts;
    this.data = data;
    const geometry = bufferGeometry(surface, THREE.InstancedBufferGeometry);
    const attribute = (name, size) => {
      const buffer = new THREE.InstancedBufferAttribute(new Float32Array(size * parts.length), size);
      geometry.setAttribute(name, buffer);
      return buffer;
    };
    this.position = attribute("instancePosition", 3);
    this.quaternion = attribute("instanceQuaternion", 4);
    this.color = attribute("instanceColor", 3);
    const scale = attribute("instanceScale", 3);
    parts.forEach((part, i) => scale.array.set(part.scale, 3 * i));
    const options = {instanced: true, round: surface.round};
    this.material = patchShader(new THREE.MeshPhongMaterial({shininess: 40, specular: 0x1c1c1c, side: THREE.DoubleSide, shadowSide: THREE.DoubleSide}), options, framing);
    setDepthLevel(this.material, depthLevel(parts[0]));
    this.mesh = new THREE.Mesh(geometry, this.material);
    this.mesh.frustumCulled = false;
    this.opacity = opacityOf(parts[0]);
    setOpacity(this.material, this.opacity);
    this.mesh.visible = this.opacity > 0;
    this.mesh.castShadow = this.opacity >= SHADOW_OPACITY;
    this.mesh.receiveShadow = true;
    this.mesh.customDepthMaterial = patchShader(new THREE.MeshDepthMaterial({depthPacking: THREE.RGBADepthPacking}), {instanced: true}, framing);
  }

  setPoses(poses) {
    this.parts.forEach((part, i) => {
      const pose = compose(poses[part.body], part);
      pose.position.toArray(this.position.array, 3 * i);
      pose.quaternion.toArray(this.quaternion.array, 4 * i);
    });
    this.position.needsUpdate = this.quaternion.needsUpdate = true;
  }

  // In the parts' own colours, dimmed while their body sleeps in frame f; what is chosen is yellow.
  setColors(choice, f) {
    this.paint((part) => {
      const color = partColor(part, this.data);
      if (isAsleep(this.data, this.data.bodies[part.body], f)) color.lerp(BACKGROUND.value, ASLEEP_DIMMING);
      return choice.marks(part.body) ? color.lerp(new THREE.Color(CHOSEN_COLOR), 0.75) : color;
    });
  }

  paint(colorOf) {
    this.parts.forEach((part, i) => colorOf(part).toArray(this.color.array, 3 * i));
    this.color.needsUpdate = true;
  }
}

function place(object, pose) {
  object.position.copy(pose.position);
  object.quaternion.copy(pose.quaternion);
}

// A part that never moves: drawn as glass while it stands between the camera and what moves.
class FixedPart {
  constructor(surface, part, data, framing) {
    this.part = part;
    const scale = new THREE.Vector3(...part.scale);
    const geometry = bufferGeometry(surface, THREE.BufferGeometry);
    geometry.computeBoundingSphere();
    const large = this.large = geometry.boundingSphere.radius * Math.max(...part.scale) > 3 * framing.radius;
    this.material = patchShader(new THREE.MeshPhongMaterial({color: partColor(part, data), shininess: 10, specular: 0x0a0a0a, side: THREE.DoubleSide}),
      {fade: true, grid: large, scale}, framing);
    setDepthLevel(this.material, depthLevel(part));
    this.mesh = new THREE.Mesh(geometry, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.receiveShadow = true;
    this.opacity = opacityOf(part);
    setOpacity(this.material, this.opacity);
    this.mesh.visible = this.opacity > 0;
    this.mesh.castShadow = !large && this.opacity >= SHADOW_OPACITY;
    this.mesh.customDepthMaterial = patchShader(new THREE.MeshDepthMaterial({depthPacking: THREE.RGBADepthPacking}), {scale}, framing);
    this.pose = compose(data.bodies[part.body], part);
    place(this.mesh, this.pose);
    this.surface = surface;
    this.casts = this.mesh.castShadow;
    this.glass = false;
  }

  // As hides() in framing.h: a fifth of the points lies behind it.
  setGlass(camera, points) {
    let hidden = 0;
    for (let i = 0; i < points.length; i += 3) {
      if (rayPart(this.surface, this.part.scale, this.pose, camera, new THREE.Vector3().fromArray(points, i)) < 0.999) ++hidden;
    }
    const glass = 15 * hidden > points.length;
    if (glass === this.glass) return;
    this.glass = glass;
    setOpacity(this.material, glass ? Math.min(0.16, this.opacity) : this.opacity);
    this.mesh.castShadow = this.casts && !glass;
  }
}

// Puts the disc of a half space under the middle of the scene; grid lines stay where the plane's own axes put them.
function placePlane(mesh, plane, body, framing) {
  const pose = compose(body, plane);
  const shift = framing.target.clone().sub(pose.position).applyQuaternion(pose.quaternion.clone().inverse());
  shift.divideScalar(framing.grid).round().multiplyScalar(framing.grid).setZ(0);
  place(mesh, compose(pose, {position: shift, quaternion: new THREE.Quaternion()}));
}

// The top of a half space as a disc that fades out.
function planeMesh(plane, data, framing) {
  const color = plane.color ? new THREE.Color(...plane.color.slice(0, 3)) : GROUND_COLOR;
  const material = patchShader(new THREE.MeshPhongMaterial({color, shininess: 0, specular: 0}), {fade: true, grid: true}, framing);
  setOpacity(material, opacityOf(plane));
  setDepthLevel(material, FLOOR_LEVEL);
  const mesh = new THREE.Mesh(new THREE.CircleBufferGeometry(6.5 * framing.radius, 96), material);
  placePlane(mesh, plane, data.bodies[plane.body], framing);
  mesh.receiveShadow = true;
  mesh.visible = opacityOf(plane) > 0;
  return mesh;
}

// How far along the way from `from` to `to` the line first meets a part; Infinity when it does not.
function rayPart(surface, scale, pose, from, to) {
  if (!surface.target) surface.target = new THREE.Mesh(bufferGeometry(surface, THREE.BufferGeometry), new THREE.MeshBasicMaterial({side: THREE.DoubleSide}));
  place(surface.target, pose);
  surface.target.scale.set(...scale);
  surface.target.updateMatrixWorld();
  const way = to.clone().sub(from), hits = [];
  surface.target.raycast(new THREE.Raycaster(from, way.clone().normalize()), hits);
  return Math.min(...hits.map((hit) => hit.distance)) / way.length();
}
