// How long pictures take, and whether that is too long to move.

const TOO_LONG = 70;
const AT_REST = 250;
/** Longer than this the page was hidden or busy with something else. */
const NO_MEASURE = 5000;

export class Pace {
  /** Pictures of all triangles take too long here. */
  slow = false;
  /** Something has moved since the last picture. */
  private moved = false;
  private timer = 0;
  private waiting = false;
  private late = 0;

  /** `rest` is called when nothing has moved for a while. A processor that stands in for a graphics card is slow. */
  constructor(gl: WebGLRenderingContext | WebGL2RenderingContext, private readonly rest: () => void) {
    const asked = gl.getExtension('WEBGL_debug_renderer_info');
    const name = String(gl.getParameter(asked ? asked.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
    this.slow = /swiftshader|llvmpipe|software|basic render/i.test(name);
  }

  /** Something moves: the next pictures had better be quick. */
  move(): void {
    this.moved = true;
    if (!this.slow) return;
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(this.rest, AT_REST + 10);
  }

  /** Whether the picture that is about to be drawn had better be quick. */
  hurried(playing: boolean): boolean {
    const hurried = this.slow && (this.moved || playing);
    this.moved = false;
    return hurried;
  }

  /**
   * After a picture of all triangles was asked for. The browser begins another picture only when the last but one is
   * done, so the time until the second from here is what a picture takes, whatever fences say.
   */
  measure(): void {
    if (this.slow || this.waiting) return;
    this.waiting = true;
    const start = performance.now();
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        this.waiting = false;
        const took = performance.now() - start;
        if (took > NO_MEASURE || document.hidden) return;
        // A few times may be chance, or shaders that are being compiled.
        if (took > TOO_LONG) this.late += 1;
        this.slow = this.late >= 4;
      }),
    );
  }
}
