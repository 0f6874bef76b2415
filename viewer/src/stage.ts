// The canvas: one camera, and a part of the canvas for each run shown.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';

import { colourMap } from './colours';
import { Grid } from './grid';
import { Hidden } from './hidden';
import type { Clip } from './link';
import { drawsInSoftware, Pace } from './pace';
import { piecesOf, withPiece } from './pieces';
import type { RunScene } from './run_scene';
import { sharedUniforms } from './shaders';

/** A part of the canvas in CSS pixels, from the top left. */
export interface Pane {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** One alone, two beside each other, three and four in two rows. */
export function panes(count: number, width: number, height: number): Pane[] {
  const columns = count <= 1 ? 1 : 2;
  const rows = Math.max(1, Math.ceil(count / columns));
  const list: Pane[] = [];
  for (let k = 0; k < count; ++k)
    list.push({
      x: (width / columns) * (k % columns),
      y: (height / rows) * Math.floor(k / columns),
      width: width / columns,
      height: height / rows,
    });
  return list;
}

/** How far from its centre a camera must be to see all corners of a box, with the tangents of its half angles. */
function distanceFor(box: THREE.Box3, direction: THREE.Vector3, across: number, up: number): number {
  const right = new THREE.Vector3(0, 1, 0).cross(direction).normalize();
  const above = direction.clone().cross(right);
  const half = box.getSize(new THREE.Vector3()).multiplyScalar(0.5);
  let distance = 0;
  for (let k = 0; k < 8; ++k) {
    const corner = half.clone().multiply(new THREE.Vector3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1));
    const away = Math.max(Math.abs(corner.dot(right)) / across, Math.abs(corner.dot(above)) / up);
    distance = Math.max(distance, corner.dot(direction) + away);
  }
  return distance;
}

/** Pixels along an edge of pictures that are to be quick, for one of all: fewer are drawn faster. */
const FEWER = 0.5;

export class Stage {
  /** Another one once there is something to draw. */
  canvas = document.createElement('canvas');
  readonly shared = sharedUniforms();
  readonly controls: OrbitControls;
  readonly camera = new THREE.PerspectiveCamera(38, 1, 0.01, 1000);
  readonly grid = new Grid();
  readonly pace: Pace;
  private shown: RunScene[] = [];
  private renderer: THREE.WebGLRenderer | null = null;
  /** Where a processor draws. */
  private hidden: Hidden | null = null;
  private readonly box = new THREE.Box3();
  private width = 1;
  private height = 1;

  /** `changed` is called when a picture should be drawn. */
  constructor(private readonly holder: HTMLElement, changed: () => void) {
    holder.prepend(this.canvas);
    this.camera.position.set(2, 2, 4);
    this.controls = new OrbitControls(this.camera, holder);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    this.pace = new Pace(changed);
    this.controls.addEventListener('change', () => {
      this.pace.move();
      changed();
    });
    new ResizeObserver(() => {
      if (this.resize()) changed();
    }).observe(holder);
    this.resize();
  }

  get scenes(): RunScene[] {
    return this.shown;
  }

  set scenes(scenes: RunScene[]) {
    // What is shown no more is not drawn to its end.
    this.hidden?.drop();
    this.shown = scenes;
  }

  /**
   * Makes what draws the scenes; before that nothing is drawn. Late, when what is to be drawn has been fetched: a browser that
   * was just started lets whoever asks for its graphics wait until it has drawn itself. Throws where it has no WebGL.
   */
  begin(): void {
    this.renderer ??= this.makeRenderer();
    for (const scene of this.scenes) this.renderer.compile(scene.scene, this.camera);
  }

