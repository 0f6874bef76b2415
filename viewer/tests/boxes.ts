// Containers for tests, written as the program writes them.
export type Arrays = Record<string, Float32Array | Float64Array | Uint32Array | Uint16Array | Uint8Array>;

const NAMES: Record<string, string> = {
  Float32Array: 'f32', Float64Array: 'f64', Uint32Array: 'u32', Uint16Array: 'u16', Uint8Array: 'u8',
};

export function box(head: Record<string, unknown>, arrays: Arrays): Uint8Array<ArrayBuffer> {
  let end = 0;
  const list = Object.entries(arrays).map(([name, array]) => {
    const entry = { name, type: NAMES[array.constructor.name], offset: end, count: array.length };
    end += Math.ceil(array.byteLength / 8) * 8;
    return entry;
  });
  return boxOf({ ...head, arrays: list }, end, (bytes, start) =>
    Object.values(arrays).forEach((array, k) =>
      bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), start + list[k].offset),
    ),
  );
}

/** A container with any head, so also with one that lies. */
export function boxOf(
  head: unknown, size: number, fill: (bytes: Uint8Array, start: number) => void = () => {},
): Uint8Array<ArrayBuffer> {
  let text = JSON.stringify(head);
  while (new TextEncoder().encode(text).length % 8 !== 0) text += ' ';
  const json = new TextEncoder().encode(text);
  const bytes = new Uint8Array(8 + json.length + size);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x544e4c50, true);
  view.setUint32(4, json.length, true);
  bytes.set(json, 8);
  fill(bytes, 8 + json.length);
  return bytes;
}
