// What is chosen: nothing, a body, two bodies (a pair), a joint or an actuator.

class Choice {
  // `rows`: the body's row; those of the pair; that of the joint or actuator among its kind.
  constructor(kind = "nothing", ...rows) {
    this.kind = kind;
    this.rows = rows;
  }

  get body() { return this.kind === "body" ? this.rows[0] : -1; }

  get joint() { return this.kind === "joint" ? this.rows[0] : -1; }

  // Whether a body is drawn in the colour of what is chosen.
  marks(body) { return (this.kind === "body" || this.kind === "pair") && this.rows.includes(body); }

  // Whether what acts between two bodies is shown.
  has(a, b) {
    if (this.kind === "body") return this.body === a || this.body === b;
    if (this.kind === "pair") return this.rows.includes(a) && this.rows.includes(b);
    return true;
  }

  is(kind, ...rows) { return this.kind === kind && this.rows.length === rows.length && rows.every((row) => this.rows.includes(row)); }
}
