// Parts of a scene that are drawn one after the other, each of them quickly.
import type * as THREE from 'three';

type Drawn = THREE.Mesh | THREE.LineSegments;

/** Some of the indices of an object. */
interface Range {
  object: Drawn;
  first: number;
  count: number;
}

export type Piece = Range[];

/** Indices that a processor draws in 15 to 40 ms. */
export const PIECE = 60000;

/** Of both triangles and lines. */
const WHOLE = 6;

function drawnObjects(scene: THREE.Scene): Drawn[] {
  const objects = scene.children.filter((object) => object.visible) as Drawn[];
  const transparent = (object: Drawn): number => Number((object.material as THREE.Material).transparent);
  // As three.js does with all of them: what is seen through comes after what is seen through it.
  return objects.sort((a, b) => transparent(a) - transparent(b) || a.renderOrder - b.renderOrder);
}

/** What is seen of a scene, in the order in which it is to be drawn. */
export function piecesOf(scene: THREE.Scene): Piece[] {
  // Hardly anything at first: with it all vertices go to the card, which takes as long as another piece.
  const pieces: Piece[] = [[]];
  let room = WHOLE;
  for (const object of drawnObjects(scene)) {
    const total = object.geometry.index!.count;
    for (let first = 0; first < total; ) {
      if (room < WHOLE) {
        pieces.push([]);
        room = PIECE;
      }
      const count = Math.min(room - (room % WHOLE), total - first);
      pieces[pieces.length - 1].push({ object, first, count });
      first += count;
      room -= count;
    }
  }
  return pieces;
}

/** Shows nothing but a piece while something is done. */
export function withPiece(scene: THREE.Scene, piece: Piece, act: () => void): void {
  const seen = scene.children.filter((object) => object.visible);
  for (const object of seen) object.visible = false;
  for (const { object, first, count } of piece) {
    object.visible = true;
    object.geometry.setDrawRange(first, count);
  }
  act();
  for (const object of seen) object.visible = true;
  for (const { object } of piece) object.geometry.setDrawRange(0, Infinity);
}
