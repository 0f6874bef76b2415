// The binary format in which the program sends everything large: "PLNT", the bytes of a JSON head, the head,
// then arrays that begin at multiples of 8. Little endian, as are all machines that run a browser.

const MAGIC = 0x544e4c50;

export class ContainerError extends Error {}

interface ArrayEntry {
  name: string;
  type: string;
  offset: number;
  count: number;
}

const BYTES: Record<string, number> = { f32: 4, f64: 8, u32: 4, u16: 2, u8: 1 };

export interface Arrays {
  f32: Float32Array;
  f64: Float64Array;
  u32: Uint32Array;
  u16: Uint16Array;
  u8: Uint8Array;
}

/** A container that has been read. Its arrays are views of the bytes, not copies. */
export class Container {
  constructor(
    readonly head: Record<string, unknown>,
    private readonly entries: Map<string, ArrayEntry>,
    private readonly data: Uint8Array,
    private readonly what: string,
  ) {}

  get names(): string[] {
    return [...this.entries.keys()];
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  array<T extends keyof Arrays>(name: string, type: T): Arrays[T] {
    const entry = this.entries.get(name);
    if (!entry) throw new ContainerError(`${this.what}: the array "${name}" is missing`);
    if (entry.type !== type)
      throw new ContainerError(`${this.what}: the array "${name}" is of type ${entry.type}, not ${type}`);
    const { buffer } = this.data;
    const start = this.data.byteOffset + entry.offset;
    const views: { [K in keyof Arrays]: () => Arrays[K] } = {
      f32: () => new Float32Array(buffer, start, entry.count),
      f64: () => new Float64Array(buffer, start, entry.count),
      u32: () => new Uint32Array(buffer, start, entry.count),
      u16: () => new Uint16Array(buffer, start, entry.count),
      u8: () => new Uint8Array(buffer, start, entry.count),
    };
    return views[type]() as Arrays[T];
  }

  /** A finite number of the head. */
  number(name: string): number {
    const value = this.head[name];
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw new ContainerError(`${this.what}: "${name}" is not a number`);
    return value;
  }

  /** A list of `count` finite numbers of the head. */
  numbers(name: string, count: number): number[] {
    const value = this.head[name];
    if (!Array.isArray(value) || value.length !== count || !value.every((x) => Number.isFinite(x)))
      throw new ContainerError(`${this.what}: "${name}" is not a list of ${count} numbers`);
    return value as number[];
  }
}

function checked(entry: unknown, size: number, what: string): ArrayEntry {
  const { name, type, offset, count } = (entry ?? {}) as Partial<ArrayEntry>;
  if (typeof name !== 'string' || typeof type !== 'string')
    throw new ContainerError(`${what}: an array without name or type`);
  const bytes = BYTES[type];
  if (bytes === undefined) throw new ContainerError(`${what}: the array "${name}" has the unknown type ${type}`);
  if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(count) || offset! < 0 || count! < 0 || offset! % 8 !== 0)
    throw new ContainerError(`${what}: the place of the array "${name}" makes no sense`);
  const end = offset! + count! * bytes;
  if (!Number.isSafeInteger(end) || end > size)
    throw new ContainerError(`${what}: cut off; the array "${name}" ends at byte ${end} of ${size}`);
  return { name, type, offset: offset!, count: count! };
}

function parsed(bytes: Uint8Array, what: string): Record<string, unknown> {
  try {
    const head: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (head && typeof head === 'object' && !Array.isArray(head)) return head as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new ContainerError(`${what}: its head is not JSON`);
}

/** Throws ContainerError; `what` begins its message. */
export function readContainer(given: Uint8Array, what: string): Container {
  // Views need their alignment; a container within another has it already.
  const bytes = given.byteOffset % 8 === 0 ? given : given.slice();
  if (bytes.byteLength < 8) throw new ContainerError(`${what}: cut off, only ${bytes.byteLength} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== MAGIC) throw new ContainerError(`${what}: not data of Pliant`);
  const length = view.getUint32(4, true);
  if (length > bytes.byteLength - 8)
    throw new ContainerError(`${what}: cut off, ${bytes.byteLength} bytes are shorter than its head`);
  if (length % 8 !== 0) throw new ContainerError(`${what}: its head is not padded to a multiple of 8 bytes`);
  const head = parsed(bytes.subarray(8, 8 + length), what);
  const data = bytes.subarray(8 + length);
  const list = head['arrays'];
  if (!Array.isArray(list)) throw new ContainerError(`${what}: its head lists no arrays`);
  const entries = new Map<string, ArrayEntry>();
  for (const item of list) {
    const entry = checked(item, data.byteLength, what);
    if (entries.has(entry.name)) throw new ContainerError(`${what}: two arrays are called "${entry.name}"`);
    entries.set(entry.name, entry);
  }
  return new Container(head, entries, data, what);
}
