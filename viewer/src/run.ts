import type { Span } from './clock';
import { RunScene } from './run_scene';
import type { SharedUniforms } from './shaders';
import type { Mesh, RunHead, RunState, Source } from './source';
import { StepsTable } from './steps_table';

/** A run of the session: what is known of it, and its scene while it is shown. */
export class Run {
  readonly steps = new StepsTable();
  scene: RunScene | null = null;
  state: RunState = 'recorded';
  message = '';
  /** Rows that the server has. */
  stepsKnown = 0;
  failure: Error | null = null;
  private mesh: Mesh | null = null;
  private fetchingSteps = false;

  constructor(readonly head: RunHead, private readonly source: Source) {}

  get id(): number {
    return this.head.id;
  }

  get span(): Span {
    return { rate: this.head.frame_rate > 0 ? this.head.frame_rate : 1, count: this.head.frames };
  }

  get active(): boolean {
    return this.state === 'running' || this.state === 'paused';
  }

  async prepare(shared: SharedUniforms): Promise<void> {
    try {
      this.mesh ??= await this.source.mesh(this.id);
      this.scene ??= new RunScene(this.head, this.mesh, shared);
      this.failure = null;
    } catch (error) {
      this.failure = error as Error;
      throw error;
    }
  }

  release(): void {
    this.scene?.dispose();
    this.scene = null;
  }

  /** Fetches rows that are new; true where there were any. */
  async fetchSteps(): Promise<boolean> {
    if (this.fetchingSteps) return false;
    this.fetchingSteps = true;
    try {
      return this.steps.append(await this.source.steps(this.id, this.steps.rows));
    } finally {
      this.fetchingSteps = false;
    }
  }
}
