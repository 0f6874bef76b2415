// One run in three dimensions: its bodies, strands and obstacles, and the frame they are in.
import * as THREE from 'three';

import { coarseTriangles } from './coarse';
import { bodyColour } from './colours';
import type { ObstacleStyle, Style } from './link';
import { smoothNormals } from './normals';
import { Rough } from './rough';
import { material, placement, type SharedUniforms } from './shaders';
import type { FieldFrame, Frame, Mesh, RunHead, Vec3 } from './source';

/** Triangles of a surface that are drawn while it moves where all would take too long. */
export const COARSE = 12000;
const EDGE = new THREE.Color(0x16202c);

/** Colour bytes of every vertex, in linear light as shaders compute. */
function tints(head: RunHead, vertices: number): Uint8Array {
  const bytes = new Uint8Array(3 * vertices);
  head.bodies.forEach((body, index) => {
    const colour = new THREE.Color().setRGB(...bodyColour(body.color, index), THREE.SRGBColorSpace);
    const rgb = colour.toArray().map((c) => Math.round(255 * c));
    const end = Math.min(vertices, body.first_vertex + body.vertices);
    for (let v = Math.max(0, body.first_vertex); v < end; ++v) bytes.set(rgb, 3 * v);
  });
  return bytes;
}

/** Every edge of every triangle; those of two triangles twice, which costs less than finding them. */
function edgesOf(triangles: Uint32Array): Uint32Array {
  const edges = new Uint32Array(2 * triangles.length);
  for (let t = 0; t < triangles.length; t += 3)
    for (let k = 0; k < 3; ++k) {
      edges[2 * (t + k)] = triangles[t + k];
      edges[2 * (t + k) + 1] = triangles[t + ((k + 1) % 3)];
    }
  return edges;
}

function constantAttribute(count: number, size: number, value: number[]): THREE.BufferAttribute {
  const array = new Float32Array(count * size);
  for (let i = 0; i < count; ++i) array.set(value, i * size);
  return new THREE.BufferAttribute(array, size);
}

export class RunScene {
  readonly scene = new THREE.Scene();
  /** What is around all bodies of the frame shown, and all obstacles that end somewhere. */
  readonly box = new THREE.Box3();
  /** Frame shown, -1 before the first. */
  shown = -1;
  /** What colours it now. */
  coloured: FieldFrame | null = null;
  private readonly obstacleBox = new THREE.Box3();
  private readonly place = placement();
  private readonly positions: THREE.BufferAttribute;
  private readonly normals: THREE.BufferAttribute;
  private readonly values: THREE.BufferAttribute;
  private readonly geometry = new THREE.BufferGeometry();
  private readonly surface: THREE.Mesh;
  private readonly strands: THREE.LineSegments;
  private readonly obstacles: THREE.Mesh[] = [];
  private edges: THREE.LineSegments | null = null;
  private rough: Rough | null = null;
  private extent: Vec3 = [1, 1, 1];
  private look: Style = 'surface';
  private frame: Frame | null = null;
  /** What the full and the rough surface have been given so far. */
  private readonly given = { full: null as Frame | null, rough: null as Frame | null };
  private readonly valued = { full: null as FieldFrame | null, rough: null as FieldFrame | null };

  constructor(
    readonly head: RunHead,
    readonly mesh: Mesh,
    private readonly shared: SharedUniforms,
  ) {
    const n = mesh.vertices;
    this.positions = new THREE.BufferAttribute(new Uint16Array(3 * n), 3, true);
    this.normals = new THREE.BufferAttribute(new Float32Array(3 * n), 3);
    this.values = new THREE.BufferAttribute(new Float32Array(n), 1);
    for (const attribute of [this.positions, this.normals, this.values]) attribute.setUsage(THREE.DynamicDrawUsage);
    const tint = new THREE.BufferAttribute(tints(head, n), 3, true);
    this.share(this.geometry, tint);
    this.geometry.setIndex(new THREE.BufferAttribute(mesh.triangles, 1));
    const look = material(shared, this.place, { lit: true });
    look.polygonOffset = true;
    look.polygonOffsetFactor = look.polygonOffsetUnits = 1;
    this.surface = new THREE.Mesh(this.geometry, look);
    const strands = this.share(new THREE.BufferGeometry(), tint);
    strands.setIndex(new THREE.BufferAttribute(mesh.lines, 1));
    this.strands = new THREE.LineSegments(strands, material(shared, this.place, { lit: false }));
    this.surface.frustumCulled = this.strands.frustumCulled = false;
    this.surface.visible = mesh.triangles.length > 0;
    this.strands.visible = mesh.lines.length > 0;
    this.scene.add(this.surface, this.strands);
    for (const obstacle of head.obstacles) this.addObstacle(obstacle);
  }

