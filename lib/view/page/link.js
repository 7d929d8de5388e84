// The page's address says what is shown: behind its #, as in #time=0.5&body=ball. Opening it shows that again.

// What a list of names may hold.
const encodeNames = (names) => names.map(encodeURIComponent).join(",");
function decodeNames(text) {
  try {
    return text.split(",").filter(Boolean).map(decodeURIComponent);
  } catch (error) {
    return [];   // half of a letter
  }
}

const LINK_BOXES = ["contacts", "patches", "frames", "see-through", "overlay"];
const LINK_KEYS = ["time", "camera", "body", "pair", "joint", "actuator", "follow", "trace", ...LINK_BOXES, "arrows", "speed", "theme", "play"];

class Link {
  constructor(app) {
    this.app = app;
    this.camera = null;   // of the first view
    this.hash = location.hash;   // as it was read or written last: another one was put there by hand
    window.addEventListener("hashchange", () => { if (location.hash !== this.hash) this.read(); });
  }

  // The text behind the #.
  text() {
    const {app} = this, {stage, data} = app, {choice} = stage, parts = [];
    const say = (key, value) => parts.push(value === undefined ? key : `${key}=${value}`);
    if (app.player.t !== data.frames.time[0]) say("time", Number(app.player.t.toPrecision(9)));
    const camera = this.cameraText();
    if (camera !== this.camera) say("camera", camera);
    const names = choice.kind === "body" || choice.kind === "pair" ? choice.rows.map((row) => data.bodies[row].name)
      : choice.kind === "joint" ? choice.rows.map((row) => data.joints[row].name)
      : choice.rows.map((row) => itemOf(data, choice.kind, row).name);
    if (choice.kind !== "nothing") say(choice.kind, encodeNames(names));
    if (stage.followed >= 0) say("follow", encodeNames([data.bodies[stage.followed].name]));
    if (stage.traces.bodies.length > 0) say("trace", encodeNames(stage.traces.bodies.map((body) => data.bodies[body].name)));
    for (const id of LINK_BOXES) {
      const box = element(id);
      if (box.checked !== box.defaultChecked) say(id, box.checked ? "on" : "off");
    }
    if (element("scale").value !== "0") say("arrows", element("scale").value);
    if (app.player.speed !== 1) say("speed", app.player.speed);
    if (app.theme.wanted !== "system") say("theme", app.theme.wanted);
    return parts.join("&");
  }

  // Where the camera is and what it looks at, m.
  cameraText() {
    const {camera, controls} = this.app.stage;
    return [...camera.position.toArray(), ...controls.target.toArray()].map((x) => Number(x.toPrecision(6))).join(",");
  }

  // Shows what the address says; what it does not name is as at first, what is not understood is said.
  read() {
    const {app} = this, {stage, data} = app, wrong = [];
    this.hash = location.hash;
    const state = new Map(location.hash.slice(1).split("&").filter(Boolean).map((part) => {
      const at = part.indexOf("=");
      return at < 0 ? [part, ""] : [part.slice(0, at), part.slice(at + 1)];
    }));
    // The value of a key that is there and good; else what holds without it.
    const value = (key, take, otherwise) => {
      if (!state.has(key)) return otherwise;
      const taken = take(state.get(key));
      if (taken !== null) return taken;
      wrong.push(`${key}=${state.get(key)}`);
      return otherwise;
    };
    const number = (text) => text !== "" && Number.isFinite(Number(text)) ? Number(text) : null;
    const oneOf = (list) => (text) => list.includes(text) ? text : null;
    const bodies = (least, most) => (text) => {
      const rows = decodeNames(text).map((name) => data.bodies.findIndex((body) => body.name === name));
      return rows.length >= least && rows.length <= most && !rows.includes(-1) ? rows : null;
    };
    const camera = (text) => {
      const numbers = text.split(",").map(number);
      return numbers.length === 6 && !numbers.includes(null) ? numbers : null;
    };
    for (const key of state.keys()) if (!LINK_KEYS.includes(key)) wrong.push(key);
    app.theme.set(value("theme", oneOf(["light", "dark"]), "system"));
    for (const id of LINK_BOXES) {
      const box = element(id), wanted = value(id, oneOf(["on", "off"]), box.defaultChecked ? "on" : "off") === "on";
      if (box.checked !== wanted) box.click();
    }
    element("scale").value = String(value("arrows", number, 0));
    element("scale").dispatchEvent(new Event("input"));
    app.setSpeed(value("speed", (text) => SPEEDS.includes(number(text)) ? number(text) : null, 1));
    app.player.seek(value("time", number, data.frames.time[0]));
    for (const body of stage.traces.bodies) stage.traces.set(body, false);
    for (const body of value("trace", bodies(1, Infinity), [])) stage.traces.set(body, true);
    app.choose(this.readChoice(value, bodies));
    stage.follow(-1);
    const view = value("camera", camera, null), [followed] = value("follow", bodies(1, 1), []);
    if (view) stage.look(view.slice(0, 3), view.slice(3));
    else stage.resetView();
    if (followed !== undefined) stage.follow(followed, view !== null);
    stage.traces.show(stage.frame);
    element("link-note").textContent = wrong.length > 0 ? `not understood in the address of this page: ${wrong.join(", ")}` : "";
    if (state.has("play")) app.setPlaying(true);
  }

  readChoice(value, bodies) {
    const {data} = this.app, one = (list, name) => list.findIndex((item) => item.name === name);
    const joint = value("joint", (text) => one(data.joints, decodeNames(text)[0]) >= 0 ? one(data.joints, decodeNames(text)[0]) : null, null);
    const actuators = data.columns.items.filter(({kind}) => kind === "actuator");
    const actuator = value("actuator", (text) => actuators.find(({name}) => name === decodeNames(text)[0]) || null, null);
    const pair = value("pair", bodies(2, 2), null), body = value("body", bodies(1, 1), null);
    if (pair) return new Choice("pair", ...pair);
    if (body) return new Choice("body", ...body);
    if (joint !== null) return new Choice("joint", joint);
    return actuator ? new Choice("actuator", actuator.row) : new Choice();
  }

  // Writes the address, a moment after the last change and not while it plays.
  write() {
    if (location.protocol === "about:") return;   // shown inside another page, as of a notebook: without an address of its own
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), 150);
  }

  // An address that was put there by hand stays: `hashchange`, which is on its way, reads it.
  save() {
    if (this.app.player.playing || location.hash !== this.hash) return;
    const text = this.text(), hash = text ? "#" + text : "";
    if (hash !== location.hash) history.replaceState(null, "", hash || location.pathname + location.search);
    this.hash = location.hash;
  }
}
