// Colours of values, bodies and runs.
import type { Vec3 } from './source';

const toLinear = (c: number): number => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const fromLinear = (c: number): number => (c <= 0.0031308 ? 12.92 * c : 1.055 * Math.max(0, c) ** (1 / 2.4) - 0.055);

/** sRGB to Oklab (Ottosson 2020), in which equal steps look equal. */
function toOklab([r, g, b]: Vec3): Vec3 {
  const [x, y, z] = [toLinear(r), toLinear(g), toLinear(b)];
  const l = Math.cbrt(0.4122214708 * x + 0.5363325363 * y + 0.0514459929 * z);
  const m = Math.cbrt(0.2119034982 * x + 0.6806995451 * y + 0.1073969566 * z);
  const s = Math.cbrt(0.0883024619 * x + 0.2817188376 * y + 0.6299787005 * z);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromOklab([L, a, b]: Vec3): Vec3 {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const rgb = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return rgb.map((c) => Math.min(1, Math.max(0, fromLinear(c)))) as Vec3;
}

// Lightness rises all the way, so that the order is seen without colour too.
const SEQUENCE: Vec3[] = [[0.24, 0.19, 0.54], [0.2, 0.4, 0.7], [0.13, 0.6, 0.6], [0.52, 0.8, 0.42], [0.99, 0.91, 0.47]];
const YES_NO: Vec3[] = [[0.72, 0.74, 0.78], [0.86, 0.13, 0.12]];

/** 256 colours, four bytes each, from low to high. */
export function colourMap(field: string): Uint8Array {
  const stops = (field === 'inverted' ? YES_NO : SEQUENCE).map(toOklab);
  const bytes = new Uint8Array(1024);
  for (let i = 0; i < 256; ++i) {
    const at = (i / 255) * (stops.length - 1);
    const k = Math.min(stops.length - 2, Math.floor(at));
    const mix = stops[k].map((c, j) => c + (stops[k + 1][j] - c) * (at - k)) as Vec3;
    bytes.set([...fromOklab(mix).map((c) => Math.round(255 * c)), 255], 4 * i);
  }
  return bytes;
}

export function cssGradient(field: string): string {
  const map = colourMap(field);
  const stops = [];
  for (let i = 0; i <= 16; ++i) {
    const k = 4 * Math.min(255, i * 16);
    stops.push(`rgb(${map[k]} ${map[k + 1]} ${map[k + 2]})`);
  }
  return `linear-gradient(to right, ${stops.join(', ')})`;
}

/** For bodies to which the scene gives no colour. */
const BODIES: Vec3[] = [
  [0.42, 0.65, 0.86], [0.93, 0.62, 0.4], [0.55, 0.76, 0.5], [0.83, 0.52, 0.62],
  [0.66, 0.57, 0.83], [0.87, 0.78, 0.45], [0.4, 0.74, 0.72], [0.74, 0.68, 0.6],
];

export function bodyColour(given: Vec3 | null, index: number): Vec3 {
  return given ?? BODIES[index % BODIES.length];
}

/** What the colours range over, where values do so from `low` to `high`. */
export function rangeFor(low: number, high: number): [number, number] {
  // A lowest value that is next to nothing is nothing, and one value alone needs some room.
  const bottom = low > 0 && low < 0.01 * high ? 0 : low;
  return [bottom, high > bottom ? high : bottom + Math.max(1e-6, Math.abs(bottom) * 1e-3)];
}
