/** The part of the page's address after the #, which says what is shown. */
export class Address {
  private timer = 0;

  constructor(private readonly text: () => string) {}

  /** Puts the text there, a little later, and only once for many changes. */
  update(): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      try {
        history.replaceState(null, '', `#${this.text()}`);
      } catch {
        // Some browsers refuse this for files or when called too often; the link dialog still works.
      }
    }, 250);
  }
}
