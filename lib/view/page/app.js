// Puts the page together.

const element = (id) => document.getElementById(id);

function fillHeading(data) {
  element("name").textContent = data.name;
  const outcome = element("outcome"), frames = data.frames.time;
  if (data.beforeRunning) outcome.textContent = `before it runs · csim ${data.version}`;
  else if (data.status === "complete") outcome.textContent = `${shown(frames[frames.length - 1] - frames[0], 4)} s · csim ${data.version}`;
  else outcome.textContent = `${data.status}${data.message ? ": " + data.message : ""}`;
  outcome.classList.toggle("bad", data.status === "failed");
  const overlaps = data.overlaps.slice(0, 5).map(({a, b, depth}) => `${a} and ${b} overlap by ${shown(depth)} m`);
  if (data.overlaps.length > 5) overlaps.push(`${counted(data.overlaps.length - 5, "more overlap")}, less deep`);
  const mass = data.moving.reduce((sum, body) => sum + body.mass, 0), masses = `${counted(data.moving.length, "body moves", "bodies move")}, ${shown(mass, 4)} kg in all`;
  for (const [kind, notes] of [["", data.beforeRunning ? [masses] : []], ["overlap", overlaps], ["", data.notes]]) {
    for (const note of notes) {
      const line = document.createElement("span");
      line.className = kind;
      line.textContent = note;
      element("notes").append(line);
    }
  }
}

class App {
  constructor() {
    const data = this.data = loadData();
    fillHeading(data);
    this.theme = new Theme(() => this.paintTheme());
    this.stage = new Stage(element("view"), data, this.theme);
    this.player = new Player(data.frames.time, (f, u, t) => this.show(f, u, t));
    this.range = [data.frames.time[0], this.player.end];
    // A scene at its start has no curves.
    const own = data.beforeRunning ? [] : data.plots, plots = data.overlay ? withOverlay(own, data.overlay.plots) : own;
    this.plots = plots.map((plot) => this.addPlot(element("all-plots"), plot));
    this.choicePlots = [];
    this.items = new ItemList(data, (choice, second) => this.chooseOrNot(choice, second), (body) => this.follow(body));
    addControls(this);
    addKeys(this);
    addMouse(this);
    window.addEventListener("resize", () => this.resize());
    this.link = new Link(this);
    this.player.seek(this.range[0]);
    this.choose(new Choice());
    this.link.camera = this.link.cameraText();
    this.link.read();
    const loop = (now) => {
      this.player.tick(now);
      if (!this.player.playing) this.markPlaying(false);
      if (this.stage.dirty) {
        this.stage.draw();
        showLegend(element("legend"), data, this.stage, this.theme);
        this.link.write();
        document.body.dataset.drawn = String(Number(document.body.dataset.drawn || 0) + 1);
      }
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
  }

  // At time t, a fraction u of the way from frame f to the next.
  show(f, u, t) {
    this.stage.setTime(f, u, t);
    element("slider").value = this.stage.frame;
    const phase = this.data.phases[this.data.frames.phase[this.stage.frame]];
    element("time").textContent = `t = ${t.toFixed(this.decimals)} s` + (phase ? ` · ${phase}` : "");
    document.body.dataset.time = String(t);
    for (const plot of [...this.choicePlots, ...this.plots]) plot.show(t);
    this.describe();
  }

  seek(t) {
    this.setPlaying(false);
    this.player.seek(t);
  }

  resize() {
    this.stage.resize();
    this.repaintPlots();
  }

  repaintPlots() {
    for (const plot of [...this.choicePlots, ...this.plots]) {
      plot.base = null;
      plot.show(this.player.t);
    }
  }

  paintTheme() {
    this.stage.setTheme();
    this.items.paint();
    this.repaintPlots();
  }

  setPlaying(on) {
    if (on) this.player.play();
    else if (this.player.playing) this.player.pause();
    this.markPlaying(this.player.playing);
  }

  markPlaying(on) {
    if (element("play").classList.contains("playing") && !on) this.link.write();
    element("play").classList.toggle("playing", on);
    element("play").setAttribute("aria-label", on ? "Pause" : "Play");
  }

  setSpeed(speed) {
    this.player.speed = speed;
    element("speed").value = String(speed);
  }

  resetView() {
    this.stage.follow(-1);
    this.stage.resetView();
    this.link.camera = this.link.cameraText();
  }

  // ------------------------------------------------------------------------------------------- choosing

  // A second click gives it up; with `second`, a body beside the one that is chosen: the pair of them.
  chooseOrNot(choice, second = false) {
    const {choice: before} = this.stage;
    if (second && choice.kind === "body" && before.kind === "body" && choice.body !== before.body) this.choose(new Choice("pair", before.body, choice.body));
    else this.choose(choice.is(before.kind, ...before.rows) ? new Choice() : choice);
  }

  choose(choice) {
    const {stage} = this;
    if (stage.followed >= 0 && stage.followed !== choice.body) stage.follow(-1);
    stage.choose(choice);
    this.listPairs();
    this.showChoicePlots();
    this.describe();
    this.items.show(choice);
  }

  follow(body) {
    this.choose(new Choice("body", body));
    this.stage.follow(body);
  }

  // The path of the chosen body.
  setTrace(on) {
    const {stage} = this;
    if (stage.choice.body < 0) return;
    stage.traces.set(stage.choice.body, on);
    stage.traces.show(stage.frame);
    stage.dirty = true;
    this.describe();
  }

  // Those of the chosen body, or all; that which is chosen in any case.
  listPairs() {
    const {choice} = this.stage, list = element("pair"), names = this.data.bodies.map(({name}) => name);
    list.replaceChildren(new Option("two bodies …", ""));
    this.data.pairs.forEach(({bodies: [a, b]}, i) => {
      if (choice.kind === "pair" || choice.has(a, b)) list.append(new Option(`${names[a]} and ${names[b]}`, i, false, choice.is("pair", a, b)));
    });
    element("pair-label").hidden = this.data.pairs.length === 0;
  }

  addPlot(parent, plot) { return new Plot(parent, plot, this.range, (t) => this.seek(t)); }

  showChoicePlots() {
    const {data, stage: {choice}} = this, parent = element("choice-plots"), other = data.overlay && choiceInOverlay(data, choice);
    parent.replaceChildren();
    let plots = choicePlots(data, choice);
    if (other) plots = withOverlay(plots, choicePlots(data.overlay, other));
    this.choicePlots = plots.map((plot) => this.addPlot(parent, plot));
    element("plots").classList.toggle("many", plots.length + this.plots.length > 4);
    this.repaintPlots();
    if (plots.length > 0) element("plots").scrollTop = 0;
  }

  describe() {
    const {data, stage} = this, [name, ...lines] = describeChoice(data, stage, stage.choice), bold = document.createElement("b");
    bold.textContent = name;
    element("body-state").replaceChildren(...name ? [bold] : [], ...lines.flatMap((line, i) => i > 0 || name ? [document.createElement("br"), line] : [line]));
    element("trace-label").hidden = stage.choice.body < 0 || !data.bodies[stage.choice.body].moves;
    element("trace").checked = stage.traces.has(stage.choice.body);
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
