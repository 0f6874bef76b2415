import * as THREE from 'three';

import type { Frame, Vec3 } from './source';

/** Of the vertices where something has torn, on each side of each axis. */
const LEFT_OUT = 0.02;

/**
 * The corners of a box around most of a frame: around all of it, but where bodies have torn without the scraps that fly
 * away, which would make everything else small. The box of a frame itself may be that of all frames, as in a report.
 */
export function mostOf(frame: Frame): [Vec3, Vec3] {
  const [low, high]: [Vec3, Vec3] = [[...frame.low], [...frame.high]];
  const count = frame.positions.length / 3;
  if (count === 0) return [low, high];
  const share = frame.bodies > 0 ? LEFT_OUT : 0;
  const shift = 6; // to a thousand boxes an axis
  for (let c = 0; c < 3; ++c) {
    const boxes = new Uint32Array(65536 >> shift);
    for (let i = c; i < frame.positions.length; i += 3) boxes[frame.positions[i] >> shift] += 1;
    let [first, last] = [0, boxes.length - 1];
    for (let sum = boxes[first]; sum <= share * count; sum += boxes[++first]);
    for (let sum = boxes[last]; sum <= share * count; sum += boxes[--last]);
    // What belongs to the rest was left out with the scraps.
    const margin = 2 * share * (last + 1 - first);
    const size = frame.high[c] - frame.low[c];
    low[c] = Math.max(frame.low[c], frame.low[c] + ((first - margin) / boxes.length) * size);
    high[c] = Math.min(frame.high[c], frame.low[c] + ((last + 1 + margin) / boxes.length) * size);
  }
  return [low, high];
}

export function boxOfMost(frame: Frame): THREE.Box3 {
  const [low, high] = mostOf(frame);
  return new THREE.Box3(new THREE.Vector3(...low), new THREE.Vector3(...high));
}
