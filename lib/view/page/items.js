// The list of bodies, joints and actuators, and what is said of the chosen one.

class ItemList {
  constructor(data, choose, follow) {
    this.data = data;
    this.rows = [];   // {choice, name, row}
    element("body-count").textContent = String(data.bodies.length);
    for (const body of data.bodies) {
      const part = paintedPart(data, body);
      const row = this.add(new Choice("body", body.index), body.name, !body.moves ? "fixed" : data.beforeRunning ? `${shown(body.mass, 4)} kg` : "", choose);
      row.firstChild.dataset.color = part ? partColor(part, data).getHexString() : body.moves ? bodyColor(body).getHexString() : "";
      row.addEventListener("dblclick", () => follow(body.index));
    }
    data.joints.forEach((joint, row) => this.add(new Choice("joint", row), joint.name, joint.type, choose));
    for (const {kind, name, row} of data.columns.items) if (kind === "actuator") this.add(new Choice(kind, row), name, kind, choose);
    element("filter").addEventListener("input", (event) => {
      for (const {name, row} of this.rows) row.hidden = !name.includes(event.target.value);
    });
    element("filter").hidden = this.rows.length < 10;
    this.paint();
  }

  add(choice, name, note, choose) {
    const row = document.createElement("li"), mark = document.createElement("i"), kind = document.createElement("small");
    kind.textContent = note;
    mark.className = choice.kind;
    row.append(mark, name, kind);
    row.addEventListener("click", (event) => choose(choice, event.shiftKey));
    element("body-list").append(row);
    this.rows.push({choice, name, row});
    return row;
  }

  // The marks: what has no colour of its own has that of fixed bodies.
  paint() {
    for (const {choice, row} of this.rows) {
      const color = row.firstChild.dataset.color || FIXED_COLOR.getHexString();
      if (choice.kind === "body") row.firstChild.style.background = "#" + color;
    }
  }

  show(choice) {
    let first = null;
    for (const item of this.rows) {
      const on = item.choice.kind === "body" ? choice.marks(item.choice.rows[0]) : item.choice.is(choice.kind, ...choice.rows);
      item.row.classList.toggle("chosen", on);
      if (on && !first) first = item.row;
    }
    if (first) first.scrollIntoView({block: "nearest"});
  }
}

// A part of a body to which the scene gives a colour; undefined where there is none.
function paintedPart(data, body) {
  return [...data.parts, ...data.planes].find((part) => part.body === body.index && part.color);
}

// A few lines about the choice at the present time.
function describeChoice(data, stage, choice) {
  const places = (v) => v.map((x) => x.toFixed(4)).join(", ");
  if (choice.kind === "body") {
    const body = data.bodies[choice.body];
    const counts = [["contact", "contacts"], ["patch", "patches"]].filter(([, many]) => data[many]).map(([one, many]) => counted(stage[many].count, one, many));
    return [body.name, `origin (${places(stage.poses[choice.body].position.toArray())}) m${body.mass > 0 ? ` · ${shown(body.mass, 4)} kg` : ""}`,
            (isAsleep(data, body, stage.frame) ? "asleep; " : "") + (counts.length > 0 ? `acted on by ${counts.join(" and ")}` : "contacts are not shown")];
  }
  if (choice.kind === "pair") {
    const [a, b] = choice.rows.map((row) => data.bodies[row].name), pair = pairOf(data, ...choice.rows);
    return [`${a} and ${b}`, pair ? `they touched in ${pair.row.length} of ${counted(data.rowTimes.length, "row")}` : "they never touched"];
  }
  if (choice.kind === "joint") {
    const {name, type, parent, child} = data.joints[choice.rows[0]];
    return [name, `${type} joint of ${data.bodies[child].name} on ${parent < 0 ? "the world" : data.bodies[parent].name}`];
  }
  if (choice.kind === "actuator") return [itemOf(data, choice.kind, choice.rows[0]).name, "actuator"];
  return ["", "Click a body, contact or joint to select it, shift and click for a second body; double click to follow."];
}
