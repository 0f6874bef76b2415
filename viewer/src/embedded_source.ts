import { type Container, ContainerError, readContainer } from './container';
import {
  type FieldFrame, type Frame, type Mesh, type RunStatus, type Session, type Source, type Steps, type Vec3,
  toMesh, toSteps,
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

/** All frames of a run, from bytes that are predicted from the two frames before and from the neighbour. */
export function decodedPositions(low: Uint8Array, high: Uint8Array, count: number, vertices: number): Uint16Array {
  const size = 3 * vertices;
  const all = new Uint16Array(size * count);
  let i = 0;
  for (let n = 0; n < count; ++n)
    for (let c = 0; c < 3; ++c) {
      let error = 0;
      let at = n * size + c;
      for (let v = 0; v < vertices; ++v, ++i, at += 3) {
        const z = low[i] + 256 * high[i];
        error += z & 1 ? -((z + 1) >> 1) : z >> 1;
        const guess = n === 0 ? 0 : n === 1 ? all[at - size] : 2 * all[at - size] - all[at - 2 * size];
        // Stored modulo 65536; the sum stays small enough to be exact.
        error &= 0xffff;
        all[at] = error + guess;
      }
    }
  return all;
}

interface Film {
  count: number;
  vertices: number;
  low: Vec3;
  high: Vec3;
  positions: Uint16Array;
  poses: Float32Array;
}

function toFilm(box: Container): Film {
  const [count, vertices] = [box.number('count'), box.number('vertices')];
  const [low, high] = [box.array('low_bytes', 'u8'), box.array('high_bytes', 'u8')];
  if (low.length !== 3 * count * vertices || high.length !== low.length)
    throw new ContainerError(`the frames: ${low.length} bytes for ${count} frames of ${vertices} vertices`);
  return {
    count,
    vertices,
    low: box.numbers('low', 3) as Vec3,
    high: box.numbers('high', 3) as Vec3,
    positions: decodedPositions(low, high, count, vertices),
    poses: box.array('poses', 'f32'),
  };
}

/** A report: the page carries its data. Frames count those that are in it. */
export class EmbeddedSource implements Source {
  private readonly films = new Map<number, Film>();
  private readonly rates = new Map<number, number>();

  private constructor(private readonly box: Container) {}

  static async read(text: string): Promise<EmbeddedSource> {
    let bytes: Uint8Array;
    try {
      bytes = fromBase64(text);
    } catch {
      throw new ContainerError('the report: its data is cut off or damaged');
    }
    return EmbeddedSource.of(await inflated(bytes));
  }

  static of(bytes: Uint8Array): EmbeddedSource {
    return new EmbeddedSource(readContainer(bytes, 'the report'));
  }

  private inner(name: string): Container {
    return readContainer(this.box.array(name, 'u8'), name);
  }

  private film(run: number): Film {
    let film = this.films.get(run);
    if (!film) this.films.set(run, (film = toFilm(this.inner(`frames/${run}`))));
    return film;
  }

  async session(): Promise<Session> {
    let session: Session;
    try {
      session = JSON.parse(new TextDecoder().decode(this.box.array('session', 'u8'))) as Session;
    } catch (error) {
      throw error instanceof ContainerError ? error : new ContainerError('the report: its session is not JSON');
    }
    for (const run of session.runs) this.rates.set(run.id, run.frame_rate);
    return { ...session, live: false };
  }

  async mesh(run: number): Promise<Mesh> {
    return toMesh(this.inner(`mesh/${run}`));
  }

  async frame(run: number, index: number): Promise<Frame> {
    const film = this.film(run);
    if (!(index >= 0 && index < film.count)) throw new Error(`The report holds no frame ${index}.`);
    const positions = film.positions.subarray(3 * film.vertices * index, 3 * film.vertices * (index + 1));
    const each = film.poses.length / film.count;
    const poses = film.poses.subarray(each * index, each * (index + 1));
    const time = index / (this.rates.get(run) ?? 1);
    return { time, low: film.low, high: film.high, positions, poses, bytes: positions.byteLength };
  }

  async field(run: number, name: string, index: number): Promise<FieldFrame> {
    const here = await this.frame(run, index);
    if (name === 'displacement') return distances(await this.frame(run, 0), here, 1);
    if (name !== 'speed') throw new Error(`The report holds no ${name}.`);
    const before = await this.frame(run, Math.max(0, index - 1));
    const after = await this.frame(run, Math.min(this.film(run).count - 1, index + 1));
    const span = after.time - before.time;
    return distances(before, after, span > 0 ? 1 / span : 0);
  }

  async steps(run: number, from: number): Promise<Steps> {
    const name = `steps/${run}`;
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
