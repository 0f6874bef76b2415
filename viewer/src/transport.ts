// Play, pause, scrub, step, speed, loop.
import type { App } from './app';
import { button, element, icon } from './dom';
import { SPEEDS } from './link';
import { placeOf } from './clock';

function iconButton(name: string, label: string, pressed: () => void): HTMLButtonElement {
  const made = button('', pressed, { class: 'icon', 'aria-label': label, title: label });
  made.append(icon(name));
  return made;
}

export function buildTransport(app: App, holder: HTMLElement): void {
  const play = iconButton('play', 'Play', () => app.toggle());
  play.classList.add('main');
  play.id = 'play';
  const slider = element('input', { type: 'range', id: 'time', min: 0, max: 0, step: 1, 'aria-label': 'Time' });
  const marks = element('div', { class: 'marks', 'aria-hidden': 'true' });
  const clock = element('output', { id: 'clock', for: 'time' });
  const speed = element('select', { 'aria-label': 'Speed', title: 'Speed ([ and ])', id: 'speed' });
  for (const value of SPEEDS) speed.append(element('option', { value }, `${value}×`));
  const loop = iconButton('loop', 'Loop', () => {
    app.state.loop = !app.state.loop;
    app.applyLook();
  });
  loop.id = 'loop';
  holder.append(
    iconButton('first', 'To the start (Home)', () => app.step(-app.clock.count)),
    iconButton('back', 'One frame back (←)', () => app.step(-1)),
    play,
    iconButton('ahead', 'One frame ahead (→)', () => app.step(1)),
    iconButton('last', 'To the end (End)', () => app.step(app.clock.count)),
    element('div', { class: 'track' }, marks, slider),
    clock, speed, loop,
  );
  slider.addEventListener('input', () => {
    app.pause();
    app.goTo(Number(slider.value));
  });
  speed.addEventListener('change', () => {
    app.state.speed = Number(speed.value);
    app.applyLook();
  });

  const showTime = (): void => {
    const last = Math.max(0, app.clock.count - 1);
    if (Number(slider.max) !== last) slider.max = String(last);
    slider.value = String(app.frame);
    slider.style.setProperty('--part', `${last > 0 ? (100 * app.frame) / last : 0}%`);
    const text = `${app.time.toFixed(3)} s`;
    slider.setAttribute('aria-valuetext', `${text}, frame ${app.frame} of ${last}`);
    clock.replaceChildren(element('strong', {}, text), element('span', {}, `frame ${app.frame} / ${last}`));
  };
  /** Frames with a step that did not converge. */
  const showMarks = (): void => {
    const places = new Set<number>();
    for (const run of app.shown) {
      const times = run.steps.column('time');
      for (const row of run.steps.failed) if (row < times.length) places.add(placeOf(times[row], app.clock));
    }
    const last = Math.max(1, app.clock.count - 1);
    marks.replaceChildren(
      ...[...places].slice(0, 2000).map((at) => element('i', { style: `left:${((100 * at) / last).toFixed(3)}%` })),
    );
  };
  const showPlaying = (): void => {
    play.replaceChildren(icon(app.playing ? 'pause' : 'play'));
    const label = app.playing ? 'Pause (Space)' : 'Play (Space)';
    play.setAttribute('aria-label', label);
    play.title = label;
  };
  const showLook = (): void => {
    speed.value = String(app.state.speed);
    loop.setAttribute('aria-pressed', String(app.state.loop));
  };
  app.on(['time', 'runs', 'status'], showTime);
  app.on(['steps', 'runs'], showMarks);
  app.on(['playing'], showPlaying);
  app.on(['look'], showLook);
  showTime();
  showPlaying();
  showLook();
}
