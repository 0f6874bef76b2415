// A ground grid that fades with distance: lines every cell, stronger ones every fifth.
import * as THREE from 'three';

import { tickDistance } from './scale';

const VERTEX = /* glsl */ `
  varying vec3 vWorld;
  void main() {
    vec4 world = modelMatrix * vec4(position, 1.0);
    vWorld = world.xyz;
    gl_Position = projectionMatrix * viewMatrix * world;
  }
`;

const FRAGMENT = /* glsl */ `
  uniform float cell;
  uniform float reach;
  uniform vec3 centre;
  uniform vec3 colour;
  varying vec3 vWorld;
  float lines(vec2 at) {
    vec2 width = fwidth(at);
    vec2 near = abs(fract(at - 0.5) - 0.5) / width;
    // Where lines would run together they become an even tone.
    return (1.0 - min(min(near.x, near.y), 1.0)) * clamp(1.0 - 3.0 * max(width.x, width.y), 0.0, 1.0);
  }
  void main() {
    vec2 at = vWorld.xz / cell;
    float strength = max(0.32 * lines(at), 0.62 * lines(at / 5.0));
    strength *= 1.0 - smoothstep(0.25 * reach, reach, distance(vWorld.xz, centre.xz));
    gl_FragColor = vec4(colour, strength);
    #include <colorspace_fragment>
  }
`;

export class Grid {
  private readonly scene = new THREE.Scene();
  private readonly plane: THREE.Mesh;
  private readonly look: THREE.ShaderMaterial;

  constructor() {
    this.look = new THREE.ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
      uniforms: {
        cell: { value: 1 },
        reach: { value: 10 },
        centre: { value: new THREE.Vector3() },
        colour: { value: new THREE.Color() },
      },
    });
    this.plane = new THREE.Mesh(new THREE.PlaneGeometry(2, 2).rotateX(-Math.PI / 2), this.look);
    this.plane.frustumCulled = false;
    this.scene.add(this.plane);
  }

  /** Lays it under a box, at the height given. */
  lay(box: THREE.Box3, height: number): void {
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    const radius = Math.max(sphere.radius, 1e-6);
    this.look.uniforms['cell'].value = tickDistance(radius, 4);
    this.look.uniforms['reach'].value = 6 * radius;
    // A little lower than the floor, which would shine through it otherwise.
    this.plane.position.set(sphere.center.x, height - 2e-3 * radius, sphere.center.z);
    this.plane.scale.setScalar(6 * radius);
    (this.look.uniforms['centre'].value as THREE.Vector3).copy(sphere.center);
  }

  draw(renderer: THREE.WebGLRenderer, camera: THREE.Camera, dark: boolean): void {
    (this.look.uniforms['colour'].value as THREE.Color).setStyle(dark ? '#8fa3ba' : '#5b6b7d');
    renderer.render(this.scene, camera);
  }
}
