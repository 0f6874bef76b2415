// The coarse stand-in of a run's surface as something to draw: few vertices of its own, filled from a frame.
import * as THREE from 'three';

import { coarseTriangles, type Part } from './coarse';
import { smoothNormals } from './normals';
import type { Vec3 } from './source';

export class Rough {
  readonly mesh: THREE.Mesh;
  private readonly vertices: Uint32Array;
  private readonly triangles: Uint32Array;
  private readonly positions: THREE.BufferAttribute;
  private readonly normals: THREE.BufferAttribute;
  private readonly values: THREE.BufferAttribute;

  constructor(
    positions: Uint16Array, extent: Vec3, triangles: Uint32Array, parts: readonly Part[], tint: Uint8Array,
    wanted: number, look: THREE.Material,
  ) {
    const few = coarseTriangles(positions, extent.map((e) => e / 65535), triangles, parts, wanted);
    const place = new Int32Array(positions.length / 3).fill(-1);
    const vertices = new Uint32Array(place.length);
    let count = 0;
    for (const vertex of few) {
      if (place[vertex] >= 0) continue;
      place[vertex] = count;
      vertices[count++] = vertex;
    }
    this.vertices = vertices.slice(0, count);
    this.triangles = few.map((vertex) => place[vertex]);
    this.positions = new THREE.BufferAttribute(new Uint16Array(3 * count), 3, true);
    this.normals = new THREE.BufferAttribute(new Float32Array(3 * count), 3);
    this.values = new THREE.BufferAttribute(new Float32Array(count), 1);
    const colours = new Uint8Array(3 * count);
    this.vertices.forEach((vertex, k) => colours.set(tint.subarray(3 * vertex, 3 * vertex + 3), 3 * k));
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', this.positions);
    geometry.setAttribute('normal', this.normals);
    geometry.setAttribute('value', this.values);
    geometry.setAttribute('tint', new THREE.BufferAttribute(colours, 3, true));
    geometry.setIndex(new THREE.BufferAttribute(this.triangles, 1));
    this.mesh = new THREE.Mesh(geometry, look);
    this.mesh.frustumCulled = false;
  }

  place(positions: Uint16Array, extent: Vec3): void {
    const mine = this.positions.array as Uint16Array;
    for (let k = 0; k < this.vertices.length; ++k)
      for (let c = 0; c < 3; ++c) mine[3 * k + c] = positions[3 * this.vertices[k] + c];
    this.positions.needsUpdate = true;
    smoothNormals(mine, this.triangles, extent, this.normals.array as Float32Array);
    this.normals.needsUpdate = true;
  }

  colour(values: Float32Array): void {
    const mine = this.values.array as Float32Array;
    for (let k = 0; k < this.vertices.length; ++k) mine[k] = values[this.vertices[k]];
    this.values.needsUpdate = true;
  }
}
