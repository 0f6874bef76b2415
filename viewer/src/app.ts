// What is shown, of which runs, at what time; the rest of the page listens to it and calls it.
import * as THREE from 'three';

import { Events } from './app_events';
import { advanced, commonSpan, frameAt, placeOf, type Span } from './clock';
import { FrameCache, framesAhead } from './frame_cache';
import { toFragment, type LinkState } from './link';
import type { Messages } from './messages';
import { Run } from './run';
import { checkFrame, type FieldFrame, type FieldHead, type Frame, type Session, type Source } from './source';
import { Stage } from './stage';

export const MOST_SHOWN = 4;
const FRAME_BYTES = 400e6;
const FIELD_BYTES = 160e6;

export class App extends Events {
  readonly runs: Run[];
  readonly stage: Stage;
  shown: Run[] = [];
  clock: Span = { rate: 1, count: 0 };
  /** Of the clock, in its frames; its whole part is what is shown. */
  place = 0;
  playing = false;
  following = false;
  /** Values seen so far of the field that colours. */
  seen: [number, number] | null = null;
  readonly dark = matchMedia('(prefers-color-scheme: dark)');
  private readonly frames: FrameCache<Frame>;
  private readonly fields: FrameCache<FieldFrame>;
  private frameBytes = 0;
  private lowest = Infinity;
  private awaitsFit = true;
  private dirty = true;
  private scheduled = false;
  private before = 0;
  private direction: 1 | -1 = 1;
  private linkTimer = 0;

  constructor(
    readonly source: Source,
    readonly session: Session,
    readonly state: LinkState,
    holder: HTMLElement,
    readonly messages: Messages,
  ) {
    super();
    this.runs = session.runs.map((head) => new Run(head, source));
    this.stage = new Stage(holder, () => this.redraw());
    this.stage.controls.addEventListener('end', () => this.remember());
    this.frames = new FrameCache((key) => this.loadFrame(key), FRAME_BYTES, (key, error) => this.arrived(key, error));
    this.fields = new FrameCache((key) => this.loadField(key), FIELD_BYTES, (key, error) => this.arrived(key, error), 2);
    this.dark.addEventListener('change', () => {
      this.applyLook();
      this.emit('theme');
    });
  }

  // Runs

  async showRuns(ids: number[]): Promise<void> {
    const wanted = ids.map((id) => this.runs.find((run) => run.id === id)).filter((run) => run !== undefined);
    const next = wanted.slice(0, MOST_SHOWN);
    const time = this.time;
    this.state.runs = next.map((run) => run.id);
    await Promise.allSettled(next.map((run) => run.prepare(this.stage.shared)));
    if (String(this.state.runs) !== String(next.map((run) => run.id))) return;
    for (const run of next) if (run.failure) this.messages.error(`${run.head.name}: ${run.failure.message}`);
    for (const run of this.runs) if (!next.includes(run)) run.release();
    this.shown = next.filter((run) => run.scene);
    this.stage.scenes = this.shown.map((run) => run.scene!);
    this.updateClock();
    this.place = this.following ? Math.max(0, this.clock.count - 1) : placeOf(time, this.clock);
    this.seen = null;
    this.applyLook();
    this.emit('runs');
    this.moved();
    for (const run of this.shown) void this.updateSteps(run);
  }

  updateClock(): void {
    this.clock = commonSpan(this.shown.filter((run) => run.head.frames > 0).map((run) => run.span));
    this.place = Math.max(0, Math.min(this.place, this.clock.count - 1));
  }

  async updateSteps(run: Run): Promise<void> {
    try {
      if (await run.fetchSteps()) this.emit('steps');
    } catch (error) {
      this.messages.error(`${run.head.name}: ${(error as Error).message}`, () => void this.updateSteps(run));
    }
  }

  // Time

  get time(): number {
    return this.clock.count > 0 ? Math.floor(this.place + 1e-6) / this.clock.rate : this.state.time;
  }

  /** The whole frame of the clock. */
  get frame(): number {
    return Math.floor(this.place + 1e-6);
  }

  goTo(place: number): void {
    this.direction = place < this.place ? -1 : 1;
    this.place = Math.max(0, Math.min(this.clock.count - 1, place));
    this.following = this.following && this.place >= this.clock.count - 1;
    this.moved();
  }

  goToTime(time: number): void {
    this.pause();
    this.goTo(placeOf(time, this.clock));
  }

  step(by: number): void {
    this.pause();
    this.goTo(this.frame + by);
  }

  play(): void {
    if (this.clock.count < 2) return;
    if (this.frame >= this.clock.count - 1) this.place = 0;
    this.following = false;
    this.playing = true;
    this.direction = 1;
    this.before = 0;
    this.emit('playing');
    this.moved();
  }

  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    this.emit('playing');
    this.redraw();
    this.remember();
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  private moved(): void {
    this.stage.pace.move();
    this.want();
    this.emit('time');
    this.redraw();
    if (!this.playing) this.remember();
  }

  // Frames

