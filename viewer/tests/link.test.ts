import { describe, expect, it } from 'vitest';

import { defaultState, fromFragment, toFragment, type LinkState } from '../src/link';

const full: LinkState = {
  token: 'secret&=#', key: '', runs: [2, 0, 5], time: 1.25, camera: [1, 2.5, -3, 0, 1e-7, 0], field: 'energy-density',
  range: [-1, 20000], style: 'edges', obstacles: 'translucent', clip: { axis: 'z', at: 0.25, flipped: true },
  grid: false, speed: 0.25, loop: false,
};

describe('the link', () => {
  it('remembers everything', () => {
    expect(fromFragment(`#${toFragment(full, true)}`)).toEqual(full);
    expect(fromFragment(toFragment(defaultState(), true))).toEqual(defaultState());
  });

  it('shows the token only when asked', () => {
    expect(toFragment(full, false)).not.toContain('secret');
    expect(fromFragment(toFragment(full, false)).token).toBe('');
    expect(fromFragment('#token=abc').token).toBe('abc');
  });

  it('has the key, which lets one look, where it has no token', () => {
    const state = { ...full, key: 'look' };
    expect(toFragment(state, true)).not.toContain('look');
    expect(fromFragment(toFragment(state, false)).key).toBe('look');
  });

  it('stays as usual where it makes no sense', () => {
    const usual = defaultState();
    for (const part of [
      'time=soon', 'time=-3', 'camera=1,2,3', 'camera=1,2,3,4,5,NaN', 'range=3,1', 'range=1', 'style=x', 'clip=w,0.5',
      'clip=x,2', 'clip=x', 'speed=100', 'speed=NaN', 'obstacles=', 'runs=-1', 'runs=a,b', '%%%', '&&==', 'nonsense=1',
    ])
      expect(fromFragment(`#${part}`), part).toEqual(usual);
  });

  it('takes at most four runs, each once', () => {
    expect(fromFragment('#runs=1,1,x,2,3,4,5').runs).toEqual([1, 2, 3, 4]);
  });
});
