import { describe, expect, it } from 'vitest';

import { advanced, commonSpan, frameAt, placeOf } from '../src/clock';

describe('the clock', () => {
  it('counts frames of the fastest run until the longest ends', () => {
    expect(commonSpan([{ rate: 24, count: 49 }, { rate: 60, count: 61 }])).toEqual({ rate: 60, count: 121 });
    expect(commonSpan([{ rate: 24, count: 1 }])).toEqual({ rate: 24, count: 1 });
    expect(commonSpan([]).count).toBe(0);
  });

  it('shows runs at the same time', () => {
    const clock = { rate: 60, count: 121 };
    expect(frameAt(60, clock, { rate: 24, count: 49 })).toBe(24);
    expect(frameAt(120, clock, { rate: 60, count: 61 })).toBe(60);
    expect(frameAt(0.7, clock, { rate: 60, count: 61 })).toBe(0);
  });

  it('finds the frame that a step leads to', () => {
    const clock = { rate: 24, count: 73 };
    for (let frame = 0; frame < 73; ++frame) expect(placeOf(frame / 24, clock)).toBe(frame);
    expect(placeOf(1.5 / 24, clock)).toBe(2);
    expect(placeOf(99, clock)).toBe(72);
    expect(placeOf(-1, clock)).toBe(0);
  });

  it('goes on, begins anew, or ends', () => {
    const clock = { rate: 10, count: 20 };
    expect(advanced(3, 0.1, 1, clock, false).place).toBeCloseTo(4);
    expect(advanced(3, 0.1, 0.5, clock, false).place).toBeCloseTo(3.5);
    expect(advanced(19.5, 0.1, 1, clock, true).place).toBeCloseTo(0.5);
    expect(advanced(19.5, 0.1, 1, clock, false)).toEqual({ place: 19, ended: true });
    expect(advanced(0, 5, 1, { rate: 10, count: 1 }, true)).toEqual({ place: 0, ended: true });
  });
});
