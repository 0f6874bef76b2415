// The plots under the view: what steps.csv says of every step.
import type { App } from './app';
import { Chart, type Series } from './chart';
import { button, cssColour, element } from './dom';
import type { Run } from './run';

interface Line {
  column: string;
  label: string;
}

interface Plot {
  name: string;
  unit: string;
  log?: boolean;
  /** The first is what compared runs are compared by, unless others are asked for. */
  lines: Line[];
}

const PLOTS: Plot[] = [
  {
    name: 'Energy', unit: 'J',
    lines: [
      { column: 'total', label: 'total' },
      { column: 'kinetic', label: 'kinetic' },
      { column: 'elastic', label: 'elastic' },
      { column: 'gravitational', label: 'gravity' },
    ],
  },
  {
    name: 'Iterations a step', unit: '',
    lines: [
      { column: 'iterations', label: 'iterations' },
      { column: 'linear_solves', label: 'linear solves' },
    ],
  },
  { name: 'Gradient norm', unit: '', log: true, lines: [{ column: 'residual', label: 'at the end' }, { column: 'first_residual', label: 'at the start' }] },
  { name: 'Contacts', unit: '', lines: [{ column: 'contacts', label: 'contacts' }] },
  {
    name: 'Seconds a step', unit: 's',
    lines: [
      { column: 'seconds_step', label: 'all' },
      { column: 'seconds_assembly', label: 'assembly' },
      { column: 'seconds_linear_solve', label: 'linear solve' },
      { column: 'seconds_line_search', label: 'line search' },
      { column: 'seconds_contact', label: 'contact' },
    ],
  },
];

const DASHES: number[][] = [[], [6, 3], [2, 2], [8, 3, 2, 3], [1, 3]];
const NARROWEST = 290;

export const seriesColour = (index: number): string => cssColour(`--series-${(index % 5) + 1}`);
export const runColour = (index: number): string => cssColour(`--run-${(index % 4) + 1}`);

/** The sample of a line in a legend. */
function swatch(colour: string, dash: number[]): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 16 6');
  svg.setAttribute('class', 'swatch');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  line.setAttribute('d', 'M0 3h16');
  line.setAttribute('stroke', colour);
  line.setAttribute('stroke-width', '2');
  line.setAttribute('stroke-dasharray', dash.join(' '));
  svg.append(line);
  return svg;
}

/** One plot with its heading and legend. */
class Panel {
  readonly element: HTMLElement;
  private readonly chart: Chart;
  private readonly legend = element('div', { class: 'legend' });
  private readonly hidden = new Set<string>();
  private compared = false;

  constructor(private readonly app: App, readonly plot: Plot) {
    this.chart = new Chart(plot.name, plot.unit, plot.log === true, (time) => app.goToTime(time));
    const unit = plot.unit ? `, ${plot.unit}` : plot.log ? ' (log)' : '';
    const heading = element('h3', {}, plot.name, element('span', {}, unit));
    this.element = element('section', { class: 'chart', 'aria-label': plot.name }, element('header', {}, heading, this.legend), this.chart.element);
    this.hideMost();
  }

  /** Of compared runs one line each, unless more are asked for; of one run all but what would hide them. */
  private hideMost(): void {
    this.hidden.clear();
    if (this.compared) for (const line of this.plot.lines.slice(1)) this.hidden.add(line.column);
    else if (this.plot.log) this.hidden.add('first_residual');
  }

  update(): void {
    const compared = this.app.shown.length > 1;
    if (compared !== this.compared) {
      this.compared = compared;
      this.hideMost();
    }
    const lines = this.plot.lines.filter((line) => this.app.shown.some((run) => run.steps.has(line.column)));
    const toggles = lines.map((line) => {
      const k = this.plot.lines.indexOf(line);
      const made = button('', () => this.toggle(line.column), { 'aria-pressed': String(!this.hidden.has(line.column)) });
      made.append(swatch(compared ? cssColour('--soft') : seriesColour(k), compared ? DASHES[k] : []), line.label);
      return made;
    });
    this.legend.replaceChildren(...(this.plot.lines.length > 1 ? toggles : []));
    const list = lines.filter((line) => !this.hidden.has(line.column)).flatMap((line) => this.seriesOf(line));
    this.chart.set(list, Math.max(0, this.app.clock.count - 1) / this.app.clock.rate);
  }

  private toggle(column: string): void {
    if (!this.hidden.delete(column)) this.hidden.add(column);
    const index = [...this.legend.children].indexOf(document.activeElement!);
    this.update();
    (this.legend.children[index] as HTMLElement | undefined)?.focus();
  }

  private seriesOf(line: Line): Series[] {
    const k = this.plot.lines.indexOf(line);
    return this.app.shown
      .map((run, at) => ({ run, at }))
      .filter(({ run }) => run.steps.has(line.column))
      .map(({ run, at }) => ({
        label: this.compared ? `${line.label}, ${run.head.name}` : line.label,
        colour: this.compared ? runColour(at) : seriesColour(k),
        dash: this.compared ? DASHES[k] : [],
        x: run.steps.column('time'),
        y: run.steps.column(line.column),
        failed: run.steps.failed,
        status: (row: number) => run.steps.statuses.get(row) ?? (run.steps.failed.includes(row) ? 'did not converge' : ''),
      }));
  }

  setTime(): void {
    this.chart.setTime(this.app.time);
  }
}

export function runKey(run: Run, index: number): HTMLElement {
  return element('span', { class: 'key' }, swatch(runColour(index), []), element('span', {}, run.head.name));
}

export function buildPlots(app: App, holder: HTMLElement): void {
  const chooser = element('div', { class: 'chooser', role: 'group', 'aria-label': 'Plots shown' });
  const runs = element('div', { class: 'runs-legend' });
  const grid = element('div', { class: 'charts' });
  const empty = element('p', { class: 'empty' }, 'There are no steps yet.');
  holder.append(element('div', { class: 'plots-head' }, chooser, runs), empty, grid);
  const panels = PLOTS.map((plot) => new Panel(app, plot));
  let chosen: Set<Panel> | null = null;

  /** As many as have room, unless some were chosen. */
  const visible = (): Set<Panel> =>
    chosen ?? new Set(panels.slice(0, Math.max(1, Math.floor((holder.clientWidth - 24) / NARROWEST))));
  const toggles = panels.map((panel) =>
    button(panel.plot.name, () => {
      chosen = new Set(visible());
      if (!chosen.delete(panel)) chosen.add(panel);
      lay();
    }),
  );
  chooser.append(...toggles);
  const lay = (): void => {
    const now = visible();
    panels.forEach((panel, k) => toggles[k].setAttribute('aria-pressed', String(now.has(panel))));
    const wanted = panels.filter((panel) => now.has(panel));
    if (wanted.length !== grid.children.length || wanted.some((panel, k) => grid.children[k] !== panel.element))
      grid.replaceChildren(...wanted.map((panel) => panel.element));
  };
  const update = (): void => {
    empty.hidden = app.shown.some((run) => run.steps.rows > 0);
    grid.hidden = !empty.hidden;
    runs.replaceChildren(...(app.shown.length > 1 ? app.shown.map(runKey) : []));
    lay();
    panels.forEach((panel) => panel.update());
  };
  new ResizeObserver(lay).observe(holder);
  app.on(['steps', 'runs', 'theme', 'status'], update);
  app.on(['time'], () => panels.forEach((panel) => panel.setTime()));
  update();
}
