// One run in three dimensions: its bodies, strands and obstacles, and the frame they are in.
import * as THREE from 'three';

import { cellsFor, coarseTriangles } from './coarse';
import { bodyColour } from './colours';
import type { ObstacleStyle, Style } from './link';
import { mostOf } from './most';
import { smoothNormals } from './normals';
import { Rough } from './rough';
import { material, placement, type SharedUniforms } from './shaders';
import type { FieldFrame, Frame, Mesh, RunHead, Vec3 } from './source';

/** Triangles of a surface that are drawn while it moves where all would take too long; where these do too, a part of them. */
export const COARSE = 12000;
const EDGE = new THREE.Color(0x16202c);
/** Of positions within their box. Given so that it is not looked for in them when objects are put into order. */
const UNIT = new THREE.Sphere(new THREE.Vector3(0.5, 0.5, 0.5), Math.sqrt(0.75));

/** Colour bytes of every vertex, in linear light as shaders compute. */
function tints(head: RunHead, mesh: Mesh): Uint8Array {
  const bytes = new Uint8Array(3 * mesh.vertices);
  mesh.parts.forEach((part, index) => {
    const colour = new THREE.Color().setRGB(...bodyColour(head.bodies[index]?.color ?? null, index), THREE.SRGBColorSpace);
    const [red, green, blue] = colour.toArray().map((c) => Math.round(255 * c));
    for (let i = 3 * part.first_vertex; i < 3 * (part.first_vertex + part.vertices); i += 3) {
      bytes[i] = red;
      bytes[i + 1] = green;
      bytes[i + 2] = blue;
    }
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

/** Where an obstacle is in a frame. */
function poseOf(frame: Frame, obstacle: number): THREE.Matrix4 {
  const p = frame.poses.subarray(12 * obstacle, 12 * obstacle + 12);
  return new THREE.Matrix4().set(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], 0, 0, 0, 1);
}

function constantAttribute(count: number, value: number[]): THREE.BufferAttribute {
  const array = new Float32Array(count * value.length);
  for (let i = 0; i < array.length; ++i) array[i] = value[i % value.length];
  return new THREE.BufferAttribute(array, value.length);
}

export class RunScene {
  readonly scene = new THREE.Scene();
  /** What is around all bodies of the frame shown, and all obstacles that end somewhere. */
  readonly box = new THREE.Box3();
  /** Frame shown, -1 before the first. */
  shown = -1;
  /** What colours it now. */
  coloured: FieldFrame | null = null;
  private readonly place = placement();
  private positions!: THREE.BufferAttribute;
  private normals!: THREE.BufferAttribute;
  private values!: THREE.BufferAttribute;
  private readonly surface: THREE.Mesh;
  private readonly strands: THREE.LineSegments;
  private readonly obstacles: THREE.Mesh[] = [];
  private edges: THREE.LineSegments | null = null;
  private rough: Rough | null = null;
  /** The cells of the rough surface. */
  private roughly = '';
  private extent: Vec3 = [1, 1, 1];
  private look: Style = 'surface';
  private frame: Frame | null = null;
  /** What the full and the rough surface have been given so far. */
  private readonly given = { full: null as Frame | null, rough: null as Frame | null };
  private readonly valued = { full: null as FieldFrame | null, rough: null as FieldFrame | null };

  constructor(
    readonly head: RunHead,
    public mesh: Mesh,
    private readonly shared: SharedUniforms,
  ) {
    const look = material(shared, this.place, { lit: true });
    look.polygonOffset = true;
    look.polygonOffsetFactor = look.polygonOffsetUnits = 1;
    this.surface = new THREE.Mesh(new THREE.BufferGeometry(), look);
    this.strands = new THREE.LineSegments(new THREE.BufferGeometry(), material(shared, this.place, { lit: false }));
    this.surface.frustumCulled = this.strands.frustumCulled = false;
    this.scene.add(this.surface, this.strands);
    for (const obstacle of head.obstacles) this.addObstacle(obstacle);
    this.fill(mesh);
  }

  /** Makes everything that is drawn of a mesh anew. */
  private fill(mesh: Mesh): void {
    this.mesh = mesh;
    const n = mesh.vertices;
    this.positions = new THREE.BufferAttribute(new Uint16Array(3 * n), 3, true);
    this.normals = new THREE.BufferAttribute(new Float32Array(3 * n), 3);
    this.values = new THREE.BufferAttribute(new Float32Array(n), 1);
    for (const attribute of [this.positions, this.normals, this.values]) attribute.setUsage(THREE.DynamicDrawUsage);
    const tint = new THREE.BufferAttribute(tints(this.head, mesh), 3, true);
    const indexed = (object: THREE.Mesh | THREE.LineSegments, corners: Uint32Array): void => {
      (object.geometry as THREE.BufferGeometry).dispose();
      object.geometry = this.share(new THREE.BufferGeometry(), tint).setIndex(new THREE.BufferAttribute(corners, 1));
      object.visible = corners.length > 0;
    };
    indexed(this.surface, mesh.triangles);
    indexed(this.strands, mesh.lines);
    if (this.edges) indexed(this.edges, edgesOf(mesh.triangles));
    this.dropRough();
    this.given.full = this.given.rough = null;
    this.valued.full = this.valued.rough = null;
  }

  private dropRough(): void {
    if (!this.rough) return;
    this.scene.remove(this.rough.mesh);
    (this.rough.mesh.geometry as THREE.BufferGeometry).dispose();
    this.rough = null;
  }

  private share(geometry: THREE.BufferGeometry, tint: THREE.BufferAttribute): THREE.BufferGeometry {
    geometry.setAttribute('position', this.positions);
    geometry.setAttribute('normal', this.normals);
    geometry.setAttribute('value', this.values);
    geometry.setAttribute('tint', tint);
    geometry.boundingSphere = UNIT;
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
    geometry.boundingSphere = geometry.boundingBox!.getBoundingSphere(new THREE.Sphere());
    geometry.setAttribute('tint', constantAttribute(vertices, [0.62, 0.63, 0.65].map((c) => c * c)));
    geometry.setAttribute('value', constantAttribute(vertices, [0]));
    const look = material(this.shared, placement(), { lit: true });
    const mesh = new THREE.Mesh(geometry, look);
    mesh.frustumCulled = false;
    mesh.matrixAutoUpdate = false;
    const whole = { first: 0, count: vertices, firstTriangle: 0, triangles };
    const normals = geometry.getAttribute('normal').array;
    const few = coarseTriangles(corners, [1, 1, 1], indices, [whole], COARSE / 3, normals);
    // A geometry of its own, which gives its indices back with it; the rest is shared.
    const rough = new THREE.BufferGeometry();
    for (const [name, attribute] of Object.entries(geometry.attributes)) rough.setAttribute(name, attribute);
    rough.setIndex(new THREE.BufferAttribute(few, 1));
    rough.boundingBox = geometry.boundingBox;
    rough.boundingSphere = geometry.boundingSphere;
    mesh.userData = { unbounded: obstacle.unbounded, full: geometry, rough };
    if (obstacle.unbounded) {
      // Only a part of it is drawn: it fades out rather than end.
      const sphere = geometry.boundingSphere;
      look.uniforms['fade'].value = sphere.radius * 0.72;
      (look.uniforms['fadeCentre'].value as THREE.Vector3).copy(sphere.center);
      look.transparent = true;
      look.depthWrite = false;
      mesh.renderOrder = -1;
    }
    this.obstacles.push(mesh);
    this.scene.add(mesh);
  }

  /** What is around the bodies of a frame, but for scraps, and around the obstacles in it that end somewhere. */
  boxIn(frame: Frame): THREE.Box3 {
    return this.boxWith(frame, ...mostOf(frame));
  }

  /** That of the frame shown. */
  mostBox(): THREE.Box3 {
    return this.frame ? this.boxIn(this.frame) : this.box;
  }

  private boxWith(frame: Frame, low: Vec3, high: Vec3): THREE.Box3 {
    const box = new THREE.Box3(new THREE.Vector3(...low), new THREE.Vector3(...high));
    this.obstacles.forEach((mesh, k) => {
      if (!mesh.userData['unbounded']) box.union(mesh.geometry.boundingBox!.clone().applyMatrix4(poseOf(frame, k)));
    });
    return box;
  }

  /** Lowest point in a frame of an obstacle without end, where there is one. */
  floorIn(frame: Frame): number | null {
    let lowest: number | null = null;
    this.obstacles.forEach((mesh, k) => {
      if (!mesh.userData['unbounded']) return;
      const { y } = mesh.geometry.boundingBox!.clone().applyMatrix4(poseOf(frame, k)).min;
      lowest = lowest === null ? y : Math.min(lowest, y);
    });
    return lowest;
  }

  /** Puts everything into place. What the surface is made of follows when it is drawn, see `detail`. */
  show(index: number, frame: Frame, mesh: Mesh): void {
    if (mesh !== this.mesh) this.fill(mesh);
    this.shown = index;
    this.frame = frame;
    this.extent = frame.high.map((high, c) => high - frame.low[c]) as Vec3;
    this.place.low.value.set(...frame.low);
    this.place.extent.value.set(...this.extent);
    this.box.copy(this.boxWith(frame, frame.low, frame.high));
    this.obstacles.forEach((one, k) => {
      one.matrix.copy(poseOf(frame, k));
      one.matrixWorldNeedsUpdate = true;
    });
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

  private giveRough(frame: Frame, wanted: number): Rough {
    const parts = this.mesh.parts.map((part) => ({
      first: part.first_vertex, count: part.vertices, firstTriangle: part.first_triangle, triangles: part.triangles,
    }));
    // Many bodies may be as coarse as they can be already.
    const cells = String(cellsFor(parts, wanted));
    if (this.roughly !== cells) this.dropRough();
    if (!this.rough) {
      const tint = this.surface.geometry.getAttribute('tint').array as Uint8Array;
      const look = this.surface.material as THREE.Material;
      this.rough = new Rough(frame.positions, this.extent, this.mesh.triangles, parts, tint, wanted, look);
      this.rough.mesh.geometry.boundingSphere = UNIT;
      this.roughly = cells;
      this.given.rough = this.valued.rough = null;
      this.scene.add(this.rough.mesh);
    }
    if (this.given.rough !== frame) this.rough.place(frame.positions, this.extent);
    this.given.rough = frame;
    return this.rough;
  }

  /** Whether it has so many triangles that few can stand for them. */
  get large(): boolean {
    return this.mesh.triangles.length > 4.5 * COARSE && this.mesh.lines.length === 0;
  }

  /** Before a picture: all triangles, or few that stand for them, a part of what is usual. */
  detail(all: boolean, part = 1): void {
    for (const mesh of this.obstacles) mesh.geometry = mesh.userData[all ? 'full' : 'rough'] as THREE.BufferGeometry;
    if (!this.frame) return;
    const whole = all || !this.large;
    const values = this.place.byValue.value ? this.coloured : null;
    if (whole) {
      this.giveFull(this.frame);
      if (values && this.valued.full !== values) {
        this.values.array = values.values;
        this.values.needsUpdate = true;
        this.valued.full = values;
      }
    } else {
      const rough = this.giveRough(this.frame, part * COARSE);
      if (values && this.valued.rough !== values) rough.colour(values.values);
      this.valued.rough = values;
    }
    this.surface.visible = whole && this.look !== 'wireframe' && this.mesh.triangles.length > 0;
    if (this.edges) this.edges.visible = whole && this.look !== 'surface';
    if (this.rough) this.rough.mesh.visible = !whole;
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
      const geometry = this.share(new THREE.BufferGeometry(), this.surface.geometry.getAttribute('tint') as THREE.BufferAttribute);
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
        for (const one of [object.geometry, object.userData['full'], object.userData['rough']])
          (one as THREE.BufferGeometry | undefined)?.dispose();
        (object.material as THREE.Material).dispose();
      }
    });
  }
}