  private async loadFrame(key: string): Promise<Frame> {
    const [id, index] = key.split('/').map(Number);
    const run = this.runs.find((one) => one.id === id)!;
    const frame = await this.source.frame(id, index);
    if (run.scene) checkFrame(frame, run.scene.mesh, run.head.obstacles.length, `frame ${index}`);
    return frame;
  }

  private loadField(key: string): Promise<FieldFrame> {
    const [id, name, index] = key.split('/');
    return this.source.field(Number(id), name, Number(index));
  }

  private arrived(key: string, error: Error | null): void {
    if (error) {
      this.messages.error(error.message, () => {
        this.frames.forget();
        this.fields.forget();
        this.moved();
      });
    }
    const frame = this.frames.get(key);
    if (frame) {
      this.frameBytes = Math.max(this.frameBytes, frame.bytes);
      this.lowest = Math.min(this.lowest, frame.low[1]);
      if (this.lowest === frame.low[1]) this.layGrid();
    }
    const [, name] = key.split('/');
    if (name === this.state.field) {
      const field = this.fields.get(key);
      if (field) this.see(field);
    }
    this.schedule();
  }

  private see(field: FieldFrame): void {
    const [low, high] = this.seen ?? [Infinity, -Infinity];
    if (field.low >= low && field.high <= high) return;
    this.seen = [Math.min(low, field.low), Math.max(high, field.high)];
    this.applyLook();
    this.emit('range');
  }

  private key(run: Run, index: number): string {
    return `${run.id}/${index}`;
  }

  /** Frames of the moment and ahead of it, as many as the cache holds; and values likewise, but fewer. */
  private want(): void {
    const ready = this.shown.filter((run) => run.head.frames > 0);
    const fitting = Math.floor((0.7 * FRAME_BYTES) / (Math.max(this.frameBytes, 1) * Math.max(1, ready.length)));
    const ahead = Math.min(this.clock.count, this.frameBytes === 0 ? 4 : fitting, this.session.live ? 24 : 600);
    const places = framesAhead(this.frame, this.clock.count, ahead, this.direction, this.playing && this.state.loop);
    if (this.awaitsFit) places.splice(1, 0, ...this.journey());
    const keys: string[] = [];
    const values: string[] = [];
    const samples = [0, 0.25, 0.5, 0.75, 1].map((part) => Math.round(part * (this.clock.count - 1)));
    places.forEach((at) => ready.forEach((run) => keys.push(this.key(run, frameAt(at, this.clock, run.span)))));
    const coloured = this.state.field ? [...places.slice(0, this.session.live ? 4 : 16), ...samples] : [];
    for (const at of coloured)
      for (const run of ready) values.push(`${run.id}/${this.state.field}/${frameAt(at, this.clock, run.span)}`);
    this.frames.want(keys);
    this.fields.want(values.filter((key) => this.hasField(key)));
  }

  /** Start, middle and end: what the camera should see at first. */
  private journey(): number[] {
    return [0, Math.floor(this.clock.count / 2), this.clock.count - 1];
  }

  private hasField(key: string): boolean {
    const [id, name] = key.split('/');
    const run = this.runs.find((one) => one.id === Number(id));
    return run?.head.fields.some((field) => field.name === name) ?? false;
  }

  /** Puts the frames of the moment into the scenes; false while one is still on its way. */
  private present(): boolean {
    let complete = true;
    for (const run of this.shown) {
      if (!run.scene || run.head.frames === 0) continue;
      const index = frameAt(this.frame, this.clock, run.span);
      const key = this.key(run, index);
      const frame = this.frames.get(key);
      const valueKey = `${run.id}/${this.state.field}/${index}`;
      const value = this.state.field ? this.fields.get(valueKey) : undefined;
      const waits = this.state.field !== '' && this.hasField(valueKey) && !value && !this.fields.failure(valueKey);
      if (!frame || waits) {
        complete &&= this.frames.failure(key) !== undefined;
        continue;
      }
      if (run.scene.shown === index && run.scene.coloured === (value ?? null)) continue;
      if (run.scene.shown !== index) run.scene.show(index, frame);
      run.scene.colour(value ?? null);
      this.dirty = true;
    }
    return complete;
  }

  /** Whether all frames at a place of the clock are there, or never will be. */
  private ready(place: number): boolean {
    return this.shown.every((run) => {
      if (run.head.frames === 0) return true;
      const index = frameAt(place, this.clock, run.span);
      const value = `${run.id}/${this.state.field}/${index}`;
      const coloured = this.fields.has(value) || this.fields.failure(value) || !this.state.field || !this.hasField(value);
      return coloured && (this.frames.has(this.key(run, index)) || this.frames.failure(this.key(run, index)));
    });
  }

  // Pictures

  redraw(): void {
    this.dirty = true;
    this.schedule();
  }

