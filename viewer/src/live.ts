// A run that goes on while it is watched: its state, and buttons to pause, continue and stop it.
import type { App } from './app';
import { byId } from './dom';
import { placeOf } from './clock';
import type { Run } from './run';
import { ServerGone } from './server_source';

const WORDS: Record<string, string> = {
  running: 'Running', paused: 'Paused', done: 'Done', stopped: 'Stopped', failed: 'Failed', recorded: 'Being written',
};
const OFTEN = 500;
const SELDOM = 3000;

export function buildLive(app: App): void {
  const bar = byId('live');
  const pause = byId<HTMLButtonElement>('live-pause');
  const stop = byId<HTMLButtonElement>('live-stop');
  const follow = byId<HTMLInputElement>('live-follow');
  const dialog = byId<HTMLDialogElement>('stop-dialog');
  const gone = new ServerGone().message;
  let silent = false;
  let asked = false;

  /** The run that is being computed, else the last that was. */
  const run = (): Run | undefined => app.runs.find((one) => one.active) ?? app.runs[0];

  const show = (): void => {
    const one = run();
    bar.hidden = !app.session.live || !one;
    if (!one) return;
    const state = byId('live-state');
    const text = silent ? 'No answer' : `${WORDS[one.state] ?? one.state} · ${Math.max(0, one.head.frames - 1)} of ${one.head.frames_planned} frames`;
    // Said again only when it is something else, or every frame would be read out.
    if (state.textContent !== text) state.textContent = text;
    state.dataset['state'] = silent ? 'silent' : one.state;
    state.title = one.message;
    pause.textContent = one.state === 'paused' ? 'Continue' : 'Pause';
    pause.hidden = stop.hidden = one.state === 'recorded';
    const able = one.active && !silent && app.state.token !== '';
    pause.disabled = stop.disabled = !able || asked;
    pause.title = stop.title = app.state.token ? '' : 'Only the link that the program printed allows this.';
    follow.checked = app.following;
  };

  const command = async (what: 'pause' | 'continue' | 'stop'): Promise<void> => {
    const one = run();
    if (!one) return;
    asked = true;
    show();
    try {
      await app.source.command(one.id, what);
      await ask();
    } catch (error) {
      app.messages.error((error as Error).message);
    }
    asked = false;
    show();
  };

  const take = (one: Run, frames: number): boolean => {
    if (frames === one.head.frames) return false;
    const time = app.time;
    one.head.frames = frames;
    one.head.frames_planned = Math.max(frames - 1, one.head.frames_planned);
    app.updateClock();
    app.place = app.following ? Math.max(0, app.clock.count - 1) : Math.min(Math.max(app.place, placeOf(time, app.clock)), Math.max(0, app.clock.count - 1));
    return true;
  };

  const ask = async (): Promise<void> => {
    const list = await app.source.status();
    let grown = false;
    for (const status of list) {
      const one = app.runs.find((other) => other.id === status.id);
      if (!one) continue;
      if (status.state === 'failed' && one.state !== 'failed' && status.message) app.messages.error(`${one.head.name}: ${status.message}`);
      one.state = status.state;
      one.message = status.message;
      grown = take(one, status.frames) || grown;
      if (app.shown.includes(one) && status.steps > one.steps.rows) void app.updateSteps(one);
    }
    app.emit('status');
    // A new frame may be the first one, or the one to follow.
    if (grown) app.goTo(app.following ? app.clock.count - 1 : app.place);
  };

  const poll = async (): Promise<void> => {
    try {
      await ask();
      if (silent) app.messages.clear(gone);
      silent = false;
    } catch (error) {
      if (error instanceof ServerGone && run()?.active !== false) app.messages.error(gone);
      silent = true;
    }
    show();
    const active = app.runs.some((one) => one.active);
    window.setTimeout(() => void poll(), active && !silent ? OFTEN : app.session.live ? 2 * OFTEN : SELDOM);
  };

  pause.addEventListener('click', () => void command(run()?.state === 'paused' ? 'continue' : 'pause'));
  stop.addEventListener('click', () => {
    dialog.returnValue = '';
    dialog.showModal();
  });
  dialog.addEventListener('close', () => {
    if (dialog.returnValue === 'stop') void command('stop');
  });
  follow.addEventListener('change', () => {
    app.pause();
    app.following = follow.checked;
    if (app.following) app.goTo(app.clock.count - 1);
  });
  app.on(['time', 'playing'], show);
  app.following = app.session.live && app.state.time === 0;
  show();
  // A folder that another program still writes to grows too, more slowly seen.
  const growing = app.runs.some((one) => one.head.summary?.['status'] === 'running' || one.head.summary === null);
  if (app.session.live || growing) void poll();
}
