// One clock for all runs shown. It counts frames of the fastest run; each run shows its frame nearest to the time.

export interface Span {
  rate: number;
  count: number;
}

/** The clock's frames for runs of these rates and lengths. */
export function commonSpan(runs: readonly Span[]): Span {
  const rate = Math.max(1e-9, ...runs.map((run) => run.rate));
  const seconds = Math.max(0, ...runs.map((run) => (run.count - 1) / run.rate));
  return { rate, count: runs.length === 0 ? 0 : Math.max(1, Math.round(seconds * rate) + 1) };
}

/** The frame of a run at a place of the clock. A run that has ended keeps its last. */
export function frameAt(place: number, clock: Span, run: Span): number {
  return Math.max(0, Math.min(run.count - 1, Math.round((Math.floor(place + 1e-6) * run.rate) / clock.rate)));
}

/** The first place of the clock that is not before the time: a step's end is seen in the frame it leads to. */
export function placeOf(time: number, clock: Span): number {
  return Math.max(0, Math.min(clock.count - 1, Math.ceil(time * clock.rate - 1e-3)));
}

/** Where the clock is after `seconds` of play; `ended` when it should stop. */
export function advanced(
  place: number, seconds: number, speed: number, clock: Span, loop: boolean,
): { place: number; ended: boolean } {
  const next = place + seconds * speed * clock.rate;
  // The last frame is shown as long as every other.
  if (next < clock.count) return { place: next, ended: false };
  if (loop && clock.count > 1) return { place: next % clock.count, ended: false };
  return { place: clock.count - 1, ended: true };
}
