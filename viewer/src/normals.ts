// Smooth shading of a deformed surface: the normal of a vertex is the sum of its triangles' normals, weighted by
// their areas.

/**
 * From quantised positions, without allocating: cross products are summed in quantised units and scaled once a
 * vertex, since the extent of the box differs by axis. What is written to `out` has no particular length.
 */
export function smoothNormals(
  positions: Uint16Array, triangles: Uint32Array, extent: readonly [number, number, number], out: Float32Array,
): void {
  out.fill(0);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const ax = positions[a], ay = positions[a + 1], az = positions[a + 2];
    const ux = positions[b] - ax, uy = positions[b + 1] - ay, uz = positions[b + 2] - az;
    const vx = positions[c] - ax, vy = positions[c + 1] - ay, vz = positions[c + 2] - az;
    const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    out[a] += nx; out[a + 1] += ny; out[a + 2] += nz;
    out[b] += nx; out[b + 1] += ny; out[b + 2] += nz;
    out[c] += nx; out[c + 1] += ny; out[c + 2] += nz;
  }
  // Scaled by the largest extent, so that the shader's squares stay within its numbers.
  const largest = Math.max(...extent) || 1;
  const [x, y, z] = extent.map((e) => e / largest);
  const unit = 1 / 65535;
  const sx = y * z * unit, sy = z * x * unit, sz = x * y * unit;
  for (let i = 0; i < out.length; i += 3) {
    out[i] *= sx;
    out[i + 1] *= sy;
    out[i + 2] *= sz;
  }
}
