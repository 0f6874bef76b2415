// Frames near the one shown, fetched ahead of need and kept within a number of bytes.

export interface Sized {
  bytes: number;
}

/**
 * Holds what `load` gave, up to `limit` bytes; the least recently used goes first. At most `lanes` loads run at
 * once, and two more of what is wanted first. A key whose load failed stays failed until `forget`.
 */
export class FrameCache<T extends Sized> {
  private readonly held = new Map<string, T>();
  private readonly loading = new Set<string>();
  private readonly failures = new Map<string, Error>();
  private queue: string[] = [];
  private wanted = new Set<string>();
  private urgent: string | undefined;
  private heldBytes = 0;
  private paced = false;

  constructor(
    private readonly load: (key: string) => Promise<T>,
    private readonly limit: number,
    private readonly arrived: (key: string, error: Error | null) => void,
    private lanes: number,
  ) {}

  get bytes(): number {
    return this.heldBytes;
  }

  /** What is held; counts as a use. */
  get(key: string): T | undefined {
    const item = this.held.get(key);
    if (item) {
      this.held.delete(key);
      this.held.set(key, item);
    }
    return item;
  }

  /** What is held, without using it. */
  peek(key: string): T | undefined {
    return this.held.get(key);
  }

  has(key: string): boolean {
    return this.held.has(key);
  }

  failure(key: string): Error | undefined {
    return this.failures.get(key);
  }

  /** What is held turned out to be of no use. */
  reject(key: string, error: Error): void {
    this.heldBytes -= this.held.get(key)?.bytes ?? 0;
    this.held.delete(key);
    this.failures.set(key, error);
    this.arrived(key, error);
  }

  /** Lets what failed be tried again. */
  forget(): void {
    this.failures.clear();
  }

  /** Gives back what is held of the keys that begin so. */
  drop(beginning: string): void {
    for (const [key, item] of this.held)
      if (key.startsWith(beginning)) {
        this.held.delete(key);
        this.heldBytes -= item.bytes;
      }
    for (const key of this.failures.keys()) if (key.startsWith(beginning)) this.failures.delete(key);
  }

  /** What is wanted from now on, most urgent first; what was wanted before and has not begun is dropped. */
  want(keys: readonly string[]): void {
    this.wanted = new Set(keys);
    this.urgent = keys[0];
    this.queue = [...this.wanted].filter((key) => !this.held.has(key) && !this.failures.has(key));
    this.start();
  }

  /** How many loads may run at once from now on. `paced`: one that ends begins no other, which waits for `want` or this. */
  use(lanes: number, paced = false): void {
    this.lanes = lanes;
    this.paced = paced;
    this.start();
  }

  private start(): void {
    // What is wanted most of all does not wait for what was wanted before a jump.
    while (this.queue.length > 0 && this.loading.size < this.lanes + (this.queue[0] === this.urgent ? 2 : 0)) {
      const key = this.queue.shift()!;
      if (this.loading.has(key) || this.held.has(key)) continue;
      this.loading.add(key);
      void this.fetch(key);
    }
  }

  private async fetch(key: string): Promise<void> {
    let error: Error | null = null;
    try {
      this.put(key, await this.load(key));
    } catch (thrown) {
      error = thrown instanceof Error ? thrown : new Error(String(thrown));
      this.failures.set(key, error);
    }
    this.loading.delete(key);
    if (!this.paced) this.start();
    this.arrived(key, error);
  }

  private put(key: string, item: T): void {
    this.held.set(key, item);
    this.heldBytes += item.bytes;
    // First what nobody wants, oldest first; then what is wanted, least urgent first; the newest stays.
    const least = [...this.wanted].reverse();
    for (const unwanted of [true, false])
      for (const old of unwanted ? [...this.held.keys()] : least) {
        if (this.heldBytes <= this.limit) return;
        const other = this.held.get(old);
        if (!other || old === key || this.wanted.has(old) === unwanted) continue;
        this.held.delete(old);
        this.heldBytes -= other.bytes;
      }
  }
}

/**
 * Frames to hold for the one at `at`: itself, then ahead in the direction of play, with every fourth behind.
 * `loop` goes on at the other end.
 */
export function framesAhead(at: number, count: number, ahead: number, direction: 1 | -1, loop: boolean): number[] {
  // A set keeps the order in which things were put in.
  const list = new Set<number>();
  const add = (index: number): void => {
    const there = loop ? ((index % count) + count) % count : index;
    if (there >= 0 && there < count) list.add(there);
  };
  if (count <= 0) return [];
  add(at);
  for (let i = 1; i <= ahead; ++i) {
    add(at + direction * i);
    if (i % 4 === 0) add(at - (direction * i) / 4);
  }
  return [...list];
}
