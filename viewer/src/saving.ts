// PNG of the view, WebM of the animation. Names, time and colour bar are drawn in.
import type { App } from './app';
import { colourMap } from './colours';
import { byId, cssColour } from './dom';
import { runColour } from './plots';
import { shown } from './scale';
import { panes } from './stage';

function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

function fileName(app: App, ending: string): string {
  const name = app.shown.map((run) => run.head.name).join(' and ').replace(/[^\w.,-]+/g, '-').slice(0, 60) || 'pliant';
  return `${name}-${app.time.toFixed(3)}s.${ending}`;
}

/** A canvas of the view with all that is written over it. */
class Sheet {
  readonly canvas = document.createElement('canvas');
  private readonly pen: CanvasRenderingContext2D;

  constructor(private readonly app: App) {
    // Films want even numbers of pixels.
    this.canvas.width = app.stage.canvas.width & ~1;
    this.canvas.height = app.stage.canvas.height & ~1;
    const pen = this.canvas.getContext('2d');
    if (!pen) throw new Error('This browser cannot draw the picture.');
    this.pen = pen;
  }

  /** Must follow a draw at once: the canvas of the view forgets. */
  draw(): void {
    const { app, pen } = this;
    const { width, height } = app.stage.size;
    const ratio = app.stage.canvas.width / width;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.fillStyle = cssColour('--view');
    pen.fillRect(0, 0, this.canvas.width, this.canvas.height);
    pen.drawImage(app.stage.canvas, 0, 0);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.font = '13px system-ui, sans-serif';
    pen.textBaseline = 'middle';
    const ink = cssColour('--ink');
    panes(app.shown.length, width, height).forEach((pane, k) => {
      pen.textAlign = 'left';
      pen.fillStyle = runColour(k);
      if (app.shown.length > 1) pen.fillRect(pane.x + 14, pane.y + 13, 9, 9);
      pen.fillStyle = ink;
      pen.fillText(app.shown[k].head.name, pane.x + (app.shown.length > 1 ? 30 : 14), pane.y + 18, pane.width - 40);
      pen.strokeStyle = cssColour('--line');
      if (app.shown.length > 1) pen.strokeRect(pane.x, pane.y, pane.width, pane.height);
    });
    pen.textAlign = 'right';
    pen.fillText(`${app.time.toFixed(3)} s`, width - 14, height - 18);
    if (app.field) this.drawBar(app.field.name, `${app.field.label}${app.field.unit ? ` (${app.field.unit})` : ''}`, height);
  }

  private drawBar(field: string, name: string, height: number): void {
    const { pen } = this;
    const map = colourMap(field);
    for (let i = 0; i < 200; ++i) {
      const k = 4 * Math.round((i / 199) * 255);
      pen.fillStyle = `rgb(${map[k]} ${map[k + 1]} ${map[k + 2]})`;
      pen.fillRect(14 + i, height - 34, 1.5, 10);
    }
    pen.fillStyle = cssColour('--ink');
    pen.textAlign = 'left';
    pen.fillText(name, 14, height - 46);
    const [low, high] = this.app.range;
    pen.fillText(shown(low), 14, height - 13);
    pen.textAlign = 'right';
    pen.fillText(shown(high), 214, height - 13);
  }
}

function savePng(app: App): void {
  app.draw(); // with all its pixels, which a sheet then has too
  const sheet = new Sheet(app);
  sheet.draw();
  sheet.canvas.toBlob((blob) => {
    if (blob) save(blob, fileName(app, 'png'));
    else app.messages.error('The browser could not write the picture.');
  });
}

const painted = (): Promise<unknown> => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

/** Records every frame once, at the speed chosen. `stopped` ends it early. */
async function saveWebm(app: App, stopped: () => boolean): Promise<void> {
  const type = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find((one) => MediaRecorder.isTypeSupported(one));
  if (!type) throw new Error('This browser cannot write WebM.');
  app.draw();
  const sheet = new Sheet(app);
  const stream = sheet.canvas.captureStream(0);
  const track = stream.getVideoTracks()[0] as CanvasCaptureMediaStreamTrack;
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 12e6 });
  const parts: Blob[] = [];
  recorder.addEventListener('dataavailable', (event) => parts.push(event.data));
  const ended = new Promise((done) => recorder.addEventListener('stop', done));
  const distance = 1000 / (app.clock.rate * app.state.speed);
  recorder.start();
  for (let frame = 0; frame < app.clock.count && !stopped(); ++frame) {
    // A film is timed by the wall clock: it stands still while a frame is on its way.
    recorder.pause();
    await app.drawAt(frame, stopped);
    recorder.resume();
    const due = performance.now() + distance;
    sheet.draw();
    track.requestFrame();
    // The browser takes the picture when it paints.
    await painted();
    await new Promise((done) => setTimeout(done, Math.max(0, due - performance.now())));
  }
  recorder.stop();
  await ended;
  track.stop();
  save(new Blob(parts, { type: 'video/webm' }), fileName(app, 'webm'));
}

export function buildSaving(app: App): void {
  byId('save-png').addEventListener('click', () => savePng(app));
  const film = byId<HTMLButtonElement>('save-webm');
  let recording = false;
  film.addEventListener('click', () => {
    if (recording) {
      recording = false;
      return;
    }
    if (app.clock.count === 0) return;
    app.pause();
    recording = true;
    film.textContent = 'End WebM';
    film.classList.add('recording');
    saveWebm(app, () => !recording)
      .catch((error: Error) => app.messages.error(error.message))
      .finally(() => {
        recording = false;
        film.textContent = 'WebM';
        film.classList.remove('recording');
        app.redraw();
      });
  });
}