  private share(geometry: THREE.BufferGeometry, tint: THREE.BufferAttribute): THREE.BufferGeometry {
    geometry.setAttribute('position', this.positions);
    geometry.setAttribute('normal', this.normals);
    geometry.setAttribute('value', this.values);
    geometry.setAttribute('tint', tint);
    return geometry;
  }

  private addObstacle(obstacle: RunHead['obstacles'][number]): void {
    const { first_vertex: v, vertices, first_triangle: t, triangles } = obstacle;
    const corners = this.mesh.obstacleVertices.slice(3 * v, 3 * (v + vertices));
    const indices = this.mesh.obstacleTriangles.slice(3 * t, 3 * (t + triangles)).map((index) => index - v);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(corners, 3));
    geometry.setIndex(new THREE.BufferAttribute(indices, 1));
    geometry.computeVertexNormals();
    geometry.computeBoundingBox();
    geometry.setAttribute('tint', constantAttribute(vertices, 3, [0.62, 0.63, 0.65].map((c) => c * c)));
    geometry.setAttribute('value', constantAttribute(vertices, 1, [0]));
    const look = material(this.shared, placement(), { lit: true });
    const mesh = new THREE.Mesh(geometry, look);
    mesh.frustumCulled = false;
    mesh.matrixAutoUpdate = false;
    const whole = { first: 0, count: vertices, firstTriangle: 0, triangles };
    const normals = geometry.getAttribute('normal').array;
    const few = coarseTriangles(corners, [1, 1, 1], indices, [whole], COARSE / 3, normals);
    const rough = new THREE.BufferAttribute(few, 1);
    mesh.userData = { unbounded: obstacle.unbounded, full: geometry.index, rough };
    if (obstacle.unbounded) {
      // Only a part of it is drawn: it fades out rather than end.
      const sphere = new THREE.Sphere();
      geometry.boundingBox!.getBoundingSphere(sphere);
      look.uniforms['fade'].value = sphere.radius * 0.72;
      (look.uniforms['fadeCentre'].value as THREE.Vector3).copy(sphere.center);
      look.transparent = true;
      look.depthWrite = false;
      mesh.renderOrder = -1;
    }
    this.obstacles.push(mesh);
    this.scene.add(mesh);
  }

  /** Puts everything into place. What the surface is made of follows when it is drawn, see `detail`. */
  show(index: number, frame: Frame): void {
    this.shown = index;
    this.frame = frame;
    this.extent = frame.high.map((high, c) => high - frame.low[c]) as Vec3;
    this.place.low.value.set(...frame.low);
    this.place.extent.value.set(...this.extent);
    this.box.set(new THREE.Vector3(...frame.low), new THREE.Vector3(...frame.high));
    this.obstacleBox.makeEmpty();
    this.obstacles.forEach((mesh, k) => {
      const p = frame.poses.subarray(12 * k, 12 * k + 12);
      mesh.matrix.set(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], 0, 0, 0, 1);
      mesh.matrixWorldNeedsUpdate = true;
      const box = mesh.geometry.boundingBox!.clone().applyMatrix4(mesh.matrix);
      if (!mesh.userData['unbounded']) this.obstacleBox.union(box);
    });
    if (!this.obstacleBox.isEmpty()) this.box.union(this.obstacleBox);
  }

  /** The frame's own arrays go to the graphics card; nothing is copied here, but normals computed. */
  private giveFull(frame: Frame): void {
    if (this.given.full === frame) return;
    this.given.full = frame;
    this.positions.array = frame.positions;
    this.positions.needsUpdate = true;
    if (this.mesh.triangles.length === 0) return;
    smoothNormals(frame.positions, this.mesh.triangles, this.extent, this.normals.array as Float32Array);
    this.normals.needsUpdate = true;
  }

  private giveRough(frame: Frame): Rough {
    if (!this.rough) {
      const parts = this.head.bodies.map((body) => ({
        first: body.first_vertex, count: body.vertices, firstTriangle: body.first_triangle, triangles: body.triangles,
      }));
      const tint = this.geometry.getAttribute('tint').array as Uint8Array;
      const look = this.surface.material as THREE.Material;
      this.rough = new Rough(frame.positions, this.extent, this.mesh.triangles, parts, tint, COARSE, look);
      this.scene.add(this.rough.mesh);
    }
    if (this.given.rough !== frame) this.rough.place(frame.positions, this.extent);
    this.given.rough = frame;
    return this.rough;
  }

  /** Before a picture: all triangles, or few that stand for them. */
  detail(all: boolean): void {
    for (const { geometry, userData } of this.obstacles)
      geometry.setIndex((all ? userData['full'] : userData['rough']) as THREE.BufferAttribute);
    if (!this.frame) return;
    const whole = all || this.mesh.triangles.length <= 4.5 * COARSE || this.mesh.lines.length > 0;
    const values = this.place.byValue.value ? this.coloured : null;
    if (whole) {
      this.giveFull(this.frame);
      if (values && this.valued.full !== values) {
        this.values.array = values.values;
        this.values.needsUpdate = true;
        this.valued.full = values;
      }
    } else {
      const rough = this.giveRough(this.frame);
      if (values && this.valued.rough !== values) rough.colour(values.values);
      this.valued.rough = values;
    }
    this.surface.visible = whole && this.look !== 'wireframe' && this.mesh.triangles.length > 0;
    if (this.edges) this.edges.visible = whole && this.look !== 'surface';
    if (this.rough) this.rough.mesh.visible = !whole;
  }

  /** Lowest point of an obstacle without end, where there is one. */
  floor(): number | null {
    let lowest: number | null = null;
    for (const mesh of this.obstacles)
      if (mesh.userData['unbounded']) {
        const y = mesh.geometry.boundingBox!.clone().applyMatrix4(mesh.matrix).min.y;
        lowest = lowest === null ? y : Math.min(lowest, y);
      }
    return lowest;
  }

  /** Colours by values, or as bodies are where there are none; they too follow when it is drawn. */
  colour(field: FieldFrame | null): void {
    this.coloured = field;
    this.place.byValue.value = field !== null && field.values.length === this.mesh.vertices;
  }

  style(style: Style, obstacles: ObstacleStyle, dark: boolean): void {
    this.look = style;
    const solid = style !== 'wireframe';
    if (style !== 'surface' && !this.edges && this.mesh.triangles.length > 0) {
      const geometry = this.share(new THREE.BufferGeometry(), this.geometry.getAttribute('tint') as THREE.BufferAttribute);
      geometry.setIndex(new THREE.BufferAttribute(edgesOf(this.mesh.triangles), 1));
      this.edges = new THREE.LineSegments(geometry, material(this.shared, this.place, { lit: false, flat: EDGE.clone() }));
      this.edges.frustumCulled = false;
      this.scene.add(this.edges);
    }
    if (this.edges) {
      const look = this.edges.material as THREE.ShaderMaterial;
      // Alone they carry the colours; over a surface they must stand out from it.
      look.uniforms['useFlat'].value = solid;
      look.transparent = solid;
      look.uniforms['opacity'].value = solid ? 0.45 : 1;
      (look.uniforms['flatColour'].value as THREE.Color).copy(EDGE).multiplyScalar(dark ? 0.6 : 1);
    }
    for (const mesh of this.obstacles) {
      const look = mesh.material as THREE.ShaderMaterial;
      mesh.visible = obstacles !== 'hidden';
      const faint = obstacles === 'translucent';
      const unbounded = Boolean(mesh.userData['unbounded']);
      look.uniforms['opacity'].value = faint ? 0.28 : unbounded ? 0.8 : 1;
      // A floor is ground, not a thing: it keeps to the colour of the page.
      look.uniforms['useFlat'].value = unbounded;
      (look.uniforms['flatColour'].value as THREE.Color).setStyle(dark ? '#3a4452' : '#d3dae3');
      look.transparent = faint || unbounded;
      look.depthWrite = !look.transparent;
    }
  }

  dispose(): void {
    this.scene.traverse((object) => {
      if (object instanceof THREE.Mesh || object instanceof THREE.LineSegments) {
        object.geometry.dispose();
        (object.material as THREE.Material).dispose();
      }
    });
  }
}
