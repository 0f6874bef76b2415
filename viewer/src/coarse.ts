// A coarse stand-in for a large surface, drawn while something moves on machines that cannot draw all of it in
// time. Vertices are those of the surface: within each cell of a grid one stands for all.

/** Vertices and triangles of one body, counted from `first`. */
export interface Part {
  first: number;
  count: number;
  firstTriangle: number;
  triangles: number;
}

/** Cells of a grid along an axis. */
const MOST_CELLS = 60;

/** One vertex of each cell for all in it. */
function representatives(
  positions: ArrayLike<number>, scale: readonly number[], part: Part, cells: number, normals?: ArrayLike<number>,
): Uint32Array {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const end = 3 * (part.first + part.count);
  for (let i = 3 * part.first; i < end; i += 3)
    for (let c = 0; c < 3; ++c) {
      const x = positions[i + c];
      if (x < low[c]) low[c] = x;
      if (x > high[c]) high[c] = x;
    }
  const size = Math.max(...scale.map((s, c) => s * (high[c] - low[c])), 1e-30) / cells;
  const [x, y, z] = low;
  const [sx, sy, sz] = scale.map((s) => s / size);
  // A cell more on each axis for what lies on its end. The two sides of something thin stay apart.
  const across = cells + 1;
  const first = new Int32Array((normals ? 8 : 1) * across ** 3).fill(-1);
  const stand = new Uint32Array(part.count);
  for (let v = 0; v < part.count; ++v) {
    const i = 3 * (part.first + v);
    let cell = Math.floor((positions[i] - x) * sx);
    cell = across * cell + Math.floor((positions[i + 1] - y) * sy);
    cell = across * cell + Math.floor((positions[i + 2] - z) * sz);
    if (normals) cell = 8 * cell + (normals[i] < 0 ? 4 : 0) + (normals[i + 1] < 0 ? 2 : 0) + (normals[i + 2] < 0 ? 1 : 0);
    if (first[cell] < 0) first[cell] = part.first + v;
    stand[v] = first[cell];
  }
  return stand;
}

/** How many cells along an axis each part is laid into for some `wanted` triangles of all. */
export function cellsFor(parts: readonly Part[], wanted: number): number[] {
  const all = parts.reduce((sum, part) => sum + part.triangles, 0);
  // The surface of a ball passes through some 5 n^2 of n^3 cells, and has two triangles a vertex.
  return parts.map((part) => Math.min(MOST_CELLS, Math.max(4, Math.round(Math.sqrt((wanted * part.triangles) / all / 10)))));
}

/** Some `wanted` triangles, or all of them where they are hardly more. `scale` makes the axes comparable. */
export function coarseTriangles(
  positions: ArrayLike<number>, scale: readonly number[], triangles: Uint32Array, parts: readonly Part[], wanted: number,
  normals?: ArrayLike<number>,
): Uint32Array {
  if (triangles.length / 3 <= 1.5 * wanted) return triangles;
  const chosen = new Uint32Array(triangles.length);
  let count = 0;
  const cells = cellsFor(parts, wanted);
  for (const [k, part] of parts.entries()) {
    const stand = representatives(positions, scale, part, cells[k], normals);
    const end = 3 * (part.firstTriangle + part.triangles);
    for (let t = 3 * part.firstTriangle; t < end; t += 3) {
      const a = stand[triangles[t] - part.first];
      const b = stand[triangles[t + 1] - part.first];
      const c = stand[triangles[t + 2] - part.first];
      if (a === undefined || b === undefined || c === undefined || a === b || b === c || c === a) continue;
      chosen[count++] = a;
      chosen[count++] = b;
      chosen[count++] = c;
    }
  }
  return chosen.slice(0, count);
}
