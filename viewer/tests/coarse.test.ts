import { describe, expect, it } from 'vitest';

import { coarseTriangles } from '../src/coarse';

/** A flat sheet of n by n squares, and another above it. */
function sheets(n: number) {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (const z of [0, 3000])
    for (let i = 0; i <= n; ++i)
      for (let j = 0; j <= n; ++j) {
        const a = positions.length / 3;
        positions.push(Math.round((65535 * i) / n), Math.round((65535 * j) / n), z);
        if (i > 0 && j > 0) triangles.push(a, a - 1, a - n - 2, a, a - n - 2, a - n - 1);
      }
  const [count, each] = [(n + 1) ** 2, 2 * n * n];
  const parts = [
    { first: 0, count, firstTriangle: 0, triangles: each },
    { first: count, count, firstTriangle: each, triangles: each },
  ];
  return { positions: new Uint16Array(positions), triangles: new Uint32Array(triangles), parts, count };
}

describe('the coarse stand-in', () => {
  it('has few triangles, of whole bodies that do not run together', () => {
    const { positions, triangles, parts, count } = sheets(120);
    const few = coarseTriangles(positions, [1, 1, 1], triangles, parts, 4000);
    expect(few.length / 3).toBeLessThan(8000);
    expect(few.length / 3).toBeGreaterThan(400);
    for (let t = 0; t < few.length; t += 3) {
      const bodies = [few[t], few[t + 1], few[t + 2]].map((v) => v < count);
      expect(bodies.every((one) => one === bodies[0])).toBe(true);
    }
  });

  it('covers what the surface covers', () => {
    const { positions, triangles, parts } = sheets(120);
    const few = coarseTriangles(positions, [1, 1, 1], triangles, parts, 4000);
    let area = 0;
    for (let t = 0; t < few.length; t += 3) {
      const [a, b, c] = [few[t], few[t + 1], few[t + 2]].map((v) => [positions[3 * v] / 65535, positions[3 * v + 1] / 65535]);
      area += Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2;
    }
    expect(area).toBeGreaterThan(1.7);
  });

  it('is the surface itself where that is small', () => {
    const { positions, triangles, parts } = sheets(10);
    expect(coarseTriangles(positions, [1, 1, 1], triangles, parts, 4000)).toBe(triangles);
  });
});
