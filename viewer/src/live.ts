// A run that goes on while it is watched: its state, and buttons to pause, continue and stop it.
import type { App } from './app';
import { byId } from './dom';
import { placeOf } from './clock';
import type { Run } from './run';
import type { RunStatus } from './source';
import { ServerGone, ServerSource } from './server_source';

const WORDS: Record<string, string> = {
  running: 'Running', paused: 'Paused', done: 'Done', stopped: 'Stopped', failed: 'Failed', writing: 'Being written',
  'broken-off': 'Broken off', recorded: 'Ended',
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
  /** Whether something has come since the page was opened, or may come. */
  let live = app.session.live;
  let asked = false;
  let said = '';

  /** The run that is being computed, else the last that was. */
  const run = (): Run | undefined => app.runs.find((one) => one.active) ?? app.runs.find((one) => one.growing) ?? app.runs[0];

  const show = (): void => {
    const one = run();
    bar.hidden = !live || !one;
    if (!one) return;
    const state = byId('live-state');
    const text = silent ? 'No answer' : `${WORDS[one.state] ?? one.state} · ${Math.max(0, one.head.frames - 1)} of ${one.head.frames_planned} frames`;
    // Said again only when it is something else, or every frame would be read out.
    if (state.textContent !== text) state.textContent = text;
    state.dataset['state'] = silent ? 'silent' : one.state;
    state.title = one.message;
    pause.textContent = one.state === 'paused' ? 'Continue' : 'Pause';
    pause.hidden = stop.hidden = ['writing', 'broken-off', 'recorded'].includes(one.state);
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

  /** What the tables show of a run is written again when it ends. */
  const refresh = async (one: Run, summary: string): Promise<void> => {
    const head = await app.source.head(one.id);
    // Of another run in its folder: that is shown anew when its status says so.
    if ((head.generation ?? 0) !== one.generation) return;
    one.head = { ...head, frames: one.head.frames };
    one.summary = summary;
  };

  /** What is new of a run. */
  const hear = async (one: Run, status: RunStatus): Promise<{ changed: boolean; grown: boolean }> => {
    const nothing = { changed: false, grown: false };
    if (status.generation !== one.generation) await app.restart(one);
    if (status.generation !== one.generation) return nothing; // replaced once more; the next answer knows
    const told = status.summary !== one.summary;
    if (told) await refresh(one, status.summary);
    if (status.generation !== one.generation) return nothing;
    if (status.state === 'failed' && one.state !== 'failed' && status.message) app.messages.error(`${one.head.name}: ${status.message}`);
    const changed = told || status.state !== one.state || status.message !== one.message;
    one.state = status.state;
    one.message = status.message;
    const grown = take(one, status.frames);
    live ||= one.growing;
    // Cut back, as to resume a run does.
    const cut = status.steps < one.steps.rows;
    if (cut) one.steps.clear();
    if (app.shown.includes(one) && status.steps > one.steps.rows) void app.updateSteps(one);
    return { changed: changed || grown || cut, grown };
  };

  const ask = async (): Promise<void> => {
    let [changed, grown] = [false, false];
    let failure: Error | null = null;
    for (const status of await app.source.status()) {
      const one = app.runs.find((other) => other.id === status.id);
      if (!one) continue;
      try {
        const heard = await hear(one, status);
        changed ||= heard.changed;
        grown ||= heard.grown;
      } catch (error) {
        failure = error as Error; // the others are heard first
      }
    }
    // Only then: what listens builds tables and legends anew, with a focus or a selection in them.
    if (changed) app.emit('status');
    // A new frame may be the first one, or the one to follow.
    if (grown) app.goTo(app.following ? app.clock.count - 1 : app.place);
    if (failure) throw failure;
  };

  const poll = async (): Promise<void> => {
    try {
      await ask();
      if (silent) app.messages.clear(gone);
      silent = false;
    } catch (error) {
      silent = error instanceof ServerGone;
      if (silent && run()?.active !== false) app.messages.error(gone);
      // Of a run that cannot be read now; it is asked for again and again, and need be said once.
      const { message } = error as Error;
      if (!silent && message !== said) app.messages.error((said = message));
    }
    show();
    const [active, growing] = [app.runs.some((one) => one.active), app.runs.some((one) => one.growing)];
    window.setTimeout(() => void poll(), active && !silent ? OFTEN : growing ? 2 * OFTEN : SELDOM);
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
  // Another program may start or resume a run in any folder; a report stays as it is.
  if (app.source instanceof ServerSource) void poll();
}
