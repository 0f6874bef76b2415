import type { App } from './app';
import { byId, element } from './dom';
import { type Axis, SPEEDS, STYLES } from './link';

interface Shortcut {
  keys: string[];
  shown: string;
  does: string;
  act: (app: App, event: KeyboardEvent) => void;
}

const turn = 0.12;

function cycleClip(app: App): void {
  const axes: (Axis | null)[] = [null, 'x', 'y', 'z'];
  const next = axes[(axes.indexOf(app.state.clip?.axis ?? null) + 1) % axes.length];
  app.state.clip = next ? { axis: next, at: app.state.clip?.at ?? 0.5, flipped: app.state.clip?.flipped ?? false } : null;
  app.applyLook();
}

function faster(app: App, by: number): void {
  const at = SPEEDS.indexOf(app.state.speed) + by;
  app.state.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at))];
  app.applyLook();
}

/** The nearest step in a direction that did not converge. */
function toFailed(app: App, forward: boolean): void {
  const half = 0.5 / app.clock.rate;
  const times = app.shown.flatMap((run) => run.steps.failed.map((row) => run.steps.column('time')[row]));
  const there = times.filter((time) => (forward ? time > app.time + half : time < app.time - half * 2));
  const nearer = (a: number, b: number): number => (forward ? Math.min(a, b) : Math.max(a, b));
  if (there.length > 0) app.goToTime(there.reduce(nearer));
}

const SHORTCUTS: Shortcut[] = [
  { keys: [' '], shown: 'Space', does: 'Play or pause', act: (app) => app.toggle() },
  { keys: ['ArrowLeft'], shown: '←', does: 'One frame back', act: (app) => app.step(-1) },
  { keys: ['ArrowRight'], shown: '→', does: 'One frame ahead', act: (app) => app.step(1) },
  { keys: ['PageUp'], shown: 'Page Up', does: 'Ten frames back', act: (app) => app.step(-10) },
  { keys: ['PageDown'], shown: 'Page Down', does: 'Ten frames ahead', act: (app) => app.step(10) },
  { keys: ['Home'], shown: 'Home', does: 'To the start', act: (app) => app.step(-app.clock.count) },
  { keys: ['End'], shown: 'End', does: 'To the end', act: (app) => app.step(app.clock.count) },
  { keys: ['['], shown: '[', does: 'Slower', act: (app) => faster(app, -1) },
  { keys: [']'], shown: ']', does: 'Faster', act: (app) => faster(app, 1) },
  { keys: ['l'], shown: 'L', does: 'Loop on or off', act: (app) => { app.state.loop = !app.state.loop; app.applyLook(); } },
  { keys: ['n'], shown: 'N', does: 'Next step that did not converge', act: (app) => toFailed(app, true) },
  { keys: ['N'], shown: 'Shift N', does: 'The one before', act: (app) => toFailed(app, false) },
  { keys: ['f'], shown: 'F', does: 'Fit what is shown', act: (app) => app.fit(false) },
  { keys: ['r'], shown: 'R', does: 'Reset the camera', act: (app) => app.fit(true) },
  { keys: ['Shift+ArrowLeft'], shown: 'Shift ← →', does: 'Turn the camera', act: (app) => app.stage.orbit(-turn, 0) },
  { keys: ['Shift+ArrowRight'], shown: '', does: '', act: (app) => app.stage.orbit(turn, 0) },
  { keys: ['Shift+ArrowUp'], shown: 'Shift ↑ ↓', does: 'Raise or lower it', act: (app) => app.stage.orbit(0, turn) },
  { keys: ['Shift+ArrowDown'], shown: '', does: '', act: (app) => app.stage.orbit(0, -turn) },
  { keys: ['+', '='], shown: '+', does: 'Nearer', act: (app) => app.stage.zoom(1 / 1.15) },
  { keys: ['-'], shown: '−', does: 'Further away', act: (app) => app.stage.zoom(1.15) },
  { keys: ['w'], shown: 'W', does: 'Surface, with edges, wireframe', act: (app) => { app.state.style = STYLES[(STYLES.indexOf(app.state.style) + 1) % STYLES.length]; app.applyLook(); } },
  { keys: ['c'], shown: 'C', does: 'Cut across x, y, z, nothing', act: cycleClip },
  { keys: ['g'], shown: 'G', does: 'Ground grid on or off', act: (app) => { app.state.grid = !app.state.grid; app.applyLook(); } },
  { keys: ['p'], shown: 'P', does: 'Save the view as PNG', act: () => byId('save-png').click() },
  { keys: ['?'], shown: '?', does: 'This list', act: () => byId<HTMLDialogElement>('help-dialog').showModal() },
];

/** Keys that an element under the focus needs for itself. */
function taken(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return true;
  const at = event.target as HTMLElement;
  if (at.matches('select, textarea, input:not([type=checkbox]):not([type=range])')) return true;
  if (at.matches('input[type=range], [role=separator], [role=tab]') && /^(Arrow|Home|End|Page)/.test(event.key)) return true;
  return event.key === ' ' && at.matches('button, input, summary, a');
}

export function buildShortcuts(app: App): void {
  const list = byId('shortcuts');
  for (const shortcut of SHORTCUTS)
    if (shortcut.shown) list.append(element('div', {}, element('dt', {}, element('kbd', {}, shortcut.shown)), element('dd', {}, shortcut.does)));
  byId('help').addEventListener('click', () => byId<HTMLDialogElement>('help-dialog').showModal());
  document.addEventListener('keydown', (event) => {
    if (taken(event)) return;
    const name = event.shiftKey && event.key.startsWith('Arrow') ? `Shift+${event.key}` : event.key;
    const found =
      SHORTCUTS.find((shortcut) => shortcut.keys.includes(name)) ??
      (event.shiftKey ? undefined : SHORTCUTS.find((shortcut) => shortcut.keys.includes(name.toLowerCase())));
    if (!found) return;
    event.preventDefault();
    found.act(app, event);
    app.redraw();
    app.remember();
  });
}
