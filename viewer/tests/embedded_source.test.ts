import { describe, expect, it } from 'vitest';

import { decodedPositions, distances, EmbeddedSource, summed } from '../src/embedded_source';
import type { Frame } from '../src/source';
import { box } from './boxes';

/** As the program codes positions, from the description in its header. */
function coded(frames: Uint16Array[], vertices: number): { low: Uint8Array; high: Uint8Array } {
  const [low, high] = [new Uint8Array(3 * vertices * frames.length), new Uint8Array(3 * vertices * frames.length)];
  let i = 0;
  frames.forEach((q, n) => {
    for (let c = 0; c < 3; ++c) {
      let before = 0;
      for (let v = 0; v < vertices; ++v, ++i) {
        const at = 3 * v + c;
        const guess = n === 0 ? 0 : n === 1 ? frames[0][at] : 2 * frames[n - 1][at] - frames[n - 2][at];
        const e = (q[at] - guess) & 0xffff;
        const d = ((e - before) << 16) >> 16;
        before = e;
        const z = d < 0 ? -2 * d - 1 : 2 * d;
        low[i] = z & 255;
        high[i] = z >> 8;
      }
    }
  });
  return { low, high };
}

function random(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

const next = random(7);
const VERTICES = 5;
const FRAMES = Array.from({ length: 6 }, () => Uint16Array.from({ length: 3 * VERTICES }, () => Math.floor(next() * 65536)));
FRAMES.push(new Uint16Array(15), new Uint16Array(15).fill(65535), new Uint16Array(15));

function report(length?: number): EmbeddedSource {
  const { low, high } = coded(FRAMES, VERTICES);
  const session = { version: '1', live: true, errors: [], runs: [{ id: 0, name: 'a', frame_rate: 10, frames: FRAMES.length }] };
  const whole = box({}, {
    session: new TextEncoder().encode(JSON.stringify(session)),
    'frames/0': box(
      { first: 0, every: 1, count: FRAMES.length, spans: [{ frames: FRAMES.length, vertices: VERTICES }], low: [0, 0, 0], high: [1, 1, 2] },
      { low_bytes: low, high_bytes: high, poses: new Float32Array(12 * FRAMES.length), before: new Uint32Array(), starts: new Uint16Array() },
    ),
    'steps/0': box({ from: 0, rows: 1, failed: [], statuses: {} }, { time: new Float64Array([0.1]) }),
  });
  return EmbeddedSource.of(whole.slice(0, length));
}

describe('positions in a report', () => {
  it('come back to the last bit', () => {
    const { low, high } = coded(FRAMES, VERTICES);
    const all = decodedPositions(low, high, [{ frames: FRAMES.length, vertices: VERTICES, before: null }]);
    expect(all.map((frame) => [...frame])).toEqual(FRAMES.map((frame) => [...frame]));
  });

  it('are read out of it', async () => {
    const source = report();
    const session = await source.session();
    expect(session.live).toBe(false);
    const frame = await source.frame(0, 3);
    expect([...frame.positions]).toEqual([...FRAMES[3]]);
    expect(frame.time).toBeCloseTo(0.3, 12);
    expect(frame.poses.length).toBe(12);
    expect((await source.steps(0, 0)).rows).toBe(1);
    expect((await source.steps(0, 1)).rows).toBe(0);
    expect(await source.status()).toEqual([]);
    await expect(source.frame(0, 99)).rejects.toThrow('holds no frame 99');
    await expect(source.field(0, 'stretch', 0)).rejects.toThrow('holds no stretch');
    await expect(source.command()).rejects.toThrow('cannot command');
  });

  it('that are damaged are named', async () => {
    expect(() => report(600)).toThrow(/the report: cut off/);
    await expect(EmbeddedSource.read('***')).rejects.toThrow('cut off or damaged');
  });
});

describe('fields of a report', () => {
  const frame = (q: number[], time: number): Frame => ({
    time, bodies: 0, low: [0, 0, 0], high: [1, 2, 4], positions: new Uint16Array(q), poses: new Float32Array(), bytes: 0,
  });

  it('are distances of quantised positions', () => {
    const far = distances(frame([0, 0, 0, 0, 0, 0], 0), frame([65535, 65535, 65535, 0, 0, 0], 0.5), 2);
    expect(far.values[0]).toBeCloseTo(2 * Math.sqrt(21), 5);
    expect(far).toMatchObject({ low: 0, bytes: 8 });
  });

  it('speed takes the frames beside', async () => {
    const source = report();
    const speed = await source.field(0, 'speed', 7);
    expect(speed.high).toBeCloseTo(0, 6);
    const first = await source.field(0, 'displacement', 0);
    expect(first.high).toBe(0);
  });
});

/** As report.hpp says. */
function differences(numbers: number[], stride: number): Uint32Array {
  return Uint32Array.from(numbers, (number, i) => {
    const change = number - (i < stride ? 0 : numbers[i - stride]);
    return change < 0 ? -2 * change - 1 : 2 * change;
  });
}

describe('a report of bodies that tear', () => {
  const parts = (vertices: number, triangles: number) => [
    { first_vertex: 0, vertices, first_triangle: 0, triangles, first_line: 0, lines: 0 },
  ];
  // Two triangles of which the second leaves; then the first has its last vertex twice, and one comes out of the inside.
  const spans = [{ frames: 2, vertices: 4 }, { frames: 1, vertices: 5 }];
  const before = [1, 2, 3, 3, 0];
  const q = [
    [0, 0, 0, 100, 0, 0, 0, 100, 0, 100, 100, 0],
    [0, 0, 0, 110, 0, 0, 0, 110, 0, 110, 110, 0],
    [0, 0, 9, 120, 0, 9, 0, 120, 9, 0, 125, 9, 50, 50, 9],
  ];
  const likely = [
    q[0].map(() => 0), q[0],
    before.flatMap((was) => [0, 1, 2].map((c) => (was > 0 ? 2 * q[1][3 * (was - 1) + c] - q[0][3 * (was - 1) + c] : 0))),
  ];

  function torn(): EmbeddedSource {
    const [low, high]: [number[], number[]] = [[], []];
    q.forEach((frame, n) => {
      for (let c = 0; c < 3; ++c)
        for (let at = c, left = 0; at < frame.length; at += 3) {
          const e = frame[at] - likely[n][at];
          const z = e - left < 0 ? -2 * (e - left) - 1 : 2 * (e - left);
          left = e;
          low.push(z & 255);
          high.push(z >> 8);
        }
    });
    const session = { version: '1', live: false, errors: [], runs: [{ id: 0, name: 'a', frame_rate: 10, frames: 3 }] };
    const none = { obstacle_triangles: new Uint32Array(), obstacle_vertices: new Float32Array() };
    return EmbeddedSource.of(box({}, {
      session: new TextEncoder().encode(JSON.stringify(session)),
      'frames/0': box({ first: 0, every: 1, count: 3, spans, low: [0, 0, 0], high: [65535, 65535, 65535] }, {
        low_bytes: new Uint8Array(low), high_bytes: new Uint8Array(high), poses: new Float32Array(),
        before: differences(before, 1), starts: new Uint16Array([50, 50, 0]),
      }),
      'mesh/0': box({ bodies: 0, vertices: 4, parts: parts(4, 2) }, { triangles: new Uint32Array([0, 1, 2, 2, 1, 3]), lines: new Uint32Array(), ...none }),
      'mesh/0/1': box({ parts: parts(5, 2) }, { triangle_differences: differences([0, 1, 2, 3, 1, 4], 3), line_differences: new Uint32Array() }),
    }));
  }

  it('has a mesh for each span of frames', async () => {
    const source = torn();
    await source.session();
    expect([...(await source.frame(0, 1)).positions]).toEqual(q[1]);
    const frame = await source.frame(0, 2);
    expect([...frame.positions]).toEqual(q[2]);
    expect(frame.bodies).toBe(2);
    expect((await source.mesh(0, 0)).vertices).toBe(4);
    const mesh = await source.mesh(0, frame.bodies);
    expect(mesh.vertices).toBe(5);
    expect([...mesh.triangles]).toEqual([0, 1, 2, 3, 1, 4]);
    await expect(source.mesh(0, 1)).rejects.toThrow('no mesh of frame 1');
  });

  it('knows where each vertex was', async () => {
    const source = torn();
    await source.session();
    const way = await source.field(0, 'displacement', 2);
    [Math.hypot(0, 9), Math.hypot(20, 9), Math.hypot(20, 9), Math.hypot(25, 9), 9].forEach((d, v) => expect(way.values[v]).toBeCloseTo(d, 3));
    // The last vertex was inside of the body in the frame before, and is in no frame after.
    const speed = await source.field(0, 'speed', 2);
    [9, Math.hypot(10, 9), Math.hypot(10, 9), Math.hypot(15, 9), 0].forEach((d, v) => expect(speed.values[v]).toBeCloseTo(10 * d, 3));
    // In the middle: the third vertex goes on as the first of the two that come from it, the fourth not at all.
    const middle = await source.field(0, 'speed', 1);
    [9, Math.hypot(20, 9), Math.hypot(20, 9)].forEach((d, v) => expect(middle.values[v]).toBeCloseTo(5 * d, 3));
    expect(middle.values[3]).toBeCloseTo(10 * Math.hypot(10, 10), 3);
  });

  it('sums differences of either sign', () => {
    expect([...summed(differences([5, 0, 7, 4, 9, 1], 2), 2)]).toEqual([5, 0, 7, 4, 9, 1]);
  });
});
