import * as THREE from 'three';
import { describe, expect, it } from 'vitest';

import { Run } from '../src/run';
import { RunScene } from '../src/run_scene';
import { sharedUniforms } from '../src/shaders';
import type { Frame, Mesh, RunHead, Source, Steps } from '../src/source';

const HEAD: RunHead = {
  id: 3, name: 'a', folder: 'out/a', frame_rate: 24, frames: 2, frames_planned: 1, fields: [], choices: [], summary: null,
  bodies: [{ name: 'b', color: null }],
  obstacles: [{ name: 'o', unbounded: false, first_vertex: 0, vertices: 3, first_triangle: 0, triangles: 1 }],
};

const mesh = (): Mesh => ({
  triangles: new Uint32Array([0, 1, 2]), lines: new Uint32Array(), vertices: 3, bytes: 12,
  parts: [{ first_vertex: 0, vertices: 3, first_triangle: 0, triangles: 1, first_line: 0, lines: 0 }],
  obstacleTriangles: new Uint32Array([0, 1, 2]), obstacleVertices: new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]),
});

const FRAME: Frame = {
  time: 0, bodies: 0, low: [0, 0, 0], high: [1, 1, 1], positions: new Uint16Array(9),
  poses: new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]), bytes: 18,
};

const rows = (from: number, times: number[]): Steps => ({
  from, rows: times.length, columns: new Map([['time', new Float64Array(times)]]), failed: [], statuses: {},
});

/** A source that has one mesh and answers steps when told. */
function source() {
  const released: number[] = [];
  const asked: number[] = [];
  let answer: (steps: Steps) => void = () => {};
  const made = {
    mesh: async () => mesh(),
    steps: (_run: number, from: number) => {
      asked.push(from);
      return new Promise<Steps>((done) => (answer = done));
    },
    release: (run: number) => released.push(run),
  } as unknown as Source;
  return { made, released, asked, answer: (steps: Steps) => answer(steps) };
}

describe('a run that is released', () => {
  it('gives back its scene and what its source holds', async () => {
    const { made, released } = source();
    const run = new Run(HEAD, made);
    await run.prepare(sharedUniforms());
    expect(run.scene).not.toBeNull();
    run.release();
    expect(run.scene).toBeNull();
    expect(released).toEqual([3]);
  });

  it('gives back every geometry, those of obstacles in both roughnesses', () => {
    const scene = new RunScene(HEAD, mesh(), sharedUniforms());
    scene.show(0, FRAME, scene.mesh);
    scene.style('edges', 'solid', false);
    const used = new Set<THREE.BufferGeometry>();
    for (const all of [true, false]) {
      scene.detail(all);
      scene.scene.traverse((object) => {
        if (object instanceof THREE.Mesh || object instanceof THREE.LineSegments) used.add(object.geometry as THREE.BufferGeometry);
      });
    }
    const given = new Set<THREE.BufferGeometry>();
    for (const geometry of used) geometry.addEventListener('dispose', () => given.add(geometry));
    scene.dispose();
    expect(used.size).toBe(5);
    expect(given).toEqual(used);
  });
});

describe('a body that tears', () => {
  const torn = (): Mesh => ({
    triangles: new Uint32Array([0, 1, 2, 3, 4, 5]), lines: new Uint32Array(), vertices: 6, bytes: 24,
    parts: [{ first_vertex: 0, vertices: 6, first_triangle: 0, triangles: 2, first_line: 0, lines: 0 }],
    obstacleTriangles: new Uint32Array(), obstacleVertices: new Float32Array(),
  });

  it('is drawn with the mesh of its frame, and gives the one before back', () => {
    const scene = new RunScene(HEAD, mesh(), sharedUniforms());
    scene.style('edges', 'solid', false);
    scene.show(0, FRAME, scene.mesh);
    const objects = scene.scene.children.filter((one) => one instanceof THREE.Mesh || one instanceof THREE.LineSegments);
    const geometries = objects.map((one) => one.geometry as THREE.BufferGeometry);
    const given = new Set<THREE.BufferGeometry>();
    for (const geometry of geometries) geometry.addEventListener('dispose', () => given.add(geometry));
    scene.show(1, { ...FRAME, bodies: 1, positions: new Uint16Array(18) }, torn());
    scene.detail(true);
    const [surface, , obstacle, edges] = objects;
    expect(surface.geometry.getAttribute('position').count).toBe(6);
    expect(surface.geometry.index!.count).toBe(6);
    expect(edges.geometry.index!.count).toBe(12);
    expect(obstacle.geometry.index!.count).toBe(3);
    expect(given.size).toBe(3);
    scene.colour({ low: 0, high: 1, values: new Float32Array(6), bytes: 24 });
    scene.detail(false);
    scene.show(0, FRAME, mesh());
    expect(surface.geometry.getAttribute('position').count).toBe(3);
    scene.dispose();
  });
});

describe('a run that was started anew', () => {
  it('forgets its rows', async () => {
    const { made, asked, answer } = source();
    const run = new Run(HEAD, made);
    const first = run.fetchSteps();
    answer(rows(0, [1, 2]));
    expect(await first).toBe(true);
    run.restart({ ...HEAD, generation: 1 });
    expect(run.steps.rows).toBe(0);
    const again = run.fetchSteps();
    answer(rows(0, [5]));
    expect(await again).toBe(true);
    expect(asked).toEqual([0, 0]);
    expect([...run.steps.column('time')]).toEqual([5]);
  });

  it('does not take rows that are on their way from the one before', async () => {
    const { made, answer } = source();
    const run = new Run(HEAD, made);
    const late = run.fetchSteps();
    run.restart({ ...HEAD, generation: 1 });
    answer(rows(0, [1, 2]));
    expect(await late).toBe(false);
    expect(run.steps.rows).toBe(0);
  });
});
