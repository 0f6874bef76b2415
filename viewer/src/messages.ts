import { button, element } from './dom';

/** Complaints at the top of the view. Each stands there once. */
export class Messages {
  private readonly standing = new Map<string, HTMLElement>();

  constructor(private readonly holder: HTMLElement) {}

  error(text: string, again?: () => void): void {
    this.show(text, 'error', again);
  }

  note(text: string): void {
    const row = this.show(text, 'note');
    window.setTimeout(() => this.remove(text, row), 6000);
  }

  clear(text: string): void {
    const row = this.standing.get(text);
    if (row) this.remove(text, row);
  }

  private show(text: string, kind: string, again?: () => void): HTMLElement {
    const known = this.standing.get(text);
    if (known) return known;
    const row = element('div', { class: `message ${kind}`, role: kind === 'error' ? 'alert' : 'status' }, element('span', {}, text));
    if (again)
      row.append(
        button('Try again', () => {
          this.remove(text, row);
          again();
        }),
      );
    row.append(button('×', () => this.remove(text, row), { class: 'close', 'aria-label': 'Dismiss' }));
    this.standing.set(text, row);
    this.holder.append(row);
    // Many complaints are one too many.
    while (this.standing.size > 4) {
      const [oldest, its] = this.standing.entries().next().value!;
      this.remove(oldest, its);
    }
    return row;
  }

  private remove(text: string, row: HTMLElement): void {
    row.remove();
    if (this.standing.get(text) === row) this.standing.delete(text);
  }
}
