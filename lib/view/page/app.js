// Puts the page together. `#time=2.5` in its address starts it there, `#play` playing.

const element = (id) => document.getElementById(id);

function fillHeading(data) {
  element("name").textContent = data.name;
  const outcome = element("outcome"), frames = data.frames.time;
  outcome.textContent = data.status === "complete" ? `${shown(frames[frames.length - 1] - frames[0], 4)} s · csim ${data.version}` : `${data.status}${data.message ? ": " + data.message : ""}`;
  outcome.classList.toggle("bad", data.status === "failed");
  for (const note of data.notes) {
    const line = document.createElement("span");
    line.textContent = note;
    element("notes").append(line);
  }
}

class App {
  constructor() {
    const data = this.data = loadData();
    fillHeading(data);
    this.stage = new Stage(element("view"), data);
    this.player = new Player(data.frames.time, (f, u, t) => this.show(f, u, t));
    const range = [data.frames.time[0], this.player.end];
    element("plots").classList.toggle("many", data.plots.length > 4);
    this.plots = data.plots.map((plot) => new Plot(element("plots"), plot, range, (t) => this.seek(t)));
    element("pair").addEventListener("change", () => this.showPair(range));
    this.listPairs = () => this.addPairs(range);
    this.addBodyList();
    this.listPairs();
    this.addControls();
    this.addKeys();
    this.addMouse();
    window.addEventListener("resize", () => this.resize());
    const start = new URLSearchParams(location.hash.slice(1));
    this.player.seek(start.has("time") ? Number(start.get("time")) || 0 : range[0]);
    if (start.has("play")) this.setPlaying(true);
    const loop = (now) => {
      this.player.tick(now);
      if (!this.player.playing) this.markPlaying(false);
      if (this.stage.dirty) {
        this.stage.draw();
        this.showLegend();
        document.body.dataset.drawn = String(Number(document.body.dataset.drawn || 0) + 1);
      }
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
  }

  show(f, u, t) {
    this.stage.setTime(f, u);
    element("slider").value = this.stage.frame;
    element("time").textContent = `t = ${t.toFixed(this.decimals)} s`;
    document.body.dataset.time = String(t);
    for (const plot of this.plots) plot.show(t);
    this.showBody();
  }

  seek(t) {
    this.setPlaying(false);
    this.player.seek(t);
  }

  resize() {
    this.stage.resize();
    for (const plot of this.plots) {
      plot.base = null;
      plot.show(this.player.t);
    }
  }

  // ------------------------------------------------------------------------------------------ controls

  addControls() {
    const time = this.data.frames.time, slider = element("slider");
    const spacing = time.length > 1 ? (this.player.end - time[0]) / (time.length - 1) : 1;
    this.decimals = Math.min(6, Math.max(2, Math.ceil(-Math.log10(spacing))));
    slider.max = time.length - 1;
    slider.addEventListener("input", () => {
      this.setPlaying(false);
      this.player.goTo(Number(slider.value));
    });
    element("play").addEventListener("click", () => this.setPlaying(!this.player.playing));
    for (const speed of SPEEDS) element("speed").append(new Option(speed + "×", speed));
    element("speed").addEventListener("change", (event) => { this.player.speed = Number(event.target.value); });
    this.setSpeed(1);
    for (const kind of ["contacts", "patches"]) {
      element(kind).addEventListener("change", () => this.setVisible(kind, element(kind).checked));
      element(kind + "-label").hidden = !this.data[kind];
    }
    element("scale").addEventListener("input", (event) => {
      this.stage.contacts.scale = this.stage.patches.scale = Math.pow(10, Number(event.target.value));
      this.stage.showForces();
    });
    element("scale-label").hidden = !this.data.contacts && !this.data.patches;
    element("see-through").addEventListener("change", (event) => this.stage.seeThrough(event.target.checked));
    element("home").addEventListener("click", () => this.resetView());
    element("help-button").addEventListener("click", () => { element("help").hidden = !element("help").hidden; });
    // Patches lie inside the bodies.
    if (this.stage.patches.hasPolygons) {
      element("see-through").checked = true;
      this.stage.seeThrough(true);
      fillColorBar(element("color-bar"), this.data.patches.bar);
    }
  }

  setPlaying(on) {
    if (on) this.player.play();
    else if (this.player.playing) this.player.pause();
    this.markPlaying(this.player.playing);
  }

  markPlaying(on) {
    element("play").classList.toggle("playing", on);
    element("play").setAttribute("aria-label", on ? "Pause" : "Play");
  }

  setSpeed(speed) {
    this.player.speed = speed;
    element("speed").value = String(speed);
  }

  // Of "contacts" and "patches".
  setVisible(kind, on) {
    element(kind).checked = on;
    this.stage[kind].visible = on;
    this.stage.showForces();
    if (kind === "patches") element("color-bar").hidden = !on || !this.stage.patches.hasPolygons;
  }

  resetView() {
    this.stage.follow(-1);
    this.stage.resetView();
  }

  addKeys() {
    const faster = (by) => this.setSpeed(SPEEDS[Math.min(Math.max(SPEEDS.indexOf(this.player.speed) + by, 0), SPEEDS.length - 1)]);
    const step = (by) => {
      this.setPlaying(false);
      this.player.goTo(this.player.frame + by);
    };
    const actions = {
      " ": () => this.setPlaying(!this.player.playing),
      ArrowLeft: () => step(-1),
      ArrowRight: () => step(1),
      Home: () => step(-Infinity),
      End: () => step(Infinity),
      ArrowUp: () => faster(1),
      ArrowDown: () => faster(-1),
      c: () => this.setVisible("contacts", !element("contacts").checked),
      p: () => this.setVisible("patches", !element("patches").checked),
      x: () => element("see-through").click(),
      r: () => this.resetView(),
      Escape: () => this.choose(-1),
    };
    window.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.target.id === "filter" || !actions[event.key]) return;
      event.preventDefault();
      actions[event.key]();
    });
  }

  addMouse() {
    const canvas = element("view");
    let down = null;
    canvas.addEventListener("pointerdown", (event) => { down = event; }, true);
    canvas.addEventListener("pointerup", (event) => {
      if (!down || Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > 4 || event.button !== 0) return;
      this.choose(this.stage.bodyAt(event.offsetX, event.offsetY));
    });
    canvas.addEventListener("dblclick", () => { if (this.stage.chosen >= 0) this.stage.follow(this.stage.chosen); });
  }

  // -------------------------------------------------------------------------------------------- bodies

  addBodyList() {
    const list = element("body-list");
    element("body-count").textContent = String(this.data.bodies.length);
    this.rows = this.data.bodies.map((body) => {
      const row = document.createElement("li"), mark = document.createElement("i"), kind = document.createElement("small");
      mark.style.background = "#" + bodyColor(body).getHexString();
      kind.textContent = body.moves ? "" : "fixed";
      row.append(mark, body.name, kind);
      row.addEventListener("click", () => this.choose(this.stage.chosen === body.index ? -1 : body.index));
      row.addEventListener("dblclick", () => {
        this.choose(body.index);
        this.stage.follow(body.index);
      });
      list.append(row);
      return row;
    });
    element("filter").addEventListener("input", (event) => {
      this.rows.forEach((row, i) => { row.hidden = !this.data.bodies[i].name.includes(event.target.value); });
    });
    element("filter").hidden = this.data.bodies.length < 10;
  }

  // Those of the chosen body, or all.
  addPairs(range) {
    const body = this.stage.chosen, list = element("pair"), names = this.data.bodies.map(({name}) => name);
    list.replaceChildren(new Option("two bodies …", ""));
    this.data.pairs.forEach(({bodies: [a, b]}, i) => {
      if (body < 0 || a === body || b === body) list.append(new Option(`${names[a]} and ${names[b]}`, i, false, i === this.pair));
    });
    element("pair-label").hidden = this.data.pairs.length === 0;
    this.showPair(range);
  }

  showPair(range) {
    const value = element("pair").value;
    if (this.pairPlot) {
      this.pairPlot.box.remove();
      this.plots.splice(this.plots.indexOf(this.pairPlot), 1);
    }
    this.pair = value === "" ? -1 : Number(value);
    this.pairPlot = null;
    if (this.pair < 0) return;
    this.pairPlot = new Plot(element("plots"), pairPlot(this.data.pairs[this.pair], this.data.rowTimes), range, (t) => this.seek(t));
    element("pair-label").after(this.pairPlot.box);
    this.plots.push(this.pairPlot);
    this.pairPlot.show(this.player.t);
  }

  choose(body) {
    if (this.stage.chosen >= 0) this.rows[this.stage.chosen].classList.remove("chosen");
    if (body < 0 || (this.stage.followed >= 0 && this.stage.followed !== body)) this.stage.follow(-1);
    this.stage.choose(body);
    if (body >= 0) {
      this.rows[body].classList.add("chosen");
      this.rows[body].scrollIntoView({block: "nearest"});
    }
    this.listPairs();
    this.showBody();
  }

  showBody() {
    const body = this.stage.chosen;
    if (body < 0) {
      element("body-state").textContent = "Click a body to select it; double click to follow it.";
      return;
    }
    const p = this.stage.poses[body].position.toArray().map((x) => x.toFixed(4)).join(", ");
    const counts = ["contacts", "patches"].filter((kind) => this.data[kind]).map((kind) => `${this.stage[kind].count} ${kind}`);
    const touching = counts.length > 0 ? counts.join(" and ") + " act on it" : "contacts are not shown";
    element("body-state").innerHTML = `<b></b><br>origin (${p}) m<br>${touching}`;
    element("body-state").firstChild.textContent = this.data.bodies[body].name;
  }

  showLegend() {
    const {contacts, patches} = this.stage, lines = [];
    const bar = (color, width) => `<b style="width: ${width.toFixed(0)}px; background: ${color}"></b>`;
    // An arrow of about 60 pixels, and what it stands for.
    const arrow = (color, metresPerUnit, unit, what) => {
      const pixels = metresPerUnit * this.stage.pixelsPerMetre, round = niceNumber(60 / pixels);
      return `${bar(color, round * pixels)}${shown(round)} ${unit} ${what}`;
    };
    const body = this.stage.chosen >= 0 ? "selected" : "second", showsPoints = this.data.contacts && contacts.visible;
    if (showsPoints) lines.push(arrow(STICK_COLOR, contacts.metresPerNewton, "N", `on the ${body} body of a contact`));
    if (showsPoints) lines.push(`${bar(STICK_COLOR, 12)}slip within the tolerance &nbsp; ${bar(SLIP_COLOR, 12)}beyond`);
    if (this.data.patches && patches.visible) {
      if (!showsPoints) lines.push(arrow(PATCH_COLOR, patches.metresPerNewton, "N", `on the ${body} body of a patch`));
      lines.push(arrow(MOMENT_COLOR, patches.metresPerNewtonMetre, "N m", "moment of a patch about its centroid"));
    }
    if (this.stage.hasGrid) lines.push(`grid ${shown(this.stage.framing.grid)} m`);
    element("legend").innerHTML = lines.join("<br>");
  }
}

try {
  window.app = new App();
  document.body.dataset.ready = "yes";
} catch (error) {
  element("fault").hidden = false;
  element("fault").textContent = "The scene cannot be drawn: " + error.message;
  console.error(error);
}
