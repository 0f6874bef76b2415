import { describe, expect, it } from 'vitest';

import { FrameCache, framesAhead } from '../src/frame_cache';

/** Loads that end when told. */
class Loads {
  readonly begun: string[] = [];
  private readonly ends = new Map<string, { done: (item: { bytes: number }) => void; fail: (error: Error) => void }>();

  readonly load = (key: string): Promise<{ bytes: number }> => {
    this.begun.push(key);
    return new Promise((done, fail) => this.ends.set(key, { done, fail }));
  };

  async end(key: string, bytes = 10): Promise<void> {
    this.ends.get(key)!.done({ bytes });
    await new Promise((next) => setTimeout(next, 0));
  }

  async fail(key: string): Promise<void> {
    this.ends.get(key)!.fail(new Error(`${key}: cut off`));
    await new Promise((next) => setTimeout(next, 0));
  }
}

function made(limit: number, lanes = 2) {
  const loads = new Loads();
  const heard: string[] = [];
  const cache = new FrameCache(loads.load, limit, (key, error) => heard.push(error ? error.message : key), lanes);
  return { loads, heard, cache };
}

describe('the cache of frames', () => {
  it('loads the most urgent first, few at once', async () => {
    const { loads, heard, cache } = made(1000);
    cache.want(['a', 'b', 'c', 'd']);
    expect(loads.begun).toEqual(['a', 'b']);
    await loads.end('b');
    expect(loads.begun).toEqual(['a', 'b', 'c']);
    expect(heard).toEqual(['b']);
    expect(cache.get('b')).toEqual({ bytes: 10 });
    expect(cache.get('a')).toBeUndefined();
  });

  it('drops what is not wanted any more', async () => {
    const { loads, cache } = made(1000);
    cache.want(['a', 'b', 'c', 'd']);
    cache.want(['x', 'a', 'y']);
    await loads.end('a');
    await loads.end('b');
    expect(loads.begun).toEqual(['a', 'b', 'x', 'y']);
  });

  it('does not let what is wanted first wait for what is on its way', () => {
    const { loads, cache } = made(1000);
    cache.want(['a', 'b', 'c']);
    cache.want(['x', 'y']);
    cache.want(['z', 'y']);
    cache.want(['w', 'y']);
    expect(loads.begun).toEqual(['a', 'b', 'x', 'z']);
  });

  it('goes on with more loads at once when it may', () => {
    const { loads, cache } = made(1000, 1);
    cache.want(['a', 'b', 'c', 'd']);
    expect(loads.begun).toEqual(['a']);
    cache.use(3);
    expect(loads.begun).toEqual(['a', 'b', 'c']);
  });

  it('begins a load only when told to where pictures set the pace', async () => {
    const { loads, cache } = made(1000, 1);
    cache.use(1, true);
    cache.want(['a', 'b', 'c']);
    await loads.end('a');
    expect(loads.begun).toEqual(['a']);
    cache.use(1, true);
    expect(loads.begun).toEqual(['a', 'b']);
  });

  it('takes for failed what turned out to be of no use', async () => {
    const { loads, heard, cache } = made(100);
    cache.want(['a']);
    await loads.end('a');
    cache.reject('a', new Error('a: of another mesh'));
    expect(cache.bytes).toBe(0);
    expect(cache.failure('a')?.message).toBe('a: of another mesh');
    expect(heard).toEqual(['a', 'a: of another mesh']);
  });

  it('stays within its bytes and lets the least recently used go', async () => {
    const { loads, cache } = made(30, 9);
    cache.want(['a', 'b', 'c']);
    for (const key of ['a', 'b', 'c']) await loads.end(key);
    expect(cache.bytes).toBe(30);
    cache.get('a');
    cache.want(['d']);
    await loads.end('d');
    expect(cache.bytes).toBe(30);
    expect(cache.has('b')).toBe(false);
    expect(['a', 'c', 'd'].every((key) => cache.has(key))).toBe(true);
  });

  it('keeps what is most urgent where all that is wanted does not fit', async () => {
    const { loads, cache } = made(20, 9);
    cache.want(['a', 'b', 'c']);
    for (const key of ['a', 'b', 'c']) await loads.end(key);
    expect(cache.bytes).toBe(20);
    expect(cache.has('a')).toBe(true);
  });

  it('keeps one that alone is too large', async () => {
    const { loads, cache } = made(20);
    cache.want(['a']);
    await loads.end('a', 50);
    expect(cache.has('a')).toBe(true);
  });

  it('does not ask again for what failed, until told to', async () => {
    const { loads, heard, cache } = made(100);
    cache.want(['a']);
    await loads.fail('a');
    expect(heard).toEqual(['a: cut off']);
    expect(cache.failure('a')?.message).toBe('a: cut off');
    cache.want(['a']);
    expect(loads.begun).toEqual(['a']);
    cache.forget();
    cache.want(['a']);
    expect(loads.begun).toEqual(['a', 'a']);
  });

  it('gives back all of one run, and what failed of it', async () => {
    const { loads, cache } = made(100, 9);
    cache.want(['1/0', '1/1', '11/0']);
    await loads.end('1/0');
    await loads.fail('1/1');
    await loads.end('11/0');
    cache.drop('1/');
    expect(cache.bytes).toBe(10);
    expect(cache.has('1/0')).toBe(false);
    expect(cache.has('11/0')).toBe(true);
    expect(cache.failure('1/1')).toBeUndefined();
  });
});

describe('frames ahead', () => {
  it('go in the direction of play, with a few behind', () => {
    expect(framesAhead(10, 100, 4, 1, false)).toEqual([10, 11, 12, 13, 14, 9]);
    expect(framesAhead(10, 100, 4, -1, false)).toEqual([10, 9, 8, 7, 6, 11]);
  });
  it('stay within, or go on at the other end', () => {
    expect(framesAhead(98, 100, 3, 1, false)).toEqual([98, 99]);
    expect(framesAhead(98, 100, 3, 1, true)).toEqual([98, 99, 0, 1]);
    expect(framesAhead(0, 2, 50, 1, true)).toEqual([0, 1]);
    expect(framesAhead(0, 0, 5, 1, true)).toEqual([]);
  });
});