  private makeRenderer(): THREE.WebGLRenderer {
    this.setPixels();
    const context = this.canvas.getContext('webgl2', { antialias: false });
    if (!context)
      throw new Error('This browser offers no WebGL 2, which the view needs. Allow hardware acceleration, or use another browser.');
    this.pace.slow = drawsInSoftware(context);
    if (this.pace.slow) this.hidden = new Hidden(context);
    else {
      // Smooth edges take a processor twice as long, and a graphics card no time.
      context.getExtension('WEBGL_lose_context')?.loseContext();
      const smooth = document.createElement('canvas');
      this.canvas.replaceWith(smooth);
      this.canvas = smooth;
    }
    const own = this.pace.slow ? { context } : { antialias: true, alpha: true };
    const renderer = new THREE.WebGLRenderer({ canvas: this.canvas, ...own });
    renderer.autoClear = false;
    renderer.setClearColor(0, 0);
    return renderer;
  }

  get size(): { width: number; height: number } {
    return { width: this.width, height: this.height };
  }

  /** Whether the size is another one. */
  private resize(): boolean {
    const [width, height] = [this.width, this.height];
    this.width = Math.max(1, this.holder.clientWidth);
    this.height = Math.max(1, this.holder.clientHeight);
    return this.width !== width || this.height !== height;
  }

  /** Gives the canvas the pixels of its part of the screen. To change them waits until all is drawn that was asked for. */
  private setPixels(): void {
    const ratio = Math.min(2, window.devicePixelRatio);
    const [width, height] = [this.width, this.height].map((size) => Math.max(1, Math.floor(ratio * size)));
    if (this.canvas.width === width && this.canvas.height === height) return;
    if (this.renderer) this.renderer.setSize(width, height, false);
    else Object.assign(this.canvas, { width, height });
  }

  /** The pixels of a picture that has a part of all: it lies in the upper left of the canvas, which grows until it fills the view. */
  private fill(part: number): { width: number; height: number } {
    const { canvas } = this;
    const [width, height] = [canvas.width, canvas.height].map((size) => Math.max(1, Math.round(part * size)));
    canvas.style.width = `${(100 * canvas.width) / width}%`;
    canvas.style.height = `${(100 * canvas.height) / height}%`;
    return { width, height };
  }

  /** The box of all that is shown. */
  bounds(): THREE.Box3 {
    this.box.makeEmpty();
    for (const scene of this.scenes) if (scene.shown >= 0) this.box.union(scene.box);
    if (this.box.isEmpty()) this.box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    return this.box;
  }

