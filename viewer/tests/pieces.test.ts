import * as THREE from 'three';
import { describe, expect, it } from 'vitest';

import { PIECE, piecesOf, withPiece } from '../src/pieces';

function mesh(indices: number, transparent = false): THREE.Mesh {
  const geometry = new THREE.BufferGeometry().setIndex(new THREE.BufferAttribute(new Uint32Array(indices), 1));
  return new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ transparent }));
}

function sceneOf(...objects: THREE.Object3D[]): THREE.Scene {
  return new THREE.Scene().add(...objects);
}

describe('pieces of a scene', () => {
  it('have every index once, and no piece too many', () => {
    const [large, small] = [mesh(2 * PIECE + 33), mesh(12)];
    const lines = new THREE.LineSegments(mesh(PIECE + 4).geometry, new THREE.LineBasicMaterial());
    const pieces = piecesOf(sceneOf(large, small, lines));
    for (const object of [large, small, lines]) {
      const ranges = pieces.flat().filter((range) => range.object === object);
      let end = 0;
      for (const { first, count } of ranges) {
        expect(first).toBe(end);
        expect(count % (object === lines ? 2 : 3)).toBe(0);
        end += count;
      }
      expect(end).toBe(object.geometry.index!.count);
    }
    for (const piece of pieces) expect(piece.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(PIECE);
    expect(pieces[0]).toEqual([{ object: large, first: 0, count: 6 }]);
  });

  it('leave out what is hidden and put what is transparent last', () => {
    const [glass, solid, hidden] = [mesh(6, true), mesh(6), mesh(6)];
    hidden.visible = false;
    const order = piecesOf(sceneOf(glass, solid, hidden)).flat().map(({ object }) => object);
    expect([...new Set(order)]).toEqual([solid, glass]);
  });

  it('are shown alone, and everything is as it was after', () => {
    const [large, small, hidden] = [mesh(PIECE + 30), mesh(12), mesh(6)];
    hidden.visible = false;
    const scene = sceneOf(large, small, hidden);
    withPiece(scene, [{ object: large, first: 9, count: 21 }], () => {
      expect([large.visible, small.visible, hidden.visible]).toEqual([true, false, false]);
      expect(large.geometry.drawRange).toEqual({ start: 9, count: 21 });
    });
    expect([large.visible, small.visible, hidden.visible]).toEqual([true, true, false]);
    expect(large.geometry.drawRange).toEqual({ start: 0, count: Infinity });
  });
});
