// Light or dark: as the system prefers, or as the switch says.

const THEMES = {
  light: {background: 0xeef1f4, fixed: 0xd3d7dc, ground: 0xe2e6ea, moment: "#3b2fa0", slip: "#b5179e", overlay: 0x31456e},
  dark: {background: 0x171b20, fixed: 0x6d7681, ground: 0x3a414a, moment: "#a99bff", slip: "#f05cd8", overlay: 0x9db7ee},
};

class Theme {
  constructor(changed) {
    this.wanted = "system";
    this.system = window.matchMedia("(prefers-color-scheme: dark)");
    this.changed = changed;
    this.system.addEventListener("change", () => this.apply());
    this.mark();
  }

  get name() { return this.wanted === "system" ? (this.system.matches ? "dark" : "light") : this.wanted; }

  get colors() { return THEMES[this.name]; }

  // "light", "dark", or "system".
  set(wanted) {
    this.wanted = wanted in THEMES ? wanted : "system";
    this.apply();
  }

  // To the other one; to the system's where that is the same.
  toggle() {
    const other = this.name === "dark" ? "light" : "dark";
    this.set(other === (this.system.matches ? "dark" : "light") ? "system" : other);
  }

  mark() { document.documentElement.dataset.theme = this.name; }

  apply() {
    this.mark();
    this.changed();
  }
}

// A colour of the style sheet.
function styleColor(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
