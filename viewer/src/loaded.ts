// What has come of the runs: frames, values of fields, and the meshes of bodies that have torn.
import { frameAt, type Span } from './clock';
import type { FrameCache } from './frame_cache';
import { fieldKey, frameKey, meshKey, runOf } from './frame_keys';
import type { Run } from './run';
import type { FieldFrame, Frame, Mesh } from './source';

/** A frame with what is drawn with it. */
export interface Near {
  index: number;
  frame: Frame;
  mesh: Mesh;
  value: FieldFrame | null;
}

export class Loaded {
  constructor(
    private readonly runs: Run[],
    readonly frames: FrameCache<Frame>,
    readonly fields: FrameCache<FieldFrame>,
    readonly meshes: FrameCache<Mesh>,
  ) {}

  drop(run: Run): void {
    for (const cache of [this.frames, this.fields, this.meshes]) cache.drop(`${run.id}/`);
  }

  /** What has failed is asked for again. */
  forget(): void {
    for (const cache of [this.frames, this.fields, this.meshes]) cache.forget();
  }

  /** What is drawn of the bodies of a frame, once it is there. */
  meshFor(run: Run, frame: Frame): Mesh | null {
    return frame.bodies === 0 ? run.mesh : (this.meshes.get(meshKey(run, frame.bodies)) ?? null);
  }

  /** The frame nearest to one that is not there, at most so many away; where there are two, the one that was passed. */
  nearest(run: Run, index: number, most: number, direction: 1 | -1, field: string): Near | null {
    for (let away = 1; away <= most; ++away)
      for (const near of [index - direction * away, index + direction * away]) {
        const frame = this.frames.peek(frameKey(run, near));
        const mesh = frame && this.meshFor(run, frame);
        const value = field ? this.fields.peek(fieldKey(run, field, near)) : null;
        if (frame && mesh && value !== undefined && frame.positions.length === 3 * mesh.vertices) return { index: near, frame, mesh, value };
      }
    return null;
  }

  /** By a frame that is there. */
  meshWanted(key: string): string[] {
    const frame = this.frames.peek(key);
    const run = frame && frame.bodies > 0 ? runOf(this.runs, key) : undefined;
    return frame && run ? [meshKey(run, frame.bodies)] : [];
  }

  hasField(key: string): boolean {
    return runOf(this.runs, key)?.head.fields.some((field) => field.name === key.split('/')[1]) ?? false;
  }

  /** Whether a frame or its mesh will not come. */
  failed(run: Run, index: number): boolean {
    const frame = this.frames.peek(frameKey(run, index));
    if (!frame) return this.frames.failure(frameKey(run, index)) !== undefined;
    return frame.bodies > 0 && this.meshes.failure(meshKey(run, frame.bodies)) !== undefined;
  }

  /** Whether all frames at a place of the clock are there, or never will be. */
  ready(shown: Run[], place: number, clock: Span, field: string): boolean {
    return shown.every((run) => {
      if (run.head.frames === 0) return true;
      const index = frameAt(place, clock, run.span);
      const value = fieldKey(run, field, index);
      const coloured = this.fields.has(value) || this.fields.failure(value) || !field || !this.hasField(value);
      const frame = this.frames.peek(frameKey(run, index));
      const whole = frame && (frame.bodies === 0 || this.meshes.has(meshKey(run, frame.bodies)));
      return coloured && (whole || this.failed(run, index));
    });
  }
}
