import * as THREE from 'three';

import type { Run } from './run';
import type { Frame } from './source';

/** Where the grid is to lie: under all frames that were added. */
export class Ground {
  readonly box = new THREE.Box3();
  private floor: number | null = null;

  clear(): void {
    this.box.makeEmpty();
    this.floor = null;
  }

  add({ run, frame }: { run: Run; frame: Frame }): void {
    this.box.union(run.scene!.boxIn(frame));
    const floor = run.scene!.floorIn(frame);
    if (floor !== null) this.floor = this.floor === null ? floor : Math.min(this.floor, floor);
  }

  get height(): number {
    return this.floor ?? this.box.min.y;
  }
}
