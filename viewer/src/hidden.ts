// A picture that takes a processor long is drawn out of sight, a piece at a time, and seen when it is whole: a hand that moves
// on meanwhile waits for the piece that is being drawn, not for the rest.

/** Milliseconds after which it is looked again whether a piece is done. */
const LOOK = 4;

export class Hidden {
  private readonly framebuffer: WebGLFramebuffer;
  private readonly colours: WebGLRenderbuffer;
  private readonly depths: WebGLRenderbuffer;
  private width = 0;
  private height = 0;
  private next = 0;
  private drawn: WebGLSync | null = null;

  constructor(private readonly gl: WebGL2RenderingContext) {
    this.framebuffer = gl.createFramebuffer();
    this.colours = gl.createRenderbuffer();
    this.depths = gl.createRenderbuffer();
  }

  /** Draws the pieces one after the other, then shows them; `done` is called unless another picture came first. */
  start(width: number, height: number, pieces: readonly (() => void)[], done: () => void): void {
    this.drop();
    this.resize(width, height);
    this.goOn(pieces, () => {
      this.show();
      done();
    });
  }

  /** Forgets the picture that is being drawn. */
  drop(): void {
    window.clearTimeout(this.next);
  }

  private goOn(pieces: readonly (() => void)[], done: () => void): void {
    this.next = window.setTimeout(() => {
      if (!this.rests()) return this.goOn(pieces, done);
      if (pieces.length === 0) return done();
      this.draw(pieces[0]);
      this.goOn(pieces.slice(1), done);
    }, LOOK);
  }

  private draw(piece: () => void): void {
    const { gl } = this;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.framebuffer);
    piece();
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    this.drawn = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
  }

  /** Whether the last piece is done. */
  private rests(): boolean {
    const { gl, drawn } = this;
    if (drawn && gl.getSyncParameter(drawn, gl.SYNC_STATUS) === gl.UNSIGNALED) return false;
    gl.deleteSync(drawn);
    this.drawn = null;
    return true;
  }

  private resize(width: number, height: number): void {
    if (this.width === width && this.height === height) return;
    [this.width, this.height] = [width, height];
    const { gl } = this;
    const attach = (buffer: WebGLRenderbuffer, format: number, to: number): void => {
      gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
      gl.renderbufferStorage(gl.RENDERBUFFER, format, width, height);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, to, gl.RENDERBUFFER, buffer);
    };
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.framebuffer);
    attach(this.colours, gl.RGBA8, gl.COLOR_ATTACHMENT0);
    attach(this.depths, gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT);
    gl.bindRenderbuffer(gl.RENDERBUFFER, null);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  private show(): void {
    const { gl, width, height } = this;
    gl.disable(gl.SCISSOR_TEST);
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, this.framebuffer);
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, null);
    gl.enable(gl.SCISSOR_TEST);
  }
}
