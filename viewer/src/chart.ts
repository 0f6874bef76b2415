// A chart over time: lines on a canvas, a cursor at the clock's time, a click to get somewhere.
import { cssColour, element } from './dom';
import { type Scale, place, scaleFor, shown, ticks } from './scale';

export interface Series {
  label: string;
  colour: string;
  dash: number[];
  x: Float64Array;
  y: Float64Array;
  /** Rows that did not converge. */
  failed: readonly number[];
  status: (row: number) => string;
}

const LEFT = 50;
const RIGHT = 10;
const TOP = 8;
const BOTTOM = 20;

/** Smallest and largest of the finite numbers; with a logarithm of the positive ones. */
export function extremes(series: readonly Pick<Series, 'y'>[], log: boolean): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const { y } of series)
    for (let i = 0; i < y.length; ++i) {
      const value = y[i];
      if (!Number.isFinite(value) || (log && value <= 0)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  return [low, high];
}

/** The row whose time is nearest; rows are in order of time. */
export function nearestRow(x: Float64Array, time: number): number {
  let low = 0;
  let high = x.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low > 0 && time - x[low - 1] < x[low] - time ? low - 1 : low;
}

export class Chart {
  readonly element: HTMLElement;
  private readonly canvas = element('canvas');
  private readonly cursor = element('div', { class: 'cursor' });
  private readonly dot = element('div', { class: 'dot', hidden: true });
  private readonly tip = element('div', { class: 'tip', hidden: true });
  private series: Series[] = [];
  private vertical: Scale = scaleFor(0, 1, false);
  private end = 1;
  private time = 0;
  private stale = true;

  constructor(
    private readonly name: string,
    private readonly unit: string,
    private readonly log: boolean,
    picked: (time: number) => void,
  ) {
    this.element = element('div', { class: 'plot', tabindex: 0, role: 'img' }, this.canvas, this.cursor, this.dot, this.tip);
    new ResizeObserver(() => {
      this.stale = true;
      this.draw();
    }).observe(this.element);
    this.element.addEventListener('pointermove', (event) => this.point(event));
    this.element.addEventListener('pointerleave', () => (this.tip.hidden = this.dot.hidden = true));
    this.element.addEventListener('click', (event) => {
      const found = this.nearest(event);
      if (found) picked(found.series.x[found.row]);
    });
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      const peak = this.peak();
      if (peak !== null) picked(peak);
    });
  }

  set(series: Series[], end: number): void {
    this.series = series;
    this.end = Math.max(end, 1e-9);
    const [low, high] = extremes(series, this.log);
    this.vertical = scaleFor(!this.log && low > 0 && low < 0.5 * high ? 0 : low, high, this.log);
    this.stale = true;
    this.draw();
    this.setTime(this.time);
  }

  setTime(time: number): void {
    this.time = time;
    this.cursor.style.left = `${this.across(time)}px`;
    const values = this.series
      .filter((line) => line.x.length > 0)
      .map((line) => `${line.label} ${shown(line.y[nearestRow(line.x, time)])}`);
    const scale = this.log ? ', logarithmic' : '';
    const text = `${this.name}${scale}, at ${time.toFixed(3)} s: ${values.join(', ') || 'nothing yet'}. Enter goes to the highest place.`;
    this.element.setAttribute('aria-label', text);
  }

  /** Drawn anew with other colours. */
  restyle(): void {
    this.stale = true;
    this.draw();
  }

  private across(time: number): number {
    return LEFT + (time / this.end) * (this.element.clientWidth - LEFT - RIGHT);
  }

  private up(value: number): number {
    return TOP + (1 - place(this.vertical, value)) * (this.element.clientHeight - TOP - BOTTOM);
  }

  private peak(): number | null {
    const line = this.series[0];
    if (!line || line.y.length === 0) return null;
    let best = 0;
    for (let i = 1; i < line.y.length; ++i) if (line.y[i] > line.y[best] || Number.isNaN(line.y[best])) best = i;
    return line.x[best];
  }

  /** The point under the pointer: the nearest of those a few pixels beside it, else the nearest in time. */
  private nearest(event: MouseEvent): { series: Series; row: number } | null {
    const box = this.element.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    const pixel = this.end / Math.max(1, box.width - LEFT - RIGHT);
    const time = Math.max(0, (px - LEFT) * pixel);
    let found: { series: Series; row: number } | null = null;
    let least = Infinity;
    for (const series of this.series) {
      if (series.x.length === 0) continue;
      const middle = nearestRow(series.x, time);
      const first = Math.min(middle, nearestRow(series.x, time - 6 * pixel));
      const last = Math.max(middle, nearestRow(series.x, time + 6 * pixel));
      for (let row = first; row <= last; ++row) {
        if (!Number.isFinite(series.y[row])) continue;
        const distance = 2 * Math.abs(this.across(series.x[row]) - px) + Math.abs(this.up(series.y[row]) - py);
        if (distance < least) [least, found] = [distance, { series, row }];
      }
    }
    return found;
  }

  private point(event: PointerEvent): void {
    const found = this.nearest(event);
    this.tip.hidden = this.dot.hidden = !found;
    if (!found) return;
    const { series, row } = found;
    const [x, y] = [this.across(series.x[row]), this.up(series.y[row])];
    this.dot.style.left = `${x}px`;
    this.dot.style.top = `${y}px`;
    this.dot.style.background = series.colour;
    const status = series.status(row);
    this.tip.replaceChildren(
      element('strong', {}, `${shown(series.y[row])}${this.unit ? ` ${this.unit}` : ''}`),
      ` ${series.label}, ${series.x[row].toFixed(3)} s`,
      ...(status ? [element('span', { class: 'bad' }, status)] : []),
    );
    const width = this.element.clientWidth;
    this.tip.style.left = x < width / 2 ? `${x + 10}px` : '';
    this.tip.style.right = x < width / 2 ? '' : `${width - x + 10}px`;
    this.tip.style.top = `${Math.max(2, Math.min(y - 14, this.element.clientHeight - 44))}px`;
  }

  private draw(): void {
    const [width, height] = [this.element.clientWidth, this.element.clientHeight];
    if (!this.stale || width < LEFT + RIGHT + 20 || height < TOP + BOTTOM + 20) return;
    this.stale = false;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    const pen = this.canvas.getContext('2d');
    if (!pen) return;
    pen.scale(ratio, ratio);
    this.drawAxes(pen, width, height);
    pen.save();
    pen.beginPath();
    pen.rect(LEFT, TOP - 4, width - LEFT - RIGHT + 1, height - TOP - BOTTOM + 5);
    pen.clip();
    this.drawFailed(pen, height);
    for (const line of this.series) this.drawLine(pen, line);
    pen.restore();
    this.cursor.style.left = `${this.across(this.time)}px`;
  }

  private drawAxes(pen: CanvasRenderingContext2D, width: number, height: number): void {
    pen.font = '11px system-ui, sans-serif';
    pen.fillStyle = cssColour('--soft');
    pen.strokeStyle = cssColour('--line');
    pen.lineWidth = 1;
    pen.textAlign = 'right';
    pen.textBaseline = 'middle';
    for (const value of ticks(this.vertical, Math.max(3, Math.floor(height / 30)))) {
      const y = Math.round(this.up(value)) + 0.5;
      if (y < TOP - 1 || y > height - BOTTOM + 1) continue;
      pen.beginPath();
      pen.moveTo(LEFT, y);
      pen.lineTo(width - RIGHT, y);
      pen.stroke();
      pen.fillText(this.log ? `1e${Math.round(Math.log10(value))}` : shown(value), LEFT - 6, y);
    }
    pen.textBaseline = 'top';
    pen.textAlign = 'center';
    const horizontal = { log: false, low: 0, high: this.end };
    const marks = ticks(horizontal, Math.max(2, Math.floor((width - LEFT) / 70)));
    marks.forEach((time) => {
      const x = this.across(time);
      const last = time === marks[marks.length - 1];
      const text = `${Number(time.toPrecision(4))}${last ? ' s' : ''}`;
      const half = pen.measureText(text).width / 2;
      pen.fillText(text, Math.min(x, width - half - 1), height - BOTTOM + 5);
    });
  }

  private drawFailed(pen: CanvasRenderingContext2D, height: number): void {
    pen.strokeStyle = cssColour('--bad');
    for (const line of this.series.slice().reverse()) {
      let before = -10;
      for (const row of line.failed) {
        if (row >= line.x.length) continue;
        const x = Math.round(this.across(line.x[row])) + 0.5;
        if (x === before) continue;
        before = x;
        pen.globalAlpha = 0.22;
        pen.lineWidth = 2;
        pen.beginPath();
        pen.moveTo(x, TOP);
        pen.lineTo(x, height - BOTTOM);
        pen.stroke();
        pen.globalAlpha = 1;
        pen.beginPath();
        pen.moveTo(x, height - BOTTOM - 5);
        pen.lineTo(x, height - BOTTOM);
        pen.stroke();
        const y = line.y[row];
        if (!Number.isFinite(y)) continue;
        pen.fillStyle = cssColour('--bad');
        pen.beginPath();
        pen.arc(this.across(line.x[row]), this.up(y), 3, 0, 2 * Math.PI);
        pen.fill();
      }
    }
  }

  /** Of many rows in one column of pixels only first, lowest, highest and last are drawn. */
  private drawLine(pen: CanvasRenderingContext2D, line: Series): void {
    const { x, y } = line;
    pen.strokeStyle = line.colour;
    pen.lineWidth = 1.6;
    pen.lineJoin = 'round';
    pen.setLineDash(line.dash);
    pen.beginPath();
    let column = -1;
    let low = 0, high = 0, last = 0;
    let open = false;
    const close = (): void => {
      if (column < 0) return;
      for (const value of [low, high, last]) pen.lineTo(column, value);
    };
    for (let i = 0; i < x.length; ++i) {
      if (!Number.isFinite(y[i])) {
        close();
        column = -1;
        open = false;
        continue;
      }
      const exact = this.across(x[i]);
      const [px, py] = [Math.round(2 * exact) / 2, this.up(y[i])];
      if (px === column) {
        low = Math.min(low, py);
        high = Math.max(high, py);
        last = py;
        continue;
      }
      close();
      if (open) pen.lineTo(px, py);
      else pen.moveTo(px, py);
      open = true;
      column = px;
      low = high = last = py;
    }
    close();
    pen.stroke();
    pen.setLineDash([]);
  }
}
