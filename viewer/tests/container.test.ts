import { describe, expect, it } from 'vitest';

import { ContainerError, readContainer } from '../src/container';
import { checkFrame, toField, toFrame, toMesh, toSteps } from '../src/source';
import { box, boxOf } from './boxes';

const complaint = (bytes: Uint8Array): string => {
  try {
    readContainer(bytes, 'frame 3');
  } catch (error) {
    expect(error).toBeInstanceOf(ContainerError);
    return (error as Error).message;
  }
  throw new Error('nothing was said');
};

describe('the container', () => {
  it('gives back what was put in', () => {
    const made = box({ frame: 3, name: 'é' }, { a: new Float32Array([1.5, -2]), b: new Uint16Array([1, 2, 65535]), c: new Float64Array([Math.PI]) });
    const read = readContainer(made, 'it');
    expect(read.head['name']).toBe('é');
    expect(read.names).toEqual(['a', 'b', 'c']);
    expect([...read.array('a', 'f32')]).toEqual([1.5, -2]);
    expect([...read.array('b', 'u16')]).toEqual([1, 2, 65535]);
    expect(read.array('c', 'f64')[0]).toBe(Math.PI);
  });

  it('reads a container within another, wherever that begins', () => {
    const inner = box({}, { v: new Float64Array([7]) });
    for (const shift of [0, 8, 3]) {
      const outer = new Uint8Array(inner.length + 8);
      outer.set(inner, shift);
      expect(readContainer(outer.subarray(shift, shift + inner.length), 'it').array('v', 'f64')[0]).toBe(7);
    }
  });

  it('says so of every place where it is cut off', () => {
    const whole = box({ frame: 1 }, { positions: new Uint16Array(30) });
    for (let length = 0; length < whole.length - 4; ++length)
      expect(complaint(whole.slice(0, length))).toMatch(/^frame 3: (cut off|not data of Pliant)/);
  });

  it('refuses heads that lie', () => {
    const entry = { name: 'a', type: 'f32', offset: 0, count: 1 };
    expect(complaint(boxOf({ arrays: [{ ...entry, count: 3 }] }, 8))).toMatch(/cut off/);
    expect(complaint(boxOf({ arrays: [{ ...entry, offset: 4 }] }, 8))).toMatch(/makes no sense/);
    expect(complaint(boxOf({ arrays: [{ ...entry, offset: -8 }] }, 8))).toMatch(/makes no sense/);
    expect(complaint(boxOf({ arrays: [{ ...entry, count: 1e300 }] }, 8))).toMatch(/makes no sense/);
    expect(complaint(boxOf({ arrays: [{ ...entry, count: 2 ** 52 }] }, 8))).toMatch(/cut off/);
    expect(complaint(boxOf({ arrays: [{ ...entry, type: 'f16' }] }, 8))).toMatch(/unknown type/);
    expect(complaint(boxOf({ arrays: [entry, entry] }, 8))).toMatch(/two arrays/);
    expect(complaint(boxOf({ arrays: [null] }, 8))).toMatch(/without name/);
    expect(complaint(boxOf({ arrays: 3 }, 8))).toMatch(/no arrays/);
    expect(complaint(boxOf([1], 8))).toMatch(/not JSON/);
    expect(complaint(new Uint8Array(64))).toMatch(/not data of Pliant/);
    const broken = box({}, {});
    broken[9] = 0xff;
    expect(complaint(broken)).toMatch(/not JSON/);
  });

  it('refuses arrays of another name or type', () => {
    const read = readContainer(box({}, { a: new Float32Array(1) }), 'it');
    expect(() => read.array('b', 'f32')).toThrow('it: the array "b" is missing');
    expect(() => read.array('a', 'u16')).toThrow('of type f32, not u16');
  });
});

describe('what is in containers', () => {
  const frame = (positions: number, head: Record<string, unknown> = {}) =>
    readContainer(box({ frame: 0, bodies: 0, time: 0.5, low: [0, 1, 2], high: [1, 2, 4], ...head }, { positions: new Uint16Array(positions), poses: new Float32Array(12) }), 'frame 0');
  const PART = { first_vertex: 0, vertices: 4, first_triangle: 0, triangles: 0, first_line: 0, lines: 0 };
  const mesh = (triangles: number[], lines: number[] = [], parts: unknown = [PART]) =>
    readContainer(
      box({ bodies: 0, vertices: 4, parts }, {
        triangles: new Uint32Array(triangles), lines: new Uint32Array(lines),
        obstacle_triangles: new Uint32Array(), obstacle_vertices: new Float32Array(),
      }),
      'the mesh',
    );

  it('is a frame of the mesh, or refused', () => {
    const read = toFrame(frame(12));
    expect(read).toMatchObject({ time: 0.5, low: [0, 1, 2], high: [1, 2, 4], bytes: 72 });
    const surface = toMesh(mesh([0, 1, 2, 0, 2, 3], [0, 3]));
    expect(surface.vertices).toBe(4);
    expect(() => checkFrame(read, surface, 1, 'frame 0')).not.toThrow();
    expect(() => checkFrame(toFrame(frame(9)), surface, 1, 'frame 0')).toThrow('frame 0: 3 vertices, the mesh has 4');
    expect(() => checkFrame(read, surface, 2, 'frame 0')).toThrow('1 poses for 2 obstacles');
    expect(() => toFrame(frame(12, { low: [0, 1] }))).toThrow('"low" is not a list of 3 numbers');
    expect(() => toFrame(frame(12, { time: 'now' }))).toThrow('"time" is not a number');
  });

  it('is a mesh whose indices stay within', () => {
    expect(() => toMesh(mesh([0, 1, 4]))).toThrow('vertex 4 of 4');
    expect(() => toMesh(mesh([0, 1]))).toThrow('not 3 each');
    expect(() => toMesh(mesh([], [0, 9]))).toThrow('vertex 9 of 4');
    expect(() => toMesh(mesh([], [], [{ ...PART, vertices: 5 }]))).toThrow('outside of it');
    expect(() => toMesh(mesh([], [], [{ ...PART, first_line: -1, lines: 1 }]))).toThrow('outside of it');
    expect(() => toMesh(mesh([], [], [null]))).toThrow('outside of it');
    expect(() => toMesh(mesh([], [], 3))).toThrow('which part is which body');
  });

  it('is values and steps', () => {
    const field = toField(readContainer(box({ frame: 0, low: 0, high: 2 }, { values: new Float32Array([0, 2]) }), 'speed'));
    expect(field).toMatchObject({ low: 0, high: 2, bytes: 8 });
    const made = box({ from: 4, rows: 2, columns: ['time'], failed: [5], statuses: { 5: 'iteration limit' } }, { time: new Float64Array([1, 2]) });
    const steps = toSteps(readContainer(made, 'the steps'));
    expect([...steps.columns.get('time')!]).toEqual([1, 2]);
    expect(steps).toMatchObject({ from: 4, rows: 2, failed: [5], statuses: { 5: 'iteration limit' } });
    const short = box({ from: 0, rows: 3 }, { time: new Float64Array(2) });
    expect(() => toSteps(readContainer(short, 'the steps'))).toThrow('2 rows of "time", not 3');
  });
});
