import { describe, expect, it } from 'vitest';

import { smoothNormals } from '../src/normals';
import { panes } from '../src/stage';
import { StepsTable } from '../src/steps_table';
import { flattened } from '../src/tables';

describe('smooth normals', () => {
  it('of a sphere, quantised in a box that is not a cube, point outwards', () => {
    const [rings, around] = [24, 48];
    const extent: [number, number, number] = [2, 6, 4];
    const q: number[] = [];
    const triangles: number[] = [];
    for (let i = 1; i < rings; ++i)
      for (let j = 0; j < around; ++j) {
        const [a, b] = [(i / rings) * Math.PI, (j / around) * 2 * Math.PI];
        const x = [Math.sin(a) * Math.cos(b), Math.cos(a), Math.sin(a) * Math.sin(b)];
        q.push(...x.map((c, k) => Math.round(((c * 0.9 + extent[k] / 2) / extent[k]) * 65535)));
        const k = (i - 1) * around;
        const next = (j + 1) % around;
        if (i > 1) triangles.push(k + j, k - around + j, k - around + next, k + j, k - around + next, k + next);
      }
    const normals = new Float32Array(q.length).fill(9);
    smoothNormals(new Uint16Array(q), new Uint32Array(triangles), extent, normals);
    for (let v = around; v < q.length / 3 - around; ++v) {
      const x = [0, 1, 2].map((c) => (q[3 * v + c] / 65535) * extent[c] - extent[c] / 2);
      const n = [...normals.subarray(3 * v, 3 * v + 3)];
      const dot = x.reduce((sum, c, k) => sum + c * n[k], 0) / (Math.hypot(...x) * Math.hypot(...n));
      expect(Math.abs(dot)).toBeGreaterThan(0.995);
      expect(Math.hypot(...n)).toBeLessThan(1e6);
    }
  });

  it('of a vertex without triangles are zero, and flat boxes make no nonsense', () => {
    const normals = new Float32Array(12);
    smoothNormals(new Uint16Array([0, 0, 0, 65535, 0, 0, 0, 0, 65535, 7, 7, 7]), new Uint32Array([0, 2, 1]), [1, 0, 1], normals);
    expect(normals[1]).toBeGreaterThan(0);
    expect([...normals.subarray(9)]).toEqual([0, 0, 0]);
    expect(normals.every(Number.isFinite)).toBe(true);
  });
});

describe('parts of the canvas', () => {
  it('lie beside each other', () => {
    expect(panes(1, 100, 50)).toEqual([{ x: 0, y: 0, width: 100, height: 50 }]);
    expect(panes(2, 100, 50).map((pane) => pane.x)).toEqual([0, 50]);
    expect(panes(4, 100, 50)[3]).toEqual({ x: 50, y: 25, width: 50, height: 25 });
  });
});

describe('the table of steps', () => {
  const rows = (from: number, times: number[], failed: number[] = []) => ({
    from, rows: times.length, columns: new Map([['time', new Float64Array(times)]]), failed,
    statuses: Object.fromEntries(failed.map((row) => [String(row), 'iteration limit'])),
  });

  it('grows, and takes no row twice', () => {
    const table = new StepsTable();
    expect(table.append(rows(0, [1, 2]))).toBe(true);
    expect(table.append(rows(0, [1, 2, 3]))).toBe(false);
    expect(table.append(rows(2, [3, 4, 5], [3]))).toBe(true);
    expect([...table.column('time')]).toEqual([1, 2, 3, 4, 5]);
    expect(table.failed).toEqual([3]);
    expect(table.statuses.get(3)).toBe('iteration limit');
    expect(table.column('nothing')).toHaveLength(0);
  });
});

describe('the summary', () => {
  it('becomes rows of text', () => {
    expect(flattened({ a: 1.23456789, b: { c: 'x', d: [1, 2] }, e: null, f: [{ g: 1 }], h: [] })).toEqual([
      ['a', '1.23457'], ['b.c', 'x'], ['b.d', '1, 2'],
    ]);
  });
});
