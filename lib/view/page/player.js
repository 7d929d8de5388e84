// Time: playing, pausing, seeking. Between frames only while it plays; a pause stands on a frame.

const SPEEDS = [0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];

class Player {
  constructor(time, show) {
    this.time = time;
    this.show = show;     // (frame, fraction to the next, time)
    this.t = time[0];
    this.playing = false;
    this.speed = 1;
  }

  get end() { return this.time[this.time.length - 1]; }

  get frame() { return lastAt(this.time, this.t); }

  // Goes to the nearest frame.
  seek(t) {
    const f = lastAt(this.time, t), next = Math.min(f + 1, this.time.length - 1);
    this.goTo(t - this.time[f] > this.time[next] - t ? next : f);
  }

  goTo(frame) {
    const f = Math.min(Math.max(frame, 0), this.time.length - 1);
    this.t = this.time[f];
    this.show(f, 0, this.t);
  }

  play() {
    if (this.time.length < 2) return;
    if (this.t >= this.end) this.t = this.time[0];
    this.playing = true;
    this.last = performance.now();
  }

  pause() {
    this.playing = false;
    this.seek(this.t);
  }

  // Called at every redraw of the screen.
  tick(now) {
    if (!this.playing) return;
    this.t = Math.min(this.t + this.speed * Math.max(0, now - this.last) / 1000, this.end);
    this.last = now;
    const f = this.frame, span = f + 1 < this.time.length ? this.time[f + 1] - this.time[f] : 0;
    this.show(f, span > 0 ? (this.t - this.time[f]) / span : 0, this.t);
    if (this.t >= this.end) this.pause();
  }
}
