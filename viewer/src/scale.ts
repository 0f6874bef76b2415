// Axes of charts: from numbers to pixels, and where ticks go.

/** Ticks on an axis, whatever the numbers are. */
const MOST = 50;

export interface Scale {
  log: boolean;
  low: number;
  high: number;
}

/** A scale that shows all of low..high; of numbers that a logarithm does not know none. */
export function scaleFor(low: number, high: number, log: boolean): Scale {
  if (log) {
    if (!(high > 0)) return { log, low: 0.1, high: 1 };
    const bottom = Math.max(low > 0 ? low : high / 1e6, high * 1e-18);
    // Powers of ten that are numbers still.
    const a = Math.min(306, Math.max(-307, Math.floor(Math.log10(bottom) + 1e-9)));
    const b = Math.min(307, Math.ceil(Math.log10(high) - 1e-9));
    return { log, low: 10 ** a, high: 10 ** Math.max(a + 1, b) };
  }
  if (!(low <= high)) return { log, low: 0, high: 1 };
  if (low === high) {
    const half = Math.abs(low) / 2 || 1;
    return { log, low: low === 0 ? 0 : low - half, high: high + half };
  }
  const room = (high - low) * 0.04;
  return { log, low: low === 0 ? 0 : low - room, high: high + room };
}

/** From 0 (low) to 1 (high); numbers that a logarithm does not know lie at the bottom. */
export function place(scale: Scale, value: number): number {
  if (!scale.log) return (value - scale.low) / (scale.high - scale.low);
  if (!(value > scale.low)) return 0;
  return Math.log(value / scale.low) / Math.log(scale.high / scale.low);
}

/** The distance of ticks: 1, 2 or 5 times a power of ten, `count` of them or fewer. */
export function tickDistance(span: number, count: number): number {
  const raw = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw) + 1e-12);
  const factor = raw / power;
  return (factor <= 1 + 1e-9 ? 1 : factor <= 2 + 1e-9 ? 2 : factor <= 5 + 1e-9 ? 5 : 10) * power;
}

export function ticks(scale: Scale, count: number): number[] {
  const list: number[] = [];
  if (scale.log) {
    const [a, b] = [Math.round(Math.log10(scale.low)), Math.round(Math.log10(scale.high))];
    const stride = Math.max(1, Math.ceil((b - a) / Math.max(1, count)));
    for (let power = a; power <= b && list.length < MOST; power += stride) list.push(10 ** power);
    return list;
  }
  const distance = tickDistance(scale.high - scale.low, count);
  if (!(distance > 0) || !Number.isFinite(distance)) return list;
  const first = Math.ceil(scale.low / distance - 1e-9) || 0;
  for (let i = first; i * distance <= scale.high * (1 + 1e-12) + distance * 1e-9 && list.length < MOST; ++i)
    list.push(i * distance);
  return list;
}

/** Short and readable: 1250 -> 1.25k, 0.00012 -> 1.2e-4. */
export function shown(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e15 || size < 1e-3) {
    const [mantissa, exponent] = value.toExponential(2).split('e');
    return `${Number(mantissa)}e${Number(exponent)}`;
  }
  for (const [unit, name] of [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k']] as const)
    if (size >= unit) return `${Number((value / unit).toPrecision(3))}${name}`;
  return String(Number(value.toPrecision(3)));
}

/** 1, 2 or 5 times a power of ten, next to a number above zero. */
function round125(value: number, up: boolean): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const steps = [1, 2, 5, 10].map((step) => step * power);
  return up ? steps.find((step) => step >= value * (1 - 1e-9))! : steps.reverse().find((step) => step <= value * (1 + 1e-9))!;
}

/** A logarithmic scale with some room about numbers above zero, from and to round ones. */
export function roundScale(values: readonly number[]): Scale {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return { log: true, low: round125(low / 1.5, false), high: round125(high * 1.5, true) };
}

/** Ticks of such a scale: 1, 2, 5 within three powers of ten, else powers only. */
export function roundTicks(scale: Scale): number[] {
  const list: number[] = [];
  const few = scale.high / scale.low > 1000;
  for (let power = Math.floor(Math.log10(scale.low) + 1e-9); 10 ** power <= scale.high * (1 + 1e-9) && list.length < MOST; ++power)
    for (const step of few ? [1] : [1, 2, 5]) {
      const tick = step * 10 ** power;
      if (tick >= scale.low * (1 - 1e-9) && tick <= scale.high * (1 + 1e-9)) list.push(tick);
    }
  return list;
}
