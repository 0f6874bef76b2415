import { type Container, ContainerError, readContainer } from './container';
import {
  type FieldFrame, type Frame, type Mesh, type RunStatus, type Session, type Source, type Steps,
  toField, toFrame, toMesh, toSteps,
} from './source';

function fromBase64(text: string): Uint8Array {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflated(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  try {
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new ContainerError('the report: its data is cut off or damaged');
  }
}

/** Coordinates of a frame in metres. */
function coordinate(frame: Frame, i: number): number {
  const c = i % 3;
  return frame.low[c] + ((frame.high[c] - frame.low[c]) * frame.positions[i]) / 65535;
}

/** Largest and smallest, for the colour bar. */
export function withRange(values: Float32Array): FieldFrame {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (!(low <= high)) low = high = 0;
  return { low, high, values, bytes: values.byteLength };
}

/** How far each vertex is in `b` from where it is in `a`, times `factor`. */
export function distances(a: Frame, b: Frame, factor: number): FieldFrame {
  const values = new Float32Array(a.positions.length / 3);
  for (let v = 0; v < values.length; ++v) {
    let sum = 0;
    for (let c = 0; c < 3; ++c) sum += (coordinate(b, 3 * v + c) - coordinate(a, 3 * v + c)) ** 2;
    values[v] = Math.sqrt(sum) * factor;
  }
  return withRange(values);
}

/** A report: the page carries its data. Frames may be every n-th only; they are renumbered from 0. */
export class EmbeddedSource implements Source {
  private readonly frameNumbers: number[][] = [];

  private constructor(private readonly box: Container) {
    for (const name of box.names) {
      const match = /^runs\/(\d+)\/frames\/(\d+)$/.exec(name);
      if (match) (this.frameNumbers[Number(match[1])] ??= []).push(Number(match[2]));
    }
    for (const list of this.frameNumbers) list?.sort((a, b) => a - b);
  }

  static async read(text: string): Promise<EmbeddedSource> {
    let bytes: Uint8Array;
    try {
      bytes = fromBase64(text);
    } catch {
      throw new ContainerError('the report: its data is cut off or damaged');
    }
    return new EmbeddedSource(readContainer(await inflated(bytes), 'the report'));
  }

  private inner(name: string): Container {
    return readContainer(this.box.array(name, 'u8'), name);
  }

  private numbers(run: number): number[] {
    return this.frameNumbers[run] ?? [];
  }

  async session(): Promise<Session> {
    const session = structuredClone(this.box.head['session']) as Session | undefined;
    if (!session?.runs) throw new ContainerError('the report: it holds no runs');
    for (const run of session.runs) {
      const numbers = this.numbers(run.id);
      const last = numbers[numbers.length - 1] ?? 0;
      if (last > numbers.length - 1) run.frame_rate *= (numbers.length - 1) / last;
      run.frames = run.frames_planned = numbers.length;
      for (const [name, label, unit] of [['speed', 'Speed', 'm/s'], ['displacement', 'Displacement', 'm']])
        if (!run.fields.some((field) => field.name === name)) run.fields.unshift({ name, label, unit });
    }
    return { ...session, live: false };
  }

  async mesh(run: number): Promise<Mesh> {
    return toMesh(this.inner(`runs/${run}/mesh`));
  }

  async frame(run: number, index: number): Promise<Frame> {
    return toFrame(this.inner(`runs/${run}/frames/${this.numbers(run)[index]}`));
  }

  async field(run: number, name: string, index: number): Promise<FieldFrame> {
    const stored = `runs/${run}/fields/${name}/${this.numbers(run)[index]}`;
    if (this.box.has(stored)) return toField(this.inner(stored));
    const here = await this.frame(run, index);
    if (name === 'displacement') return distances(await this.frame(run, 0), here, 1);
    if (name !== 'speed') throw new Error(`The report holds no ${name} of this frame.`);
    const before = await this.frame(run, Math.max(0, index - 1));
    const after = await this.frame(run, Math.min(this.numbers(run).length - 1, index + 1));
    const span = after.time - before.time;
    return distances(before, after, span > 0 ? 1 / span : 0);
  }

  async steps(run: number, from: number): Promise<Steps> {
    const name = `runs/${run}/steps`;
    if (from > 0 || !this.box.has(name)) return { from, rows: 0, columns: new Map(), failed: [], statuses: {} };
    return toSteps(this.inner(name));
  }

  async status(): Promise<RunStatus[]> {
    return [];
  }

  async command(): Promise<void> {
    throw new Error('A report cannot command a run.');
  }
}
