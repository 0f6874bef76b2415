// Which runs, in which colours, how drawn, cut where.
import { type App, MOST_SHOWN } from './app';
import { button, check, choice, element } from './dom';
import { type Axis, OBSTACLES, type ObstacleStyle, type Style, STYLES } from './link';
import { runColour } from './plots';

const STYLE_NAMES: Record<Style, string> = { surface: 'Surface', edges: 'Surface and edges', wireframe: 'Wireframe' };
const OBSTACLE_NAMES: Record<ObstacleStyle, string> = { solid: 'Solid', translucent: 'Translucent', hidden: 'Hidden' };
const STATES: Record<string, string> = {
  running: 'running', paused: 'paused', done: 'done', stopped: 'stopped', failed: 'failed', writing: 'being written',
  'broken-off': 'broken off', recorded: '',
};

function section(title: string, ...children: (Node | string)[]): HTMLElement {
  return element('section', {}, element('h2', {}, title), ...children);
}

function buildRuns(app: App): HTMLElement {
  const list = element('ul', { class: 'runs' });
  const hint = element('p', { class: 'hint' }, `Up to ${MOST_SHOWN} side by side.`);
  const boxes = app.runs.map((run) => {
    const box = element('input', { type: 'checkbox' });
    box.addEventListener('change', () => {
      const ids = app.state.runs.filter((id) => id !== run.id);
      if (box.checked) ids.push(run.id);
      void app.showRuns(ids);
    });
    const dot = element('i', { class: 'dot' });
    const detail = element('small', {});
    list.append(
      element('li', {}, element('label', { class: 'check' }, box, dot, element('span', { class: 'run-name', title: run.head.folder }, element('span', {}, run.head.name), detail))),
    );
    return { run, box, dot, detail };
  });
  const update = (): void => {
    for (const { run, box, dot, detail } of boxes) {
      const index = app.shown.indexOf(run);
      box.checked = app.state.runs.includes(run.id);
      box.disabled = !box.checked && app.state.runs.length >= MOST_SHOWN;
      dot.style.background = index >= 0 && app.shown.length > 1 ? runColour(index) : 'transparent';
      dot.hidden = app.runs.length < 2;
      const state = run.failure ? 'cannot be shown' : STATES[run.state];
      const frames = `${run.head.frames}${run.growing ? ` of ${run.head.frames_planned + 1}` : ''} frames`;
      const folder = run.head.folder.split('/').pop();
      detail.textContent = [folder === run.head.name ? '' : folder, frames, state].filter(Boolean).join(' · ');
    }
    hint.hidden = app.runs.length < 2;
  };
  app.on(['runs', 'status', 'theme'], update);
  update();
  return section(app.runs.length > 1 ? 'Runs' : 'Run', list, hint);
}

function buildColour(app: App): HTMLElement {
  const { row, select } = choice('Colour by', [['', 'Body']], '', (value) => app.colourBy(value));
  select.id = 'colour-by';
  const bound = (label: string): HTMLInputElement =>
    element('input', { type: 'number', step: 'any', 'aria-label': label });
  const [low, high] = [bound('Lowest colour at'), bound('Highest colour at')];
  const automatic = button('Auto', () => {
    app.state.range = null;
    app.applyLook();
    app.emit('range');
  });
  const apply = (): void => {
    const [a, b] = [low.valueAsNumber, high.valueAsNumber];
    if (!(a < b)) return;
    app.state.range = [a, b];
    app.applyLook();
    app.emit('range');
  };
  low.addEventListener('change', apply);
  high.addEventListener('change', apply);
  const unit = element('span', { class: 'unit' });
  const rangeRow = element('div', { class: 'range-row' }, low, element('span', {}, 'to'), high, unit, automatic);
  const update = (): void => {
    const fields = app.fieldsOffered();
    const names = ['', ...fields.map((field) => field.name)].join('\n');
    if (names !== [...select.options].map((option) => option.value).join('\n')) {
      select.replaceChildren(element('option', { value: '' }, 'Body'));
      for (const field of fields) select.append(element('option', { value: field.name }, field.label));
    }
    select.value = app.field?.name ?? '';
    rangeRow.hidden = !app.field || app.field.name === 'inverted';
    unit.textContent = app.field?.unit ?? '';
    automatic.disabled = app.state.range === null;
    const [a, b] = app.range;
    if (document.activeElement !== low) low.value = String(Number(a.toPrecision(4)));
    if (document.activeElement !== high) high.value = String(Number(b.toPrecision(4)));
  };
  app.on(['runs', 'look', 'range'], update);
  update();
  return section('Colour', row, rangeRow);
}

function buildLook(app: App): HTMLElement {
  const style = choice('Bodies', STYLES.map((name) => [name, STYLE_NAMES[name]] as const), app.state.style, (value) => {
    app.state.style = value as Style;
    app.applyLook();
  });
  const obstacles = choice('Obstacles', OBSTACLES.map((name) => [name, OBSTACLE_NAMES[name]] as const), app.state.obstacles, (value) => {
    app.state.obstacles = value as ObstacleStyle;
    app.applyLook();
  });
  style.select.id = 'style';
  const grid = check('Ground grid', app.state.grid, (value) => {
    app.state.grid = value;
    app.applyLook();
  });
  const fit = button('Fit (F)', () => app.fit(false));
  const reset = button('Reset camera (R)', () => app.fit(true));
  app.on(['look', 'runs'], () => {
    style.select.value = app.state.style;
    obstacles.select.value = app.state.obstacles;
    grid.box.checked = app.state.grid;
    obstacles.row.hidden = !app.shown.some((run) => run.head.obstacles.length > 0);
  });
  return section('View', style.row, obstacles.row, grid.row, element('div', { class: 'buttons' }, fit, reset));
}

function buildClip(app: App): HTMLElement {
  const axis = choice('Cut across', [['', 'Nothing'], ['x', 'x'], ['y', 'y'], ['z', 'z']], app.state.clip?.axis ?? '', (value) => {
    app.state.clip = value ? { axis: value as Axis, at: app.state.clip?.at ?? 0.5, flipped: app.state.clip?.flipped ?? false } : null;
    app.applyLook();
  });
  axis.select.id = 'clip-axis';
  const slider = element('input', { type: 'range', min: 0, max: 1, step: 0.002, 'aria-label': 'Where the cut is', id: 'clip-at' });
  slider.addEventListener('input', () => {
    if (app.state.clip) app.state.clip.at = Number(slider.value);
    app.applyLook();
  });
  const flipped = check('Other side', false, (value) => {
    if (app.state.clip) app.state.clip.flipped = value;
    app.applyLook();
  });
  const update = (): void => {
    const clip = app.state.clip;
    axis.select.value = clip?.axis ?? '';
    slider.hidden = flipped.row.hidden = clip === null;
    if (!clip) return;
    slider.value = String(clip.at);
    slider.style.setProperty('--part', `${100 * clip.at}%`);
    flipped.box.checked = clip.flipped;
  };
  app.on(['look'], update);
  update();
  return section('Cut', axis.row, slider, flipped.row);
}

export function buildSidebar(app: App, holder: HTMLElement): void {
  holder.append(buildRuns(app), buildColour(app), buildLook(app), buildClip(app));
}
