// Tables of what ran: the scene's choices, the summary, the machine; and of a comparison.
import type { App } from './app';
import { check, cssColour, element } from './dom';
import { runColour, runKey } from './plots';
import type { Run } from './run';
import { place, roundScale, roundTicks, shown } from './scale';
import type { Comparison } from './source';

/** An object as rows of "a.b.c" and text. Lists are left out but those of numbers and text. */
export function flattened(value: unknown, prefix = ''): [string, string][] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) {
    if (value.some((item) => typeof item === 'object')) return [];
    return value.length > 0 ? [[prefix, value.map(text).join(', ')]] : [];
  }
  if (typeof value !== 'object') return [[prefix, text(value)]];
  return Object.entries(value).flatMap(([key, inner]) => flattened(inner, prefix ? `${prefix}.${key}` : key));
}

function text(value: unknown): string {
  return typeof value === 'number' && !Number.isInteger(value) ? String(Number(value.toPrecision(6))) : String(value);
}

function table(caption: string, runs: Run[], rowsOf: (run: Run) => [string, string][], onlyOther: boolean): HTMLElement {
  const columns = runs.map((run) => new Map(rowsOf(run)));
  const keys = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  const body = element('tbody');
  for (const key of keys) {
    const values = columns.map((column) => column.get(key) ?? '');
    const differ = values.some((value) => value !== values[0]);
    if (onlyOther && !differ) continue;
    const cells = values.map((value) => element('td', {}, value));
    body.append(element('tr', { class: differ ? 'differs' : null }, element('th', { scope: 'row' }, key), ...cells));
  }
  const head = element('tr', {}, element('td'), ...runs.map((run, k) => element('th', { scope: 'col' }, runKey(run, k))));
  const made = element('table', {}, element('caption', {}, caption));
  if (runs.length > 1) made.append(element('thead', {}, head));
  made.append(body);
  return body.children.length > 0 ? made : element('p', { class: 'empty' }, `${caption}: ${onlyOther ? 'nothing differs.' : 'nothing known.'}`);
}

const MACHINE = ['version', 'build', 'flags', 'cpu', 'simd_width', 'blas', 'threads', 'peak_memory_bytes'];

export function buildTables(app: App, holder: HTMLElement): void {
  const tables = element('div', { class: 'tables' });
  let onlyOther = false;
  const only = check('Only what differs', false, (value) => {
    onlyOther = value;
    update();
  });
  holder.append(only.row, tables);
  const summaryOf = (run: Run): [string, string][] => flattened(run.head.summary);
  const machine = (key: string): boolean => MACHINE.includes(key.split('.')[0]);
  const update = (): void => {
    const runs = app.shown;
    only.row.hidden = runs.length < 2;
    const other = onlyOther && runs.length > 1;
    tables.replaceChildren(
      table('Scene', runs, (run) => run.head.choices, other),
      table('Summary', runs, (run) => summaryOf(run).filter(([key]) => !machine(key)), other),
      table('Machine and version', runs, (run) => summaryOf(run).filter(([key]) => machine(key)), other),
    );
  };
  app.on(['runs', 'theme', 'status'], () => {
    if (!holder.hidden) update();
  });
  new ResizeObserver(update).observe(holder);
}

const SPACE = 'http://www.w3.org/2000/svg';

function svg(tag: string, attributes: Record<string, string | number>, content = ''): SVGElement {
  const made = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (content) made.textContent = content;
  return made;
}

/** The middle is left out: names of members differ at their ends. */
const shortened = (name: string): string => (name.length > 24 ? `${name.slice(0, 12)}…${name.slice(-11)}` : name);

interface Spot {
  x: number;
  y: number;
  width: number;
}

/** Where a name beside a point meets no other name or point; right of it where all do. */
function freeSpot(x: number, y: number, width: number, [left, right]: [number, number], taken: Spot[]): Spot {
  const spots: Spot[] = [0, -12, 12, -24, 24, -36, 36].flatMap((up) => [
    { x: x + 9, y: y + up, width },
    { x: x - 9 - width, y: y + up, width },
  ]);
  const free = (spot: Spot): boolean =>
    spot.x >= left && spot.x + width <= right &&
    taken.every((other) => Math.abs(other.y - spot.y) >= 11 || spot.x > other.x + other.width || other.x > spot.x + width);
  const found = spots.find(free) ?? spots[0];
  taken.push(found);
  return found;
}