  /** Looks soon whether there is something new to draw. */
  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame((now) => this.tick(now));
  }

  private tick(now: number): void {
    this.scheduled = false;
    if (this.playing) this.advance(now);
    const complete = this.present();
    this.emitWaiting(!complete);
    if (this.awaitsFit) this.fitFirst();
    if (this.dirty) this.draw(!this.stage.pace.hurried(this.playing));
    if (this.playing) this.schedule();
  }

  /** Draws at once, for those who need the pixels. */
  draw(all = true): void {
    this.dirty = false;
    if (this.state.clip) this.stage.setClip(this.state.clip);
    this.stage.draw(this.state.grid, this.dark.matches, all);
    const { dataset } = this.stage.canvas;
    dataset['drawn'] = String(Number(dataset['drawn'] ?? 0) + 1);
    dataset['frames'] = this.shown.map((run) => run.scene?.shown ?? -1).join(' ');
  }

  /** Shows a frame of the clock and waits until it is drawn. For recording. */
  async drawAt(place: number, stopped: () => boolean): Promise<void> {
    this.place = place;
    this.emit('time');
    while (!this.ready(place) && !stopped()) {
      // Somebody may have gone elsewhere meanwhile, and other frames be on their way.
      this.place = place;
      this.want();
      await new Promise((done) => setTimeout(done, 20));
    }
    this.place = place;
    this.present();
    this.draw();
  }

  private advance(now: number): void {
    const seconds = this.before > 0 ? Math.min(0.25, (now - this.before) / 1000) : 0;
    this.before = now;
    const next = advanced(this.place, seconds, this.state.speed, this.clock, this.state.loop);
    // The clock waits for frames that are late.
    if (!this.ready(Math.floor(next.place))) return;
    const other = Math.floor(next.place) !== this.frame;
    this.place = next.place;
    if (next.ended) this.pause();
    if (other) {
      this.want();
      this.emit('time');
    }
  }

  private fitFirst(): void {
    const ready = this.shown.filter((run) => run.head.frames > 0);
    if (ready.length === 0 || ready.some((run) => run.scene!.shown < 0) || !this.journey().every((at) => this.ready(at))) return;
    this.awaitsFit = false;
    if (this.state.camera) this.stage.view = this.state.camera;
    else this.fit(true);
    this.layGrid();
    document.documentElement.dataset['ready'] = String(Math.round(performance.now()));
  }

  /** The camera sees all of it: what is shown, and at first where it will be. */
  fit(reset: boolean): void {
    const boxes: THREE.Box3[] = [];
    if (reset)
      for (const run of this.shown)
        for (const at of this.journey()) {
          const frame = run.head.frames > 0 && this.frames.get(this.key(run, frameAt(at, this.clock, run.span)));
          if (frame) boxes.push(new THREE.Box3(new THREE.Vector3(...frame.low), new THREE.Vector3(...frame.high)));
        }
    this.stage.fit(reset, boxes);
    this.remember();
  }

  private layGrid(): void {
    if (this.awaitsFit || !this.shown[0]?.scene) return;
    const floors = this.shown.map((run) => run.scene?.floor() ?? null).filter((y) => y !== null);
    const box = this.stage.bounds();
    this.stage.grid.lay(box, floors.length > 0 ? Math.min(...floors) : Math.min(box.min.y, this.lowest));
  }

  // Looks

  /** Fields of any run shown. */
  fieldsOffered(): FieldHead[] {
    const list = new Map<string, FieldHead>();
    for (const run of this.shown) for (const field of run.head.fields) list.set(field.name, field);
    return [...list.values()];
  }

  get field(): FieldHead | null {
    return this.fieldsOffered().find((field) => field.name === this.state.field) ?? null;
  }

  get range(): [number, number] {
    if (this.state.field === 'inverted') return [0, 1];
    if (this.state.range) return this.state.range;
    const [low, high] = this.seen ?? [0, 1];
    // A lowest value that is next to nothing is nothing, and one value alone needs some room.
    const bottom = low > 0 && low < 0.01 * high ? 0 : low;
    return [bottom, high > bottom ? high : bottom + Math.max(1e-6, Math.abs(bottom) * 1e-3)];
  }

  colourBy(field: string): void {
    this.state.field = field;
    this.state.range = null;
    this.seen = null;
    for (const run of this.shown) if (!field) run.scene?.colour(null);
    this.applyLook();
    this.moved();
  }

  /** After a change of `state` that changes the look. */
  applyLook(): void {
    this.stage.setClip(this.state.clip);
    this.stage.setColours(this.state.field, ...this.range);
    for (const run of this.shown) run.scene?.style(this.state.style, this.state.obstacles, this.dark.matches);
    this.emit('look');
    this.redraw();
    this.remember();
  }

  private emitWaiting(waiting: boolean): void {
    document.documentElement.classList.toggle('waiting', waiting);
  }

  // The address

  link(withToken: boolean): string {
    const state = { ...this.state, time: this.time, camera: this.awaitsFit ? this.state.camera : this.stage.view };
    return toFragment(state, withToken);
  }

  /** Puts the state into the address, a little later, and only once for many changes. */
  remember(): void {
    window.clearTimeout(this.linkTimer);
    this.linkTimer = window.setTimeout(() => {
      try {
        history.replaceState(null, '', `#${this.link(true)}`);
      } catch {
        // Some browsers refuse this for files or when called too often; the link dialog still works.
      }
    }, 250);
  }
}
