// One material for bodies, obstacles and lines. Positions come quantised and are put into place here, so that a
// frame goes to the graphics card as it came over the wire.
import * as THREE from 'three';

const VERTEX = /* glsl */ `
  uniform vec3 low;
  uniform vec3 extent;
  uniform vec2 range;
  attribute vec3 tint;
  attribute float value;
  varying vec3 vWorld;
  varying vec3 vNormal;
  varying vec3 vTint;
  varying float vValue;
  void main() {
    vec4 world = modelMatrix * vec4(low + extent * position, 1.0);
    vWorld = world.xyz;
    // A length of zero stays zero; lines have no normals.
    vec3 n = mat3(modelMatrix) * normal;
    float size = length(n);
    vNormal = size > 0.0 ? n / size : vec3(0.0);
    vTint = tint;
    vValue = (value - range.x) / max(range.y - range.x, 1e-30);
    gl_Position = projectionMatrix * viewMatrix * world;
  }
`;

const FRAGMENT = /* glsl */ `
  uniform sampler2D map;
  uniform bool byValue;
  uniform bool lit;
  uniform vec3 flatColour;
  uniform bool useFlat;
  uniform float opacity;
  uniform vec4 clip;
  uniform vec3 keyLight;
  uniform float fade;
  uniform vec3 fadeCentre;
  varying vec3 vWorld;
  varying vec3 vNormal;
  varying vec3 vTint;
  varying float vValue;
  void main() {
    if (dot(clip.xyz, vWorld) > clip.w) discard;
    vec3 base = vTint;
    if (useFlat) base = flatColour;
    else if (byValue) {
      // Linear light, and half a texel in from the ends.
      base = texture2D(map, vec2(0.5 / 256.0 + clamp(vValue, 0.0, 1.0) * 255.0 / 256.0, 0.5)).rgb;
    }
    vec3 colour = base;
    if (lit) {
      vec3 n = normalize(vNormal);
      if (!gl_FrontFacing) n = -n;
      vec3 eye = normalize(cameraPosition - vWorld);
      float sky = 0.5 + 0.5 * n.y;
      vec3 ambient = mix(vec3(0.27, 0.26, 0.26), vec3(0.42, 0.44, 0.47), sky);
      // Colours that mean something are shaded less, to be read.
      if (byValue) ambient = 0.25 + ambient;
      float key = (byValue ? 0.6 : 1.0) * max(dot(n, keyLight), 0.0);
      float fill = max(dot(n, normalize(eye + vec3(0.0, 0.2, 0.0))), 0.0);
      float shine = pow(max(dot(n, normalize(keyLight + eye)), 0.0), 40.0);
      colour = base * (ambient + 0.52 * key + 0.16 * fill) + vec3(byValue ? 0.02 : 0.07) * shine;
      // What a cut opens is seen from within.
      if (!gl_FrontFacing && clip.w < 1e19) colour *= 0.62;
    }
    float alpha = opacity;
    if (fade > 0.0) alpha *= 1.0 - smoothstep(0.55 * fade, fade, distance(vWorld, fadeCentre));
    gl_FragColor = vec4(colour, alpha);
    #include <colorspace_fragment>
  }
`;

/** Uniforms that all materials of a view share. */
export interface SharedUniforms {
  map: { value: THREE.DataTexture };
  clip: { value: THREE.Vector4 };
  range: { value: THREE.Vector2 };
  keyLight: { value: THREE.Vector3 };
}

export function sharedUniforms(): SharedUniforms {
  const map = new THREE.DataTexture(new Uint8Array(1024), 256, 1);
  map.colorSpace = THREE.SRGBColorSpace;
  map.minFilter = map.magFilter = THREE.LinearFilter;
  return {
    map: { value: map },
    clip: { value: new THREE.Vector4(0, 0, 0, 1e20) },
    range: { value: new THREE.Vector2(0, 1) },
    keyLight: { value: new THREE.Vector3(0.45, 0.8, 0.4).normalize() },
  };
}

export interface Placement {
  low: { value: THREE.Vector3 };
  extent: { value: THREE.Vector3 };
  byValue: { value: boolean };
}

export function placement(): Placement {
  return {
    low: { value: new THREE.Vector3() },
    extent: { value: new THREE.Vector3(1, 1, 1) },
    byValue: { value: false },
  };
}

export function material(
  shared: SharedUniforms, place: Placement, own: { lit: boolean; flat?: THREE.Color; opacity?: number },
): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    side: THREE.DoubleSide,
    uniforms: {
      ...shared,
      ...place,
      lit: { value: own.lit },
      useFlat: { value: own.flat !== undefined },
      flatColour: { value: own.flat ?? new THREE.Color() },
      opacity: { value: own.opacity ?? 1 },
      fade: { value: 0 },
      fadeCentre: { value: new THREE.Vector3() },
    },
  });
}
