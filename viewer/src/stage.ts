// The canvas: one camera, and a part of the canvas for each run shown.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';

import { colourMap } from './colours';
import { Grid } from './grid';
import type { Clip } from './link';
import { drawsInSoftware, Pace } from './pace';
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

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly shared = sharedUniforms();
  readonly controls: OrbitControls;
  readonly camera = new THREE.PerspectiveCamera(38, 1, 0.01, 1000);
  readonly grid = new Grid();
  readonly pace: Pace;
  scenes: RunScene[] = [];
  private readonly renderer: THREE.WebGLRenderer;
  private readonly box = new THREE.Box3();
  private width = 1;
  private height = 1;

  /** `changed` is called when a picture should be drawn. Throws where the browser has no WebGL. */
  constructor(private readonly holder: HTMLElement, changed: () => void) {
    const software = drawsInSoftware();
    try {
      // Smooth edges take a processor twice as long.
      this.renderer = new THREE.WebGLRenderer({ antialias: !software, alpha: true });
    } catch {
      throw new Error('This browser offers no WebGL 2, which the view needs. Allow hardware acceleration, or use another browser.');
    }
    this.renderer.autoClear = false;
    this.renderer.setClearColor(0, 0);
    this.canvas = this.renderer.domElement;
    holder.prepend(this.canvas);
    this.camera.position.set(2, 2, 4);
    this.controls = new OrbitControls(this.camera, holder);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    this.pace = new Pace(software, changed);
    this.controls.addEventListener('change', () => {
      this.pace.move();
      changed();
    });
    new ResizeObserver(() => {
      this.resize();
      changed();
    }).observe(holder);
    this.resize();
  }

  get size(): { width: number; height: number } {
    return { width: this.width, height: this.height };
  }

  private resize(): void {
    this.width = Math.max(1, this.holder.clientWidth);
    this.height = Math.max(1, this.holder.clientHeight);
    this.renderer.setSize(this.width, this.height);
  }

  /** Pixels of the canvas for one of the screen. Fewer are drawn faster. */
  private setRatio(part: number): void {
    const ratio = part * Math.min(2, window.devicePixelRatio);
    if (this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
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

  /** `all`: every triangle, even where that takes long. */
  draw(gridShown: boolean, dark: boolean, all: boolean): void {
    for (const scene of this.scenes) scene.detail(all, this.pace.part);
    this.setRatio(all ? 1 : 0.5 * Math.sqrt(this.pace.part));
    const list = panes(this.scenes.length, this.width, this.height);
    const radius = this.bounds().getBoundingSphere(new THREE.Sphere()).radius;
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = Math.max(distance, radius) / 500;
    this.camera.far = distance + 40 * Math.max(distance, radius);
    this.renderer.setScissorTest(false);
    this.renderer.clear();
    this.renderer.setScissorTest(true);
    list.forEach((pane, k) => {
      const scene = this.scenes[k];
      if (scene.shown < 0) return;
      const bottom = this.height - pane.y - pane.height;
      this.renderer.setViewport(pane.x, bottom, pane.width, pane.height);
      this.renderer.setScissor(pane.x, bottom, pane.width, pane.height);
      this.camera.aspect = pane.width / pane.height;
      this.camera.updateProjectionMatrix();
      if (gridShown) this.grid.draw(this.renderer, this.camera, dark);
      this.renderer.render(scene.scene, this.camera);
    });
    this.canvas.dataset['detail'] = all ? 'all' : 'few';
    this.pace.measure(all);
  }
}
