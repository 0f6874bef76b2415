import { describe, expect, it } from 'vitest';

import { extremes, nearestRow } from '../src/chart';
import { place, roundScale, roundTicks, scaleFor, shown, tickDistance, ticks } from '../src/scale';

describe('scales', () => {
  it('put low at the bottom and high at the top', () => {
    const scale = scaleFor(10, 20, false);
    expect(place(scale, 10)).toBeGreaterThan(0);
    expect(place(scale, 20)).toBeLessThan(1);
    expect(place(scale, 15)).toBeCloseTo(0.5, 12);
    expect(scaleFor(0, 8, false).low).toBe(0);
  });

  it('know one number, none, and nonsense', () => {
    expect(place(scaleFor(5, 5, false), 5)).toBeCloseTo(0.5);
    expect(place(scaleFor(0, 0, false), 0)).toBe(0);
    for (const scale of [scaleFor(Infinity, -Infinity, false), scaleFor(NaN, NaN, true), scaleFor(-2, 0, true)]) {
      expect(scale.high).toBeGreaterThan(scale.low);
      expect(ticks(scale, 4).length).toBeGreaterThan(0);
    }
  });

  it('are logarithmic over whole powers of ten', () => {
    const scale = scaleFor(3e-7, 0.2, true);
    expect(scale.low).toBeCloseTo(1e-7, 20);
    expect(scale.high).toBeCloseTo(1, 12);
    expect(place(scale, Math.sqrt(scale.low * scale.high))).toBeCloseTo(0.5, 12);
    expect(place(scale, 0)).toBe(0);
    expect(place(scale, -1)).toBe(0);
    expect(ticks(scale, 8)).toHaveLength(8);
    expect(ticks(scale, 3).length).toBeLessThanOrEqual(4);
    expect(scaleFor(10, 10, true)).toMatchObject({ low: 10, high: 100 });
  });
});

describe('round logarithmic scales', () => {
  it('hold all numbers with room, and few ticks', () => {
    const scale = roundScale([0.9, 7]);
    expect(scale.low).toBeCloseTo(0.5, 12);
    expect(scale.high).toBeCloseTo(20, 12);
    expect(roundTicks(scale).map((tick) => Number(tick.toPrecision(3)))).toEqual([0.5, 1, 2, 5, 10, 20]);
    expect(roundTicks(roundScale([1e-6, 1])).length).toBeLessThan(10);
    for (const value of [1e-9, 1, 3, 1e7]) {
      const one = roundScale([value]);
      expect(one.low < value && value < one.high && roundTicks(one).length > 1).toBe(true);
    }
  });
});

describe('ticks', () => {
  it('are round', () => {
    expect(tickDistance(10, 5)).toBe(2);
    expect(tickDistance(1, 4)).toBeCloseTo(0.5, 12);
    expect(tickDistance(0.7, 4)).toBeCloseTo(0.2, 12);
    expect(ticks({ log: false, low: -1, high: 1 }, 4)).toEqual([-1, -0.5, 0, 0.5, 1]);
    expect(ticks({ log: false, low: 0, high: 3 }, 5)).toEqual([0, 1, 2, 3]);
  });

  it('lie within, for any size', () => {
    for (const size of [1e-12, 1e-3, 1, 7e5, 1e18])
      for (const low of [0, -0.3 * size, 0.2 * size]) {
        const list = ticks({ log: false, low, high: size }, 5);
        expect(list.length).toBeGreaterThan(1);
        expect(list.length).toBeLessThan(9);
        for (const tick of list) expect(tick >= low - 1e-9 * size && tick <= size * (1 + 1e-9)).toBe(true);
      }
  });

  it('are written shortly', () => {
    const pairs: [number, string][] = [
      [0, '0'], [1, '1'], [1250, '1.25k'], [2e6, '2M'], [-3500, '-3.5k'], [0.00012, '1.2e-4'], [0.25, '0.25'], [1e16, '1e16'], [NaN, '–'],
    ];
    for (const [value, text] of pairs) expect(shown(value)).toBe(text);
  });
});

describe('charts', () => {
  it('find what to show', () => {
    const y = new Float64Array([3, NaN, -1, Infinity, 8]);
    expect(extremes([{ y }], false)).toEqual([-1, 8]);
    expect(extremes([{ y }, { y: new Float64Array([0, 20]) }], true)).toEqual([3, 20]);
  });

  it('find the nearest row', () => {
    const x = new Float64Array([1, 2, 3, 10]);
    expect([-5, 1.4, 1.6, 6, 7, 99].map((time) => nearestRow(x, time))).toEqual([0, 0, 1, 2, 3, 3]);
    expect(nearestRow(new Float64Array([4]), 0)).toBe(0);
  });
});

it('numbers at the end of all numbers have an axis, and few ticks', () => {
  for (const high of [1.7e308, 5e-324, Infinity]) {
    const scale = scaleFor(high / 10, high, true);
    expect(Number.isFinite(scale.high) && scale.high > scale.low && scale.low > 0).toBe(true);
    expect(ticks(scale, 5).length).toBeLessThanOrEqual(50);
  }
});
