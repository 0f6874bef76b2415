// How long pictures take, and whether that is too long to move.

const TOO_LONG = 70;
/** Of pictures that were to be quick. */
const STILL_TOO_LONG = 80;
/** Of the triangles and of the pixels that quick pictures have at first. */
const PARTS = [1, 0.5, 0.25];
const AT_REST = 250;
/** Longer than this the page was hidden or busy with something else. */
const NO_MEASURE = 5000;

/** Whether a processor stands in for a graphics card, which is slow. */
export function drawsInSoftware(gl: WebGL2RenderingContext): boolean {
  const asked = gl.getExtension('WEBGL_debug_renderer_info');
  const name = String(gl.getParameter(asked ? asked.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

/**
 * When a picture that was just asked for is done: the browser begins another only when the last but one is, whatever fences
 * say.
 */
function whenDone(then: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(then));
}

export class Pace {
  /** Pictures of all triangles take too long here. */
  slow = false;
  /** On a slow machine: something has moved, and the picture of all triangles that follows is not done yet. */
  moving = false;
  /** Something has moved since the last picture. */
  private moved = false;
  private timer = 0;
  private waiting = false;
  private late = 0;
  private step = 0;

  /** `rest` is called when nothing has moved for a while. */
  constructor(private readonly rest: () => void) {}

  /** What part of the usual triangles quick pictures have: less where they have been too slow, too. */
  get part(): number {
    return PARTS[this.step];
  }

  /** Something moves: the next pictures had better be quick. */
  move(): void {
    this.moved = true;
    this.restLater();
  }

  private restLater(): void {
    if (!this.slow) return;
    this.moving = true;
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      // What has moved may have changed no picture.
      this.moved = false;
      this.rest();
    }, AT_REST + 10);
  }

  /** Whether the picture that is about to be drawn had better be quick. */
  hurried(playing: boolean): boolean {
    const hurried = this.slow && (this.moved || playing);
    this.moved = false;
    // From the picture on, not only from the move: it may have come so late that the rest was over before it.
    if (hurried && !playing) this.restLater();
    return hurried;
  }

  /** After a picture was asked for, of all triangles or of few. */
  measure(all: boolean): void {
    if (all && this.slow) {
      whenDone(() => (this.moving &&= this.timer !== 0));
      return;
    }
    if (this.waiting || (!all && this.step === PARTS.length - 1)) return;
    this.waiting = true;
    const start = performance.now();
    whenDone(() => {
      this.waiting = false;
      const took = performance.now() - start;
      if (took > NO_MEASURE || document.hidden) return;
      // A few times may be chance, or shaders that are being compiled.
      this.late = took > (all ? TOO_LONG : STILL_TOO_LONG) ? this.late + 1 : Math.max(0, this.late - 0.1);
      if (this.late < 4) return;
      this.late = 0;
      if (all) this.slow = true;
      else this.step += 1;
    });
  }
}