/** Error against seconds, both logarithmic. What has no error, as the reference, is left out. */
function errorPlot(app: App, comparison: Comparison): SVGElement {
  const [width, height, left, bottom, top, right] = [400, 200, 52, 36, 10, 20];
  const points = comparison.points.filter((point) => point.seconds > 0 && point.error > 0);
  const across = roundScale(points.map((point) => point.seconds));
  const up = roundScale(points.map((point) => point.error));
  const x = (value: number): number => left + place(across, value) * (width - left - right);
  const y = (value: number): number => top + (1 - place(up, value)) * (height - top - bottom);
  const made = svg('svg', { viewBox: `0 0 ${width} ${height}`, class: 'error-plot', role: 'img' });
  const said = points.map((point) => `${point.name}: ${shown(point.error)} in ${shown(point.seconds)} s`);
  made.setAttribute('aria-label', `Error against seconds. ${said.join('; ')}`);
  const [soft, line] = [cssColour('--soft'), cssColour('--line')];
  for (const value of roundTicks(across)) {
    made.append(svg('path', { d: `M${x(value)} ${top}V${height - bottom}`, stroke: line }));
    made.append(svg('text', { x: x(value), y: height - bottom + 14, 'text-anchor': 'middle', fill: soft }, shown(value)));
  }
  for (const value of roundTicks(up)) {
    made.append(svg('path', { d: `M${left} ${y(value)}H${width - right}`, stroke: line }));
    made.append(svg('text', { x: left - 6, y: y(value) + 4, 'text-anchor': 'end', fill: soft }, shown(value)));
  }
  made.append(svg('text', { x: (left + width - right) / 2, y: height - 6, 'text-anchor': 'middle', fill: soft }, 'seconds'));
  made.append(svg('text', { x: 12, y: (top + height - bottom) / 2, 'text-anchor': 'middle', fill: soft, transform: `rotate(-90 12 ${(top + height - bottom) / 2})` }, 'error, m'));
  const taken: Spot[] = points.map((point) => ({ x: x(point.seconds) - 5, y: y(point.error), width: 10 }));
  points.forEach((point) => {
    // In the colour of its run where that is shown.
    const k = app.shown.findIndex((run) => run.head.name === point.name);
    const circle = svg('circle', { cx: x(point.seconds), cy: y(point.error), r: 5, fill: k >= 0 ? runColour(k) : soft, stroke: cssColour('--page'), 'stroke-width': 1.5 });
    circle.append(svg('title', {}, `${point.name}: ${shown(point.error)} m in ${shown(point.seconds)} s`));
    made.append(circle);
    const name = shortened(point.name);
    const spot = freeSpot(x(point.seconds), y(point.error), 6.2 * name.length, [left, width], taken);
    made.append(svg('text', { x: spot.x, y: spot.y + 4, fill: cssColour('--ink') }, name));
  });
  return made;
}

export function buildComparison(app: App, comparison: Comparison, holder: HTMLElement): void {
  const update = (): void => {
    const head = element('tr', {}, ...comparison.columns.map((name) => element('th', { scope: 'col' }, name)));
    const made = element('table', {}, element('caption', {}, 'Members'), element('thead', {}, head));
    const body = element('tbody');
    for (const row of comparison.rows) {
      const [name, ...rest] = row;
      const k = app.shown.findIndex((run) => run.head.name === name);
      const dot = element('i', { class: 'dot', style: k >= 0 ? `background:${runColour(k)}` : null });
      body.append(element('tr', {}, element('th', { scope: 'row' }, dot, name ?? ''), ...rest.map((value) => element('td', { class: 'number' }, value))));
    }
    made.append(body);
    const plotted = comparison.points.some((point) => point.seconds > 0 && point.error > 0);
    const figure = element('figure', {}, element('figcaption', {}, 'Error against seconds'));
    if (plotted) figure.append(errorPlot(app, comparison));
    holder.replaceChildren(element('div', { class: 'tables' }, ...(plotted ? [figure] : []), element('div', { class: 'scrolled' }, made)));
  };
  app.on(['theme', 'runs'], update);
  update();
}
