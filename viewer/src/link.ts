// What a link remembers, in the fragment of the address: view, time, colours, runs; and the token, which lets one
// command a live run. Links to pass on have the key instead, which lets one look.

export const STYLES = ['surface', 'edges', 'wireframe'] as const;
export type Style = (typeof STYLES)[number];
export const OBSTACLES = ['solid', 'translucent', 'hidden'] as const;
export type ObstacleStyle = (typeof OBSTACLES)[number];
export type Axis = 'x' | 'y' | 'z';

export interface Clip {
  axis: Axis;
  /** From 0 to 1 through the box of all that is shown. */
  at: number;
  flipped: boolean;
}

export interface LinkState {
  token: string;
  key: string;
  runs: number[];
  time: number;
  /** Position, then target. */
  camera: number[] | null;
  field: string;
  range: [number, number] | null;
  style: Style;
  obstacles: ObstacleStyle;
  clip: Clip | null;
  grid: boolean;
  speed: number;
  loop: boolean;
}

export function defaultState(): LinkState {
  return {
    token: '', key: '', runs: [], time: 0, camera: null, field: '', range: null, style: 'surface', obstacles: 'solid',
    clip: null, grid: true, speed: 1, loop: true,
  };
}

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

const short = (x: number): string => String(Number(x.toPrecision(6)));

export function toFragment(state: LinkState, withToken: boolean): string {
  const parts: [string, string][] = [];
  const usual = defaultState();
  if (withToken && state.token) parts.push(['token', state.token]);
  else if (state.key) parts.push(['key', state.key]);
  if (state.runs.length > 0) parts.push(['runs', state.runs.join(',')]);
  if (state.time > 0) parts.push(['time', short(state.time)]);
  if (state.camera) parts.push(['camera', state.camera.map(short).join(',')]);
  if (state.field) parts.push(['color', state.field]);
  if (state.range) parts.push(['range', state.range.map(short).join(',')]);
  if (state.style !== usual.style) parts.push(['style', state.style]);
  if (state.obstacles !== usual.obstacles) parts.push(['obstacles', state.obstacles]);
  if (state.clip) parts.push(['clip', `${state.clip.axis},${short(state.clip.at)}${state.clip.flipped ? ',flipped' : ''}`]);
  if (!state.grid) parts.push(['grid', 'off']);
  if (state.speed !== usual.speed) parts.push(['speed', short(state.speed)]);
  if (!state.loop) parts.push(['loop', 'off']);
  return parts.map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll('%2C', ',')}`).join('&');
}

function numbers(text: string | null, count: number): number[] | null {
  const list = (text ?? '').split(',').map(Number);
  return text && list.length === count && list.every(Number.isFinite) ? list : null;
}

function clipOf(text: string | null): Clip | null {
  const [axis, at, flipped] = (text ?? '').split(',');
  const place = Number(at);
  if (!['x', 'y', 'z'].includes(axis) || !(place >= 0 && place <= 1)) return null;
  return { axis: axis as Axis, at: place, flipped: flipped === 'flipped' };
}

/** Never fails: what it cannot read stays as usual. */
export function fromFragment(fragment: string): LinkState {
  const given = new URLSearchParams(fragment.replace(/^#/, ''));
  const state = defaultState();
  state.token = given.get('token') ?? '';
  state.key = given.get('key') ?? '';
  const runs = (given.get('runs') ?? '').split(',').filter((text) => /^\d{1,6}$/.test(text)).map(Number);
  state.runs = [...new Set(runs)].slice(0, 4);
  state.time = Math.max(0, numbers(given.get('time'), 1)?.[0] ?? 0);
  state.camera = numbers(given.get('camera'), 6);
  state.field = given.get('color') ?? '';
  const range = numbers(given.get('range'), 2);
  if (range && range[0] < range[1]) state.range = [range[0], range[1]];
  state.style = STYLES.find((style) => style === given.get('style')) ?? state.style;
  state.obstacles = OBSTACLES.find((style) => style === given.get('obstacles')) ?? state.obstacles;
  state.clip = clipOf(given.get('clip'));
  state.grid = given.get('grid') !== 'off';
  state.speed = SPEEDS.find((speed) => speed === Number(given.get('speed'))) ?? 1;
  state.loop = given.get('loop') !== 'off';
  return state;
}
