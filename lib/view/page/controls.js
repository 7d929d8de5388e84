// Buttons, boxes, keys and the mouse.

function addControls(app) {
  const {data, stage, player} = app, time = data.frames.time, slider = element("slider");
  const spacing = time.length > 1 ? (player.end - time[0]) / (time.length - 1) : 1;
  app.decimals = Math.min(6, Math.max(2, Math.ceil(-Math.log10(spacing))));
  slider.max = time.length - 1;
  slider.addEventListener("input", () => {
    app.setPlaying(false);
    player.goTo(Number(slider.value));
  });
  element("play").addEventListener("click", () => app.setPlaying(!player.playing));
  for (const speed of SPEEDS) element("speed").append(new Option(speed + "×", speed));
  element("speed").addEventListener("change", (event) => app.setSpeed(Number(event.target.value)));
  app.setSpeed(1);
  const boxes = {
    contacts: [Boolean(data.contacts), true, (on) => { stage.contacts.visible = on; }],
    patches: [Boolean(data.patches), true, (on) => {
      stage.patches.visible = on;
      element("color-bar").hidden = !on || !stage.patches.hasPolygons;
    }],
    frames: [!stage.frames.isEmpty, data.beforeRunning, (on) => { stage.frames.visible = on; }],
    overlay: [Boolean(data.overlay), true, (on) => {
      stage.overlay.visible = on;
      stage.overlay.show(player.t);
    }],
    // Patches lie inside the bodies.
    "see-through": [true, stage.patches.hasPolygons, (on) => stage.seeThrough(on)],
  };
  for (const [id, [there, on, change]] of Object.entries(boxes)) {
    const box = element(id);
    box.checked = box.defaultChecked = on;
    element(id + "-label").hidden = !there;
    box.addEventListener("change", () => {
      change(box.checked);
      stage.showForces();
    });
  }
  if (stage.patches.hasPolygons) {
    stage.seeThrough(true);
    fillColorBar(element("color-bar"), data.patches.bar);
  }
  if (data.overlay) element("overlay-label").title = `${data.overlay.file}, translucent`;
  element("scale").addEventListener("input", (event) => {
    stage.contacts.scale = stage.patches.scale = stage.links.scale = Math.pow(10, Number(event.target.value));
    stage.showForces();
  });
  element("scale-label").hidden = !data.contacts && !data.patches && !data.forces;
  element("trace").addEventListener("change", (event) => app.setTrace(event.target.checked));
  element("pair").addEventListener("change", (event) => {
    const pair = data.pairs[event.target.value];
    app.choose(pair ? new Choice("pair", ...pair.bodies) : new Choice());
  });
  element("theme").addEventListener("click", () => app.theme.toggle());
  element("home").addEventListener("click", () => app.resetView());
  element("help-button").addEventListener("click", () => { element("help").hidden = !element("help").hidden; });
}

function addKeys(app) {
  const {player} = app;
  const faster = (by) => app.setSpeed(SPEEDS[Math.min(Math.max(SPEEDS.indexOf(player.speed) + by, 0), SPEEDS.length - 1)]);
  const step = (by) => {
    app.setPlaying(false);
    player.goTo(player.frame + by);
  };
  const click = (id) => () => { if (!element(id + "-label").hidden) element(id).click(); };
  const actions = {
    " ": () => app.setPlaying(!player.playing),
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    Home: () => step(-Infinity),
    End: () => step(Infinity),
    ArrowUp: () => faster(1),
    ArrowDown: () => faster(-1),
    c: click("contacts"),
    p: click("patches"),
    f: click("frames"),
    o: click("overlay"),
    x: click("see-through"),
    t: click("trace"),
    d: () => app.theme.toggle(),
    r: () => app.resetView(),
    Escape: () => app.choose(new Choice()),
  };
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.id === "filter" || !actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  });
}

function addMouse(app) {
  const canvas = element("view"), {stage} = app;
  let down = null;
  canvas.addEventListener("pointerdown", (event) => { down = event; }, true);
  canvas.addEventListener("pointerup", (event) => {
    if (!down || Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > 4 || event.button !== 0) return;
    const choice = stage.choiceAt(event.offsetX, event.offsetY);
    if (event.shiftKey) {
      if (choice.kind === "body") app.chooseOrNot(choice, true);
    } else app.choose(choice);
  });
  canvas.addEventListener("dblclick", () => { if (stage.choice.body >= 0) app.follow(stage.choice.body); });
}
