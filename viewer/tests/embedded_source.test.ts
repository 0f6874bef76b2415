import { describe, expect, it } from 'vitest';

import { decodedPositions, distances, EmbeddedSource } from '../src/embedded_source';
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
    'frames/0': box({ first: 0, every: 1, count: FRAMES.length, vertices: VERTICES, low: [0, 0, 0], high: [1, 1, 2] }, { low_bytes: low, high_bytes: high, poses: new Float32Array(12 * FRAMES.length) }),
    'steps/0': box({ from: 0, rows: 1, failed: [], statuses: {} }, { time: new Float64Array([0.1]) }),
  });
  return EmbeddedSource.of(whole.slice(0, length));
}

describe('positions in a report', () => {
  it('come back to the last bit', () => {
    const { low, high } = coded(FRAMES, VERTICES);
    const all = decodedPositions(low, high, FRAMES.length, VERTICES);
    FRAMES.forEach((frame, n) => expect([...all.subarray(15 * n, 15 * n + 15)]).toEqual([...frame]));
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
    time, low: [0, 0, 0], high: [1, 2, 4], positions: new Uint16Array(q), poses: new Float32Array(), bytes: 0,
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
