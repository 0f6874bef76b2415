import { readContainer } from './container';
import {
  type Command, type FieldFrame, type Frame, type Mesh, type RunHead, type RunStatus, type Session, type Source, type Steps,
  toField, toFrame, toMesh, toSteps,
} from './source';

/** The server did not answer, as opposed to answering with a complaint. */
export class ServerGone extends Error {
  constructor() {
    super('The program that serves this page does not answer. It was stopped, or the run has ended.');
  }
}

const PATIENCE = 120;

/** Asks again while the server says that it needs a moment, as it does to build the model behind a field. */
async function patiently(path: string, init: RequestInit): Promise<Response> {
  for (let tries = 0; ; ++tries) {
    const response = await fetch(path, { cache: 'no-store', ...init });
    if (response.status !== 503 || tries === PATIENCE) return response;
    await new Promise((done) => setTimeout(done, 500));
  }
}

async function answer(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await patiently(path, init);
  } catch {
    throw new ServerGone();
  }
  if (response.ok) return response;
  const text = await response.text().catch(() => '');
  let message = '';
  try {
    message = String((JSON.parse(text) as { message?: unknown }).message ?? '');
  } catch {
    // Not ours; the status says enough.
  }
  throw new Error(message || `${path}: the server answered ${response.status}`);
}

export class ServerSource implements Source {
  private readonly firsts = new Map<string, Promise<void>>();
  /** Who asks: the server shows nothing without. */
  private readonly headers: Record<string, string>;

  /** The token of the link that the program printed, else the key of one that was passed on. */
  constructor(token: string, key: string) {
    this.headers = token ? { 'X-Pliant-Token': token } : { 'X-Pliant-Key': key };
  }

  private async json<T>(path: string): Promise<T> {
    return (await (await answer(path, { headers: this.headers })).json()) as T;
  }

  private async container(path: string, what: string) {
    const response = await answer(path, { headers: this.headers });
    let bytes: ArrayBuffer;
    try {
      bytes = await response.arrayBuffer();
    } catch {
      throw new Error(`${what}: cut off on its way`);
    }
    return readContainer(new Uint8Array(bytes), what);
  }

  session(): Promise<Session> {
    return this.json<Session>('api/session');
  }

  head(run: number): Promise<RunHead> {
    return this.json<RunHead>(`api/runs/${run}/head`);
  }

  async mesh(run: number, bodies: number): Promise<Mesh> {
    const path = `api/runs/${run}/mesh${bodies > 0 ? `/${bodies}` : ''}`;
    return toMesh(await this.container(path, bodies > 0 ? `the mesh of frame ${bodies}` : 'the mesh'));
  }

  async frame(run: number, index: number): Promise<Frame> {
    return toFrame(await this.container(`api/runs/${run}/frames/${index}`, `frame ${index}`));
  }

  async field(run: number, name: string, index: number): Promise<FieldFrame> {
    const path = `api/runs/${run}/fields/${encodeURIComponent(name)}/${index}`;
    const ask = async (): Promise<FieldFrame> => toField(await this.container(path, `${name} of frame ${index}`));
    // The first may take long, since the server prepares what the others need too: they wait for it.
    const known = this.firsts.get(`${run}/${name}`);
    if (known) {
      await known;
      return ask();
    }
    const first = ask();
    this.firsts.set(`${run}/${name}`, first.then(() => {}, () => {}));
    return first;
  }

  async steps(run: number, from: number): Promise<Steps> {
    return toSteps(await this.container(`api/runs/${run}/steps?from=${from}`, 'the steps'));
  }

  async status(): Promise<RunStatus[]> {
    return (await this.json<{ runs: RunStatus[] }>('api/status')).runs;
  }

  async command(run: number, command: Command): Promise<void> {
    await answer('api/command', {
      method: 'POST',
      headers: { ...this.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ run, command }),
    });
  }

  release(run: number): void {
    // What the server has prepared may be of another run by the time it is asked again.
    for (const key of this.firsts.keys()) if (key.startsWith(`${run}/`)) this.firsts.delete(key);
  }

  leave(): void {
    // Nobody is left to hear of a failure.
    fetch('api/left', { method: 'POST', headers: this.headers, keepalive: true }).catch(() => {});
  }
}
