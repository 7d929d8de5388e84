// What the arrows stand for, at their present length.

function showLegend(target, data, stage, theme) {
  const {contacts, patches} = stage, lines = [];
  const bar = (color, width) => `<b style="width: ${width.toFixed(0)}px; background: ${color}"></b>`;
  // An arrow of about 60 pixels, and what it stands for.
  const arrow = (color, metresPerUnit, unit, what) => {
    const pixels = metresPerUnit * stage.pixelsPerMetre, round = niceNumber(60 / pixels);
    return `${bar(color, round * pixels)}${shown(round)} ${unit} ${what}`;
  };
  const body = stage.choice.kind === "body" ? "the selected body" : "the body later in the scene", showsPoints = data.contacts && contacts.visible;
  if (showsPoints) lines.push(arrow(STICK_COLOR, contacts.metresPerNewton, "N", `force of a contact on ${body}`));
  if (showsPoints) lines.push(`${bar(STICK_COLOR, 12)}slip within the tolerance &nbsp; ${bar(theme.colors.slip, 12)}beyond`);
  if (data.patches && patches.visible) {
    if (!showsPoints) lines.push(arrow(PATCH_COLOR, patches.metresPerNewton, "N", `force of a patch on ${body}`));
    lines.push(arrow(theme.colors.moment, patches.metresPerNewtonMetre, "N m", "moment of a patch about its centroid"));
  }
  if (data.forces) lines.push(arrow(FORCE_COLOR, stage.links.metresPerNewton, "N", "applied"));
  if (data.links.length > 0) lines.push(`${bar(LINK_COLOR, 12)}constraint`);
  if (stage.frames.visible) lines.push(`${AXIS_COLORS.map((color) => bar(color, 12)).join("")}axes x, y, z of bodies and joints`);
  if (data.frames.asleep.length > 0) lines.push("pale: asleep");
  if (stage.hasGrid) lines.push(`grid ${shown(stage.framing.grid)} m`);
  target.innerHTML = lines.join("<br>");
  if (!data.overlay) return;
  const line = document.createElement("span");
  line.innerHTML = `<br>${bar("#" + OVERLAY_COLOR.getHexString(), 12)}`;
  line.append(`${data.overlay.file}, dashed in the plots`);
  target.append(line);
}
