import * as THREE from 'three';

import type { Frame, Vec3 } from './source';

/** Of the vertices where something has torn, on each side of each axis. */
const LEFT_OUT = 0.02;

/** To a thousand boxes an axis. */
const SHIFT = 6;
/** Of frames that were asked for before: the camera, the ground and the fit need those of the same few. */
const known = new WeakMap<Frame, [Vec3, Vec3]>();

/** How many vertices are in each of the boxes along each axis. */
function countedBoxes(positions: Uint16Array): Uint32Array[] {
  const [x, y, z] = [0, 1, 2].map(() => new Uint32Array(65536 >> SHIFT));
  for (let i = 0; i < positions.length; i += 3) {
    x[positions[i] >> SHIFT] += 1;
    y[positions[i + 1] >> SHIFT] += 1;
    z[positions[i + 2] >> SHIFT] += 1;
  }
  return [x, y, z];
}

/**
 * The corners of a box around most of a frame: around all of it, but where bodies have torn without the scraps that fly
 * away, which would make everything else small. The box of a frame itself may be that of all frames, as in a report.
 */
export function mostOf(frame: Frame): [Vec3, Vec3] {
  const found = known.get(frame) ?? findMost(frame);
  known.set(frame, found);
  return found;
}

function findMost(frame: Frame): [Vec3, Vec3] {
  const [low, high]: [Vec3, Vec3] = [[...frame.low], [...frame.high]];
  const count = frame.positions.length / 3;
  if (count === 0) return [low, high];
  const share = frame.bodies > 0 ? LEFT_OUT : 0;
  countedBoxes(frame.positions).forEach((boxes, c) => {
    let [first, last] = [0, boxes.length - 1];
    for (let sum = boxes[first]; sum <= share * count; sum += boxes[++first]);
    for (let sum = boxes[last]; sum <= share * count; sum += boxes[--last]);
    // What belongs to the rest was left out with the scraps.
    const margin = 2 * share * (last + 1 - first);
    const size = frame.high[c] - frame.low[c];
    low[c] = Math.max(frame.low[c], frame.low[c] + ((first - margin) / boxes.length) * size);
    high[c] = Math.min(frame.high[c], frame.low[c] + ((last + 1 + margin) / boxes.length) * size);
  });
  return [low, high];
}

export function boxOfMost(frame: Frame): THREE.Box3 {
  const [low, high] = mostOf(frame);
  return new THREE.Box3(new THREE.Vector3(...low), new THREE.Vector3(...high));
}
