import type { Span } from './clock';
import { RunScene } from './run_scene';
import type { SharedUniforms } from './shaders';
import type { Mesh, RunHead, RunState, Source } from './source';
import { StepsTable } from './steps_table';

/** A run of the session: what is known of it, and its scene while it is shown. */
export class Run {
  readonly steps = new StepsTable();
  scene: RunScene | null = null;
  /** That of the start, while it is shown. */
  mesh: Mesh | null = null;
  state: RunState = 'recorded';
  message = '';
  failure: Error | null = null;
  private fetchingSteps = false;

  /** `summary`: which one `head` holds, see RunStatus. */
  constructor(public head: RunHead, private readonly source: Source, public summary = '') {}

  get id(): number {
    return this.head.id;
  }

  /** Counts how often the run was started anew; nothing of one is valid in another. */
  get generation(): number {
    return this.head.generation ?? 0;
  }

  get span(): Span {
    return { rate: this.head.frame_rate > 0 ? this.head.frame_rate : 1, count: this.head.frames };
  }

  get active(): boolean {
    return this.state === 'running' || this.state === 'paused';
  }

  /** Whether more of it may come. */
  get growing(): boolean {
    return this.active || this.state === 'writing';
  }

  async prepare(shared: SharedUniforms): Promise<void> {
    try {
      const { generation } = this;
      const mesh = this.scene ? null : await this.source.mesh(this.id, 0);
      if (generation !== this.generation) return; // started anew meanwhile, and prepared by whoever noticed
      if (mesh && !this.scene) this.scene = new RunScene(this.head, (this.mesh = mesh), shared);
      this.failure = null;
    } catch (error) {
      this.failure = error as Error;
      throw error;
    }
  }

  /** Gives back what showing it takes. */
  release(): void {
    this.scene?.dispose();
    this.scene = null;
    this.mesh = null;
    this.source.release(this.id);
  }

  /** Another run is in the folder now. */
  restart(head: RunHead): void {
    this.release();
    this.steps.clear();
    this.head = head;
    this.failure = null;
  }

  /** Fetches rows that are new; true where there were any. */
  async fetchSteps(): Promise<boolean> {
    if (this.fetchingSteps) return false;
    this.fetchingSteps = true;
    try {
      const { generation } = this;
      const rows = await this.source.steps(this.id, this.steps.rows);
      return generation === this.generation && this.steps.append(rows);
    } finally {
      this.fetchingSteps = false;
    }
  }
}
