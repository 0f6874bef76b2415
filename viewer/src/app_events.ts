// Who wants to know what.
export type Topic = 'runs' | 'time' | 'steps' | 'status' | 'look' | 'range' | 'playing' | 'theme';

export class Events {
  private readonly listeners = new Map<Topic, (() => void)[]>();

  on(topics: Topic[], listener: () => void): void {
    for (const topic of topics) this.listeners.set(topic, [...(this.listeners.get(topic) ?? []), listener]);
  }

  emit(topic: Topic): void {
    for (const listener of this.listeners.get(topic) ?? []) listener();
  }
}
