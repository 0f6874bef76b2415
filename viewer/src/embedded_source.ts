import { type Container, ContainerError, readContainer } from './container';
import {
  type FieldFrame, type Frame, type Mesh, type RunHead, type RunStatus, type Session, type Source, type Steps, type Vec3,
  meshOf, toMesh, toSteps,
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

/** Numbers from how far each is from the one `stride` before it. */
export function summed(differences: Uint32Array, stride: number): Uint32Array {
  const numbers = new Uint32Array(differences.length);
  for (let i = 0; i < numbers.length; ++i) {
    const z = differences[i];
    numbers[i] = (i < stride ? 0 : numbers[i - stride]) + (z & 1 ? ~(z >>> 1) : z >>> 1);
  }
  return numbers;
}

/** Frames with one mesh. */
export interface Span {
  frames: number;
  vertices: number;
  /** Of each vertex the number it had in the span before, -1 where it had none; null in the first span. */
  before: Int32Array | null;
}

/** Positions, three numbers a vertex, by the numbers that vertices had before. */
function renumbered(positions: Uint16Array, before: Int32Array): Uint16Array {
  const now = new Uint16Array(3 * before.length);
  for (let v = 0; v < before.length; ++v)
    if (before[v] >= 0) for (let c = 0; c < 3; ++c) now[3 * v + c] = positions[3 * before[v] + c];
  return now;
}

/** Each frame of a run, from bytes that are predicted from the two frames before and from the neighbour. */
export function decodedPositions(low: Uint8Array, high: Uint8Array, spans: readonly Span[]): Uint16Array[] {
  const all: Uint16Array[] = [];
  let [i, last, before] = [0, null as Uint16Array | null, null as Uint16Array | null];
  for (const span of spans) {
    if (last && span.before) last = renumbered(last, span.before);
    if (before && span.before) before = renumbered(before, span.before);
    for (let n = 0; n < span.frames; ++n) {
      const frame = new Uint16Array(3 * span.vertices);
      for (let c = 0; c < 3; ++c) {
        let error = 0;
        for (let v = 0, at = c; v < span.vertices; ++v, ++i, at += 3) {
          const z = low[i] + 256 * high[i];
          error += z & 1 ? -((z + 1) >> 1) : z >> 1;
          const guess = !last ? 0 : !before ? last[at] : 2 * last[at] - before[at];
          // Stored modulo 65536; the sum stays small enough to be exact.
          error &= 0xffff;
          frame[at] = error + guess;
        }
      }
      before = last;
      last = frame;
      all.push(frame);
    }
  }
  return all;
}

interface Film {
  count: number;
  spans: Span[];
  /** Of each frame, the span it is in. */
  spanOf: Uint32Array;
  /** Of each span, its first frame. */
  first: number[];
  low: Vec3;
  high: Vec3;
  positions: Uint16Array[];
  /** Of each span, where its vertices were in the first frame. */
  starts: Uint16Array[];
  poses: Float32Array;
}

function toSpans(box: Container): Span[] {
  const list = box.head['spans'];
  const whole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
  if (!Array.isArray(list) || !list.every((one: Partial<Span> | null) => whole(one?.frames) && whole(one?.vertices)))
    throw new ContainerError('the frames: it is not said which of them have one mesh');
  const spans = (list as Span[]).map(({ frames, vertices }) => ({ frames, vertices, before: null as Int32Array | null }));
  const before = summed(box.array('before', 'u32'), 1);
  let at = 0;
  spans.forEach((span, k) => {
    if (k === 0) return;
    if (at + span.vertices > before.length) throw new ContainerError('the frames: it is not said which vertices were which');
    span.before = Int32Array.from(before.subarray(at, at + span.vertices), (number) => number - 1);
    if (span.before.some((number) => number >= spans[k - 1].vertices))
      throw new ContainerError('the frames: a vertex comes from none that there was');
    at += span.vertices;
  });
  return spans;
}

function toFilm(box: Container): Film {
  const spans = toSpans(box);
  const [low, high] = [box.array('low_bytes', 'u8'), box.array('high_bytes', 'u8')];
  const count = spans.reduce((sum, span) => sum + span.frames, 0);
  const bytes = spans.reduce((sum, span) => sum + 3 * span.frames * span.vertices, 0);
  if (low.length !== bytes || high.length !== bytes)
    throw new ContainerError(`the frames: ${low.length} bytes for ${count} frames of ${spans[0]?.vertices ?? 0} vertices`);
  const positions = decodedPositions(low, high, spans);
  const inside = box.array('starts', 'u16');
  const starts: Uint16Array[] = [];
  const first: number[] = [];
  const spanOf = new Uint32Array(count);
  let [frame, given] = [0, 0];
  spans.forEach((span, k) => {
    first.push(frame);
    spanOf.fill(k, frame, frame + span.frames);
    frame += span.frames;
    const start = span.before ? renumbered(starts[k - 1], span.before) : (positions[0] ?? new Uint16Array());
    span.before?.forEach((was, v) => {
      if (was < 0) for (let c = 0; c < 3; ++c) start[3 * v + c] = inside[given++] ?? 0;
    });
    starts.push(start);
  });
  return {
    count, spans, spanOf, first, positions, starts,
    low: box.numbers('low', 3) as Vec3,
    high: box.numbers('high', 3) as Vec3,
    poses: box.array('poses', 'f32'),
  };
}

/** Where the vertices of frame n are in the frame beside it: numbers there, -1 where they are not. Null where all have the same. */
function beside(film: Film, n: number, other: number): Int32Array | null {
  const [here, there] = [film.spanOf[n], film.spanOf[other]];
  if (here === there) return null;
  if (there < here) return film.spans[here].before;
  const numbers = new Int32Array(film.spans[here].vertices).fill(-1);
  const { before } = film.spans[there];
  // Those that tears have made come last; what a vertex is itself comes first.
  for (let w = before!.length - 1; w >= 0; --w) if (before![w] >= 0) numbers[before![w]] = w;
  return numbers;
}

/** A report: the page carries its data. Frames count those that are in it. */
export class EmbeddedSource implements Source {
  private readonly films = new Map<number, Film>();
  private heads: RunHead[] = [];

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
    this.heads = session.runs;
    return { ...session, live: false };
  }

  async head(run: number): Promise<RunHead> {
    const found = this.heads.find((head) => head.id === run);
    if (!found) throw new Error(`The report holds no run ${run}.`);
    return found;
  }

  async mesh(run: number, bodies: number): Promise<Mesh> {
    if (bodies === 0) return toMesh(this.inner(`mesh/${run}`));
    const film = this.film(run);
    const span = film.first.indexOf(bodies);
    if (span < 0) throw new Error(`The report holds no mesh of frame ${bodies}.`);
    const box = this.inner(`mesh/${run}/${span}`);
    const triangles = summed(box.array('triangle_differences', 'u32'), 3);
    const lines = summed(box.array('line_differences', 'u32'), 2);
    return meshOf(box, film.spans[span].vertices, triangles, lines, new Uint32Array(), new Float32Array());
  }

  async frame(run: number, index: number): Promise<Frame> {
    const film = this.film(run);
    if (!(index >= 0 && index < film.count)) throw new Error(`The report holds no frame ${index}.`);
    const positions = film.positions[index];
    const each = film.poses.length / film.count;
    const poses = film.poses.subarray(each * index, each * (index + 1));
    const time = index / (this.heads.find((head) => head.id === run)?.frame_rate ?? 1);
    const bodies = film.first[film.spanOf[index]];
    return { time, bodies, low: film.low, high: film.high, positions, poses, bytes: positions.byteLength };
  }

  async field(run: number, name: string, index: number): Promise<FieldFrame> {
    const here = await this.frame(run, index);
    const film = this.film(run);
    if (name === 'displacement') return distances({ ...here, positions: film.starts[film.spanOf[index]] }, here, 1);
    if (name !== 'speed') throw new Error(`The report holds no ${name}.`);
    return this.speeds(run, film, here, index);
  }

  /** From the frames before and after, or the one of them that a vertex is in. */
  private async speeds(run: number, film: Film, here: Frame, index: number): Promise<FieldFrame> {
    const sides = await Promise.all(
      [Math.max(0, index - 1), Math.min(film.count - 1, index + 1)].map(async (other) => ({
        frame: await this.frame(run, other),
        numbers: beside(film, index, other),
      })),
    );
    const values = new Float32Array(here.positions.length / 3);
    for (let v = 0; v < values.length; ++v) {
      const [a, b] = sides.map(({ frame, numbers }) => {
        const at = numbers ? numbers[v] : v;
        return at >= 0 ? { frame, at } : { frame: here, at: v };
      });
      let sum = 0;
      for (let c = 0; c < 3; ++c) sum += (coordinate(b.frame, 3 * b.at + c) - coordinate(a.frame, 3 * a.at + c)) ** 2;
      const seconds = b.frame.time - a.frame.time;
      values[v] = seconds > 0 ? Math.sqrt(sum) / seconds : 0;
    }
    return withRange(values);
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

  release(run: number): void {
    this.films.delete(run);
  }

  leave(): void {
    // Nobody waits for it.
  }
}
