// What the page shows, and where it comes from: a server, or the report it is part of.
import { Container, ContainerError } from './container';

export type Vec3 = [number, number, number];

export interface BodyHead {
  name: string;
  color: Vec3 | null;
}

/** The share that a body has of a mesh. */
export interface BodyPart {
  first_vertex: number;
  vertices: number;
  first_triangle: number;
  triangles: number;
  first_line: number;
  lines: number;
}

export interface ObstacleHead {
  name: string;
  unbounded: boolean;
  first_vertex: number;
  vertices: number;
  first_triangle: number;
  triangles: number;
}

export interface FieldHead {
  name: string;
  label: string;
  unit: string;
}

export interface RunHead {
  id: number;
  /** Of the run in its folder: see RunStatus. */
  generation?: number;
  name: string;
  folder: string;
  frame_rate: number;
  frames: number;
  frames_planned: number;
  bodies: BodyHead[];
  obstacles: ObstacleHead[];
  fields: FieldHead[];
  choices: [string, string][];
  summary: Record<string, unknown> | null;
}

export interface Comparison {
  columns: string[];
  rows: string[][];
  points: { name: string; seconds: number; error: number }[];
}

export interface Session {
  version: string;
  /** Lets others look, in links to pass on. */
  key?: string;
  live: boolean;
  runs: RunHead[];
  /** Of each run, as in RunStatus: which one its head holds. */
  summaries?: string[];
  errors: { folder: string; message: string }[];
  comparison?: Comparison | null;
}

/** Bodies that tear have another one from then on. The obstacles are in the first. */
export interface Mesh {
  triangles: Uint32Array;
  lines: Uint32Array;
  vertices: number;
  /** In the order of the bodies. */
  parts: BodyPart[];
  bytes: number;
  obstacleTriangles: Uint32Array;
  obstacleVertices: Float32Array;
}

/** Positions are quantised: low + (high - low) * q / 65535. */
export interface Frame {
  time: number;
  /** Which mesh it goes with: that of the first frame that has these bodies, 0 before anything has torn. */
  bodies: number;
  low: Vec3;
  high: Vec3;
  positions: Uint16Array;
  poses: Float32Array;
  bytes: number;
}

export interface FieldFrame {
  low: number;
  high: number;
  values: Float32Array;
  bytes: number;
}

export interface Steps {
  from: number;
  rows: number;
  columns: Map<string, Float64Array>;
  failed: number[];
  statuses: Record<string, string>;
}

/** The last three are of runs that the program which serves the page does not compute itself. */
export type RunState = 'running' | 'paused' | 'done' | 'stopped' | 'failed' | 'writing' | 'broken-off' | 'recorded';

export interface RunStatus {
  id: number;
  /** Another number where another run was started in the folder. */
  generation: number;
  /** Another text where summary.json is another one. */
  summary: string;
  frames: number;
  steps: number;
  state: RunState;
  message: string;
}

export type Command = 'pause' | 'continue' | 'stop';

export interface Source {
  session(): Promise<Session>;
  head(run: number): Promise<RunHead>;
  /** `bodies` as a frame says. */
  mesh(run: number, bodies: number): Promise<Mesh>;
  frame(run: number, index: number): Promise<Frame>;
  field(run: number, name: string, index: number): Promise<FieldFrame>;
  steps(run: number, from: number): Promise<Steps>;
  status(): Promise<RunStatus[]>;
  command(run: number, command: Command): Promise<void>;
  /** The run is not shown any more. */
  release(run: number): void;
  /** The page is closed. */
  leave(): void;
}

function checkIndices(indices: Uint32Array, vertices: number, multiple: number, what: string): void {
  if (indices.length % multiple !== 0) throw new ContainerError(`${what}: ${indices.length} numbers, not ${multiple} each`);
  for (let i = 0; i < indices.length; ++i)
    if (indices[i] >= vertices) throw new ContainerError(`${what}: vertex ${indices[i]} of ${vertices}`);
}

const PART = ['first_vertex', 'vertices', 'first_triangle', 'triangles', 'first_line', 'lines'] as const;

function toParts(box: Container, vertices: number, triangles: number, lines: number): BodyPart[] {
  const list = box.head['parts'];
  if (!Array.isArray(list)) throw new ContainerError('the mesh: it does not say which part is which body');
  for (const part of list as Partial<BodyPart>[]) {
    const numbers = PART.map((name) => part?.[name] ?? -1);
    const inside = [vertices, triangles, lines].every((end, k) => numbers[2 * k] + numbers[2 * k + 1] <= end);
    if (!inside || !numbers.every((number) => Number.isSafeInteger(number) && number >= 0))
      throw new ContainerError('the mesh: the part of a body lies outside of it');
  }
  return list as BodyPart[];
}

/** What is read of bodies, checked. */
export function meshOf(
  box: Container, vertices: number, triangles: Uint32Array, lines: Uint32Array, obstacleTriangles: Uint32Array,
  obstacleVertices: Float32Array,
): Mesh {
  if (!Number.isSafeInteger(vertices) || vertices < 0) throw new ContainerError(`the mesh: ${vertices} vertices`);
  checkIndices(triangles, vertices, 3, 'the triangles of the mesh');
  checkIndices(lines, vertices, 2, 'the lines of the mesh');
  const parts = toParts(box, vertices, triangles.length / 3, lines.length / 2);
  const bytes = triangles.byteLength + lines.byteLength;
  return { triangles, lines, vertices, parts, bytes, obstacleTriangles, obstacleVertices };
}

export function toMesh(box: Container): Mesh {
  const mesh = meshOf(
    box, box.number('vertices'), box.array('triangles', 'u32'), box.array('lines', 'u32'),
    box.array('obstacle_triangles', 'u32'), box.array('obstacle_vertices', 'f32'),
  );
  checkIndices(mesh.obstacleTriangles, mesh.obstacleVertices.length / 3, 3, 'the triangles of the obstacles');
  return mesh;
}

export function toFrame(box: Container): Frame {
  const positions = box.array('positions', 'u16');
  const poses = box.array('poses', 'f32');
  return {
    time: box.number('time'),
    bodies: box.number('bodies'),
    low: box.numbers('low', 3) as Vec3,
    high: box.numbers('high', 3) as Vec3,
    positions,
    poses,
    bytes: positions.byteLength + poses.byteLength,
  };
}

export function toField(box: Container): FieldFrame {
  const values = box.array('values', 'f32');
  return { low: box.number('low'), high: box.number('high'), values, bytes: values.byteLength };
}

export function toSteps(box: Container): Steps {
  const rows = box.number('rows');
  const columns = new Map<string, Float64Array>();
  for (const name of box.names) {
    const column = box.array(name, 'f64');
    if (column.length !== rows) throw new ContainerError(`the steps: ${column.length} rows of "${name}", not ${rows}`);
    columns.set(name, column);
  }
  return {
    from: box.number('from'),
    rows,
    columns,
    failed: (box.head['failed'] as number[] | undefined) ?? [],
    statuses: (box.head['statuses'] as Record<string, string> | undefined) ?? {},
  };
}

/** Throws ContainerError where the frame is not one of this mesh. */
export function checkFrame(frame: Frame, mesh: Mesh, obstacles: number, what: string): void {
  if (frame.positions.length !== 3 * mesh.vertices)
    throw new ContainerError(`${what}: ${frame.positions.length / 3} vertices, the mesh has ${mesh.vertices}`);
  if (frame.poses.length < 12 * obstacles)
    throw new ContainerError(`${what}: ${frame.poses.length / 12} poses for ${obstacles} obstacles`);
}
