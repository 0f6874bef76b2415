// What the page shows, and where it comes from: a server, or the report it is part of.
import { Container, ContainerError } from './container';

export type Vec3 = [number, number, number];

export interface BodyHead {
  name: string;
  color: Vec3 | null;
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
  live: boolean;
  runs: RunHead[];
  errors: { folder: string; message: string }[];
  comparison?: Comparison | null;
}

export interface Mesh {
  triangles: Uint32Array;
  lines: Uint32Array;
  vertices: number;
  obstacleTriangles: Uint32Array;
  obstacleVertices: Float32Array;
}

/** Positions are quantised: low + (high - low) * q / 65535. */
export interface Frame {
  time: number;
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

export type RunState = 'running' | 'paused' | 'done' | 'stopped' | 'failed' | 'recorded';

export interface RunStatus {
  id: number;
  frames: number;
  steps: number;
  state: RunState;
  message: string;
}

export type Command = 'pause' | 'continue' | 'stop';

export interface Source {
  session(): Promise<Session>;
  mesh(run: number): Promise<Mesh>;
  frame(run: number, index: number): Promise<Frame>;
  field(run: number, name: string, index: number): Promise<FieldFrame>;
  steps(run: number, from: number): Promise<Steps>;
  status(): Promise<RunStatus[]>;
  command(run: number, command: Command): Promise<void>;
}

function checkIndices(indices: Uint32Array, vertices: number, multiple: number, what: string): void {
  if (indices.length % multiple !== 0) throw new ContainerError(`${what}: ${indices.length} numbers, not ${multiple} each`);
  for (let i = 0; i < indices.length; ++i)
    if (indices[i] >= vertices) throw new ContainerError(`${what}: vertex ${indices[i]} of ${vertices}`);
}

export function toMesh(box: Container): Mesh {
  const mesh = {
    triangles: box.array('triangles', 'u32'),
    lines: box.array('lines', 'u32'),
    vertices: box.array('rest', 'f32').length / 3,
    obstacleTriangles: box.array('obstacle_triangles', 'u32'),
    obstacleVertices: box.array('obstacle_vertices', 'f32'),
  };
  checkIndices(mesh.triangles, mesh.vertices, 3, 'the triangles of the mesh');
  checkIndices(mesh.lines, mesh.vertices, 2, 'the lines of the mesh');
  checkIndices(mesh.obstacleTriangles, mesh.obstacleVertices.length / 3, 3, 'the triangles of the obstacles');
  return mesh;
}

export function toFrame(box: Container): Frame {
  const positions = box.array('positions', 'u16');
  const poses = box.array('poses', 'f32');
  return {
    time: box.number('time'),
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
