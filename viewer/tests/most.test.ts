import { describe, expect, it } from 'vitest';

import { mostOf } from '../src/most';
import type { Frame } from '../src/source';

/** A line of 1000 vertices from 0 to 1000, and some far away. */
function frame(bodies: number, far: number): Frame {
  const positions = new Uint16Array(3 * (1000 + far));
  for (let v = 0; v < 1000; ++v) positions.fill(v, 3 * v, 3 * v + 3);
  positions.fill(65535, 3000);
  return { time: 0, bodies, low: [0, 0, 0], high: [65535, 65535, 65535], positions, poses: new Float32Array(), bytes: 0 };
}

describe('the box of most of a frame', () => {
  it('is around all of it before anything has torn', () => {
    expect(mostOf(frame(0, 10))).toEqual([[0, 0, 0], [65535, 65535, 65535]]);
  });

  it('leaves out scraps that fly away, and nothing else', () => {
    const [low, high] = mostOf(frame(7, 10));
    expect(low).toEqual([0, 0, 0]);
    expect(high[0]).toBeGreaterThanOrEqual(999);
    expect(high[0]).toBeLessThan(1200);
    expect(mostOf(frame(0, 0))[1][0]).toBeLessThan(1100);
    expect(mostOf(frame(7, 200))[1]).toEqual([65535, 65535, 65535]);
  });
});
