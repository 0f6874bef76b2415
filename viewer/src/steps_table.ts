import type { Steps } from './source';

/** All rows of steps.csv that have been fetched; grows while a run goes on. */
export class StepsTable {
  rows = 0;
  readonly failed: number[] = [];
  readonly statuses = new Map<number, string>();
  private readonly columns = new Map<string, Float64Array>();

  /** The rows so far of a column, empty where there is none. A view: valid until the next `append`. */
  column(name: string): Float64Array {
    return this.columns.get(name)?.subarray(0, this.rows) ?? new Float64Array(0);
  }

  has(name: string): boolean {
    return this.columns.has(name);
  }

  /** Rows that do not go on where the table ends are left. A run that was resumed may have gone back: clear first. */
  append(steps: Steps): boolean {
    if (steps.from !== this.rows || steps.rows === 0) return false;
    const rows = this.rows + steps.rows;
    for (const [name, added] of steps.columns) {
      let column = this.columns.get(name);
      if (!column || column.length < rows) {
        const grown = new Float64Array(Math.max(rows, 2 * (column?.length ?? 0))).fill(NaN);
        if (column) grown.set(column);
        this.columns.set(name, (column = grown));
      }
      column.set(added, this.rows);
    }
    for (const row of steps.failed) this.failed.push(row);
    for (const [row, text] of Object.entries(steps.statuses)) this.statuses.set(Number(row), text);
    this.rows = rows;
    return true;
  }

  clear(): void {
    this.rows = 0;
    this.failed.length = 0;
    this.statuses.clear();
    this.columns.clear();
  }
}
