// What is shown, of which runs, at what time; the rest of the page listens to it and calls it.
import { Address } from './address';
import { Events } from './app_events';
import { advanced, commonSpan, frameAt, placeOf, type Span } from './clock';
import { rangeFor } from './colours';
import { FrameCache, framesAhead } from './frame_cache';
import { fieldKey, frameKey, isOfNow, loadField, loadFrame, loadMesh, meshKey, runOf } from './frame_keys';
import { Ground } from './ground';
import { toFragment, type LinkState } from './link';
import { Loaded } from './loaded';
import type { Messages } from './messages';
import { boxOfMost } from './most';
import { Run } from './run';
import { checkFrame, type FieldFrame, type FieldHead, type Frame, type Mesh, type Session, type Source } from './source';
import { Stage } from './stage';

export const MOST_SHOWN = 4;
const FRAME_BYTES = 400e6;
const FIELD_BYTES = 160e6;
const MESH_BYTES = 120e6;
/** Frames. */
const NEAR = 40;
/** Frames fetched at once. */
const LANES = 4;
/** The same, and no more for each picture, while pictures are to be quick on a slow machine: fetching takes time from drawing. */
const FEW_LANES = 1;

/** Start, middle and end: what the camera should see at first. */
function journey(clock: Span): number[] {
  return [0, Math.floor(clock.count / 2), clock.count - 1];
}

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
  /** Of bodies that have torn. */
  private readonly meshes: FrameCache<Mesh>;
  private readonly loaded: Loaded;
  private frameBytes = 0;
  private meshBytes = 0;
  private awaitsFit = true;
  private awaitsGrid = true;
  private readonly ground = new Ground();
  private dirty = true;
  private scheduled = false;
  private before = 0;
  private direction: 1 | -1 = 1;
  private readonly address = new Address(() => this.link(true));

  constructor(
    readonly source: Source,
    readonly session: Session,
    readonly state: LinkState,
    holder: HTMLElement,
    readonly messages: Messages,
  ) {
    super();
    this.runs = session.runs.map((head, k) => new Run(head, source, session.summaries?.[k]));
    this.stage = new Stage(holder, () => this.redraw());
    this.stage.controls.addEventListener('end', () => this.remember());
    this.frames = new FrameCache((key) => loadFrame(source, key), FRAME_BYTES, (key, error) => this.arrived(key, error, this.frames.peek(key)), LANES);
    this.fields = new FrameCache((key) => loadField(source, key), FIELD_BYTES, (key, error) => this.arrived(key, error), 2);
    this.meshes = new FrameCache((key) => loadMesh(source, key), MESH_BYTES, (key, error) => this.meshCame(key, error), 2);
    this.loaded = new Loaded(this.runs, this.frames, this.fields, this.meshes);
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
    const prepared = next.map((run) => run.prepare(this.stage.shared));
    if (this.awaitsFit) this.askFirst(next);
    await Promise.allSettled(prepared);
    if (String(this.state.runs) !== String(next.map((run) => run.id))) return;
    for (const run of next) if (run.failure) this.messages.error(`${run.head.name}: ${run.failure.message}`);
    for (const run of this.runs) if (!next.includes(run)) this.release(run);
    this.shown = next.filter((run) => run.scene);
    this.stage.scenes = this.shown.map((run) => run.scene!);
    this.updateClock();
    this.place = this.following ? Math.max(0, this.clock.count - 1) : placeOf(time, this.clock);
    this.seen = null;
    this.awaitsGrid = true;
    this.applyLook();
    this.stage.begin();
    this.emit('runs');
    this.moved();
    for (const run of this.shown) void this.updateSteps(run);
  }

  /** The frames of the first picture are fetched with the meshes rather than after them. */
  private askFirst(runs: Run[]): void {
    const ready = runs.filter((run) => run.head.frames > 0);
    const clock = commonSpan(ready.map((run) => run.span));
    const first = this.following ? clock.count - 1 : placeOf(this.time, clock);
    this.frames.want([first, ...journey(clock)].flatMap((at) => ready.map((run) => frameKey(run, frameAt(at, clock, run.span)))));
  }

  private release(run: Run): void {
    run.release();
    this.loaded.drop(run);
  }

  /** Another run was started in its folder: nothing of the one before is shown any more. */
  async restart(run: Run): Promise<void> {
    const head = await this.source.head(run.id);
    this.release(run);
    run.restart(head);
    if (!this.state.runs.includes(run.id)) return;
    this.shown = this.shown.filter((other) => other !== run);
    this.stage.scenes = this.shown.map((other) => other.scene!);
    await this.showRuns(this.state.runs);
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
    this.stage.hurry(this.following);
    this.want();
    this.emit('time');
    // A frame that is not there yet changes no pixel.
    this.schedule();
    if (!this.playing) this.remember();
  }

  // Frames

  private arrived(key: string, error: Error | null, frame?: Frame): void {
    const run = runOf(this.runs, key);
    // Of one that was replaced while this was on its way.
    if (!run || !isOfNow(run, key)) return this.schedule();
    if (error) {
      this.messages.error(error.message, () => {
        this.loaded.forget();
        this.moved();
      });
    }
    if (frame) this.frameCame(run, frame);
    const field = key.split('/')[1] === this.state.field ? this.fields.peek(key) : undefined;
    if (field) this.see(field);
    this.schedule();
  }

  private frameCame(run: Run, frame: Frame): void {
    const first = this.frameBytes === 0;
    this.frameBytes = Math.max(this.frameBytes, frame.bytes);
    // Where something grows the ground is what has been seen of it.
    if (run.growing && run.scene && !this.awaitsGrid) this.layGrid([{ run, frame }]);
    // How many frames there is room for is known with the first, what mesh each goes with when it is there.
    if ((first && !this.awaitsFit) || (frame.bodies > 0 && !this.meshes.has(meshKey(run, frame.bodies)))) this.want();
  }

  private meshCame(key: string, error: Error | null): void {
    this.meshBytes = Math.max(this.meshBytes, this.meshes.peek(key)?.bytes ?? 0);
    this.arrived(key, error);
  }

  private see(field: FieldFrame): void {
    const [low, high] = this.seen ?? [Infinity, -Infinity];
    if (field.low >= low && field.high <= high) return;
    this.seen = [Math.min(low, field.low), Math.max(high, field.high)];
    this.applyLook();
    this.emit('range');
  }

  /** Frames of the moment and ahead of it, as many as the cache holds; and values likewise, but fewer. */
  private want(): void {
    const ready = this.shown.filter((run) => run.head.frames > 0);
    const fitting = Math.floor((0.7 * FRAME_BYTES) / (Math.max(this.frameBytes, 1) * Math.max(1, ready.length)));
    // Before the first picture nothing that it can do without.
    const ahead = this.awaitsFit ? 0 : Math.min(this.clock.count, this.frameBytes === 0 ? 4 : fitting, this.session.live ? 24 : 600);
    const places = framesAhead(this.frame, this.clock.count, ahead, this.direction, this.playing && this.state.loop);
    if (this.awaitsFit || this.awaitsGrid) places.splice(1, 0, ...journey(this.clock));
    const keys: string[] = [];
    const values: string[] = [];
    const samples = [0, 0.25, 0.5, 0.75, 1].map((part) => Math.round(part * (this.clock.count - 1)));
    places.forEach((at) => ready.forEach((run) => keys.push(frameKey(run, frameAt(at, this.clock, run.span)))));
    const coloured = this.state.field ? [...places.slice(0, this.session.live ? 4 : 16), ...samples] : [];
    for (const at of coloured)
      for (const run of ready) values.push(fieldKey(run, this.state.field, frameAt(at, this.clock, run.span)));
    this.frames.want(keys);
    this.fields.want(values.filter((key) => this.loaded.hasField(key)));
    const meshes = [...new Set(keys.flatMap((key) => this.loaded.meshWanted(key)))];
    this.meshes.want(meshes.slice(0, this.meshBytes === 0 ? 4 : Math.max(4, Math.floor((0.7 * MESH_BYTES) / this.meshBytes))));
  }

  /** Whether what the camera should see at first has come, or never will. */
  private get hasJourney(): boolean {
    return journey(this.clock).every((at) => this.ready(at));
  }

  /** Puts the frames of the moment into the scenes; false while one is still on its way. */
  private present(): boolean {
    let complete = true;
    for (const run of this.shown) {
      if (!run.scene || run.head.frames === 0) continue;
      const index = frameAt(this.frame, this.clock, run.span);
      const key = frameKey(run, index);
      const frame = this.frames.get(key);
      const mesh = frame && this.loaded.meshFor(run, frame);
      const valueKey = fieldKey(run, this.state.field, index);
      const value = this.state.field ? this.fields.get(valueKey) : undefined;
      const waits = this.state.field !== '' && this.loaded.hasField(valueKey) && !value && !this.fields.failure(valueKey);
      if (!frame || !mesh || waits) {
        const failed = this.loaded.failed(run, index);
        complete &&= failed;
        if (!failed && !this.playing && this.shown.length === 1) this.presentNear(run, index);
        continue;
      }
      if (run.scene.shown === index && run.scene.coloured === (value ?? null)) continue;
      if (run.scene.shown !== index) {
        try {
          checkFrame(frame, mesh, run.head.obstacles.length, `frame ${index}`);
        } catch (error) {
          this.frames.reject(key, error as Error);
          continue;
        }
        run.scene.show(index, frame, mesh);
      }
      run.scene.colour(value ?? null);
      this.dirty = true;
    }
    if (this.state.clip) this.stage.setClip(this.state.clip);
    return complete;
  }

  /** A hand that moves faster than frames come sees the nearest that has come meanwhile, if it is nearer than the last. */
  private presentNear(run: Run, index: number): void {
    const scene = run.scene!;
    const most = Math.min(NEAR, scene.shown < 0 ? 0 : Math.abs(scene.shown - index) - 1);
    const near = this.loaded.nearest(run, index, most, this.direction, this.state.field);
    if (!near) return;
    scene.show(near.index, near.frame, near.mesh);
    scene.colour(near.value);
    this.dirty = true;
  }

  private ready(place: number): boolean {
    return this.loaded.ready(this.shown, place, this.clock, this.state.field);
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
    this.setLanes();
    const complete = this.present();
    // Another frame is a picture that had better be quick, even where it comes long after the hand has moved.
    if (this.frameNames !== this.stage.canvas.dataset['frames']) this.stage.hurry(this.following);
    document.documentElement.classList.toggle('waiting', !complete);
    if (this.awaitsFit) this.fitFirst();
    if (this.awaitsGrid && !this.awaitsFit && this.hasJourney) this.layFirst();
    if (this.dirty && (!this.awaitsFit || this.hasJourney)) this.drawSoon();
    if (this.playing) this.schedule();
  }

  private setLanes(): void {
    const { pace } = this.stage;
    // What a run that grows is to be fitted to changes while it is fetched: not one frame after the other.
    const paced = !this.awaitsFit && (pace.moving || (pace.slow && this.playing));
    this.frames.use(paced ? FEW_LANES : LANES, paced);
  }

  private get frameNames(): string {
    return this.shown.map((run) => run.scene?.shown ?? -1).join(' ');
  }

  private drawSoon(): void {
    if (this.stage.pace.hurried(this.playing)) this.draw(false);
    else this.dirty = !this.stage.drawPatiently(this.state.grid, this.dark.matches, () => this.drawn());
  }

  /** Draws at once, for those who need the pixels. */
  draw(all = true): void {
    if (!this.stage.draw(this.state.grid, this.dark.matches, all)) return;
    this.dirty = false;
    this.drawn();
  }

  private drawn(): void {
    const { dataset } = this.stage.canvas;
    dataset['drawn'] = String(Number(dataset['drawn'] ?? 0) + 1);
    dataset['frames'] = this.frameNames;
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
    // A frame that cannot be had is not waited for.
    const waits = (run: Run) => run.scene!.shown < 0 && !this.loaded.failed(run, frameAt(this.frame, this.clock, run.span));
    if (ready.some(waits) || !this.hasJourney || this.journeyFrames().length === 0) return;
    this.awaitsFit = false;
    if (this.state.camera) this.stage.view = this.state.camera;
    else this.fit(true);
    this.layFirst();
    this.want();
    document.documentElement.dataset['ready'] = String(Math.round(performance.now()));
  }

  /** The camera sees all of it: what is shown, and at first where it will be. */
  fit(reset: boolean): void {
    const frames = reset ? this.journeyFrames() : [];
    this.stage.fit(reset, frames.map(({ frame }) => boxOfMost(frame)));
    this.remember();
  }

  private journeyFrames(): { run: Run; frame: Frame }[] {
    return this.shown.flatMap((run) =>
      journey(this.clock).flatMap((at) => {
        const frame = run.head.frames > 0 ? this.frames.get(frameKey(run, frameAt(at, this.clock, run.span))) : undefined;
        return frame ? [{ run, frame }] : [];
      }),
    );
  }

  /** Under the journey of what is shown, so that one link gives one picture, whatever was looked at before. */
  private layFirst(): void {
    this.awaitsGrid = false;
    this.ground.clear();
    this.layGrid(this.journeyFrames());
  }

  /** Under these frames, too. */
  private layGrid(added: { run: Run; frame: Frame }[]): void {
    for (const one of added) this.ground.add(one);
    if (this.ground.box.isEmpty()) return;
    this.stage.grid.lay(this.ground.box, this.ground.height);
    this.redraw();
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
    return this.state.range ?? rangeFor(...(this.seen ?? ([0, 1] as const)));
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

  // The address

  link(withToken: boolean): string {
    const state = { ...this.state, time: this.time, camera: this.awaitsFit ? this.state.camera : this.stage.view };
    return toFragment(state, withToken);
  }

  remember(): void {
    this.address.update();
  }
}
