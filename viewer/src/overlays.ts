// What lies over the canvas: the names of the runs, and the colour bar.
import type { App } from './app';
import { cssGradient } from './colours';
import { byId, element } from './dom';
import { runColour } from './plots';
import { shown } from './scale';
import { panes } from './stage';

export function buildOverlays(app: App): void {
  const labels = byId('labels');
  const bar = byId('bar');
  const updateLabels = (): void => {
    const { width, height } = app.stage.size;
    const list = panes(app.shown.length, width, height);
    const many = app.shown.length > 1;
    labels.replaceChildren(
      ...(many ? app.shown : []).map((run, k) => {
        const pane = list[k];
        const style = `left:${pane.x}px;top:${pane.y}px;width:${pane.width}px;height:${pane.height}px`;
        const dot = element('i', { class: 'dot', style: `background:${runColour(k)}` });
        return element('div', { class: 'pane', style }, element('span', { class: 'pane-name' }, dot, element('span', {}, run.head.name)));
      }),
    );
  };
  const updateBar = (): void => {
    const { field, range } = app;
    bar.hidden = !field;
    if (!field) return;
    const unit = field.unit ? ` (${field.unit})` : '';
    byId('bar-name').textContent = field.label + unit;
    byId('bar-strip').style.background = cssGradient(field.name);
    const [low, high] = range;
    const texts = field.name === 'inverted' ? ['no', 'yes'] : [low, (low + high) / 2, high].map(shown);
    byId('bar-ticks').replaceChildren(...texts.map((text) => element('span', {}, text)));
    bar.setAttribute('aria-label', `Colours: ${field.label}${unit} from ${texts[0]} to ${texts[texts.length - 1]}`);
  };
  new ResizeObserver(updateLabels).observe(labels);
  app.on(['runs', 'theme'], updateLabels);
  app.on(['runs', 'look', 'range'], updateBar);
  app.on(['runs', 'time'], () => {
    const wait = byId('wait');
    const none = app.shown.length === 0;
    wait.textContent = none ? 'Choose a run on the right.' : app.clock.count === 0 ? 'There are no frames yet.' : 'Loading…';
    wait.classList.toggle('always', none || app.clock.count === 0);
  });
  updateLabels();
  updateBar();
}