  /** Moves the camera, without turning it unless `reset`, until all is seen. */
  fit(reset: boolean, also: readonly THREE.Box3[] = []): void {
    const box = new THREE.Box3();
    for (const scene of this.scenes) if (scene.shown >= 0) box.union(scene.mostBox());
    if (box.isEmpty()) box.copy(this.bounds());
    for (const other of also) box.union(other);
    const direction = this.camera.position.clone().sub(this.controls.target);
    if (reset || direction.lengthSq() < 1e-12) direction.set(0.45, 0.38, 1);
    direction.normalize();
    const pane = panes(this.scenes.length, this.width, this.height)[0] ?? { width: 1, height: 1 };
    const up = Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2));
    const centre = box.getCenter(new THREE.Vector3());
    const distance = 1.1 * distanceFor(box, direction, up * (pane.width / pane.height), up);
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(direction, Math.max(distance, 1e-6));
    this.controls.update();
  }

  /** Position, then target. */
  get view(): number[] {
    return [...this.camera.position.toArray(), ...this.controls.target.toArray()];
  }

  set view(numbers: number[]) {
    this.camera.position.fromArray(numbers, 0);
    this.controls.target.fromArray(numbers, 3);
    this.controls.update();
  }

  /** Turns the camera about its target by angles in radians. */
  orbit(right: number, up: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const spherical = new THREE.Spherical().setFromVector3(offset);
    spherical.theta += right;
    spherical.phi = Math.min(Math.PI - 0.01, Math.max(0.01, spherical.phi - up));
    this.camera.position.copy(this.controls.target).add(offset.setFromSpherical(spherical));
    this.controls.update();
  }

  zoom(factor: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target);
    this.camera.position.copy(this.controls.target).addScaledVector(offset, factor);
    this.controls.update();
  }

  setColours(field: string, low: number, high: number): void {
    const texture = this.shared.map.value;
    (texture.image.data as Uint8Array).set(colourMap(field));
    texture.needsUpdate = true;
    this.shared.range.value.set(low, high);
  }

  /** Cuts away what lies beyond a plane across an axis. */
  setClip(clip: Clip | null): void {
    const plane = this.shared.clip.value;
    if (!clip) {
      plane.set(0, 0, 0, 1e20);
      return;
    }
    const box = this.bounds();
    const at = THREE.MathUtils.lerp(box.min[clip.axis], box.max[clip.axis], clip.at);
    const sign = clip.flipped ? -1 : 1;
    plane.set(0, 0, 0, sign * at);
    plane.setComponent('xyz'.indexOf(clip.axis), sign);
  }

  /**
   * The next pictures had better be quick. But not those of a run that is followed, unless it is large: its next frame may come
   * before anything is said to rest.
   */
  hurry(following: boolean): void {
    if (!following || this.large) this.pace.move();
  }

  private get large(): boolean {
    return this.scenes.some((scene) => scene.large);
  }

  /** `all`: every triangle, even where that takes long. False before `begin`. */
  draw(gridShown: boolean, dark: boolean, all: boolean): boolean {
    const { renderer } = this;
    if (!renderer) return false;
    this.hidden?.drop();
    for (const scene of this.scenes) scene.detail(all, this.pace.part);
    this.setPixels();
    const size = this.fill(all ? 1 : FEWER * Math.sqrt(this.pace.part));
    this.clear(renderer, size);
    this.scenes.forEach((scene, k) => {
      if (scene.shown < 0) return;
      this.turnTo(renderer, k, size);
      if (gridShown) this.grid.draw(renderer, this.camera, dark);
      renderer.render(scene.scene, this.camera);
    });
    this.drawn(all);
    return true;
  }

  /** Every triangle, where that takes long in pieces; `done` is called when they are seen, unless another picture comes first. */
  drawPatiently(gridShown: boolean, dark: boolean, done: () => void): boolean {
    const { renderer, hidden, scenes } = this;
    if (!renderer) return false;
    if (!hidden || !this.large) {
      this.draw(gridShown, dark, true);
      done();
      return true;
    }
    for (const scene of scenes) scene.detail(true);
    const pieces = scenes.map(({ scene, shown }) => (shown < 0 ? [] : piecesOf(scene)));
    this.setPixels();
    const { width, height } = this.canvas;
    const steps = [() => this.clear(renderer, { width, height })];
    pieces.forEach((list, k) => {
      const step = (draw: () => void) => () => {
        this.turnTo(renderer, k, { width, height });
        draw();
      };
      if (gridShown && list.length > 0) steps.push(step(() => this.grid.draw(renderer, this.camera, dark)));
      const { scene } = scenes[k];
      for (const piece of list) steps.push(step(() => withPiece(scene, piece, () => renderer.render(scene, this.camera))));
    });
    hidden.start(width, height, steps, () => {
      this.fill(1);
      this.drawn(true);
      done();
    });
    return true;
  }

  private drawn(all: boolean): void {
    this.canvas.dataset['detail'] = all ? 'all' : 'few';
    this.pace.measure(all);
  }

  private clear(renderer: THREE.WebGLRenderer, size: { width: number; height: number }): void {
    renderer.setScissorTest(true);
    renderer.setScissor(0, this.canvas.height - size.height, size.width, size.height);
    renderer.clear();
  }

  /** Has the next scene drawn into its part of a picture. */
  private turnTo(renderer: THREE.WebGLRenderer, scene: number, size: { width: number; height: number }): void {
    const pane = panes(this.scenes.length, size.width, size.height)[scene];
    const bottom = this.canvas.height - pane.y - pane.height;
    renderer.setViewport(pane.x, bottom, pane.width, pane.height);
    renderer.setScissor(pane.x, bottom, pane.width, pane.height);
    const radius = this.bounds().getBoundingSphere(new THREE.Sphere()).radius;
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = Math.max(distance, radius) / 500;
    this.camera.far = distance + 40 * Math.max(distance, radius);
    this.camera.aspect = pane.width / pane.height;
    this.camera.updateProjectionMatrix();
  }
}
