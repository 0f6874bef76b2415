// What caches call frames, values and meshes of runs, and how they get them.
import type { Run } from './run';
import type { FieldFrame, Frame, Mesh, Source } from './source';

/** With the generation, so that what is on its way from a run that was replaced is not taken for the new one's. */
export function frameKey(run: Run, index: number): string {
  return `${run.id}/${index}/${run.generation}`;
}

export function fieldKey(run: Run, field: string, index: number): string {
  return `${run.id}/${field}/${index}/${run.generation}`;
}

export function meshKey(run: Run, bodies: number): string {
  return `${run.id}/${bodies}/${run.generation}`;
}

export function runOf(runs: Run[], key: string): Run | undefined {
  return runs.find((run) => run.id === Number(key.split('/')[0]));
}

export function isOfNow(run: Run, key: string): boolean {
  return Number(key.split('/').pop()) === run.generation;
}

export function loadFrame(source: Source, key: string): Promise<Frame> {
  const [id, index] = key.split('/').map(Number);
  return source.frame(id, index);
}

export function loadMesh(source: Source, key: string): Promise<Mesh> {
  const [id, bodies] = key.split('/').map(Number);
  return source.mesh(id, bodies);
}

export function loadField(source: Source, key: string): Promise<FieldFrame> {
  const [id, name, index] = key.split('/');
  return source.field(Number(id), name, Number(index));
}
