import { readContainer } from './container';
import {
  type Command, type FieldFrame, type Frame, type Mesh, type RunStatus, type Session, type Source, type Steps,
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
async function patiently(path: string, init?: RequestInit): Promise<Response> {
  for (let tries = 0; ; ++tries) {
    const response = await fetch(path, { cache: 'no-store', ...init });
    if (response.status !== 503 || tries === PATIENCE) return response;
    await new Promise((done) => setTimeout(done, 500));
  }
}

async function answer(path: string, init?: RequestInit): Promise<Response> {
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

async function json<T>(path: string): Promise<T> {
  return (await (await answer(path)).json()) as T;
}

async function container(path: string, what: string) {
  const response = await answer(path);
  let bytes: ArrayBuffer;
  try {
    bytes = await response.arrayBuffer();
  } catch {
    throw new Error(`${what}: cut off on its way`);
  }
  return readContainer(new Uint8Array(bytes), what);
}

export class ServerSource implements Source {
  private readonly firsts = new Map<string, Promise<void>>();

  constructor(private readonly token: string) {}

  session(): Promise<Session> {
    return json<Session>('api/session');
  }

  async mesh(run: number): Promise<Mesh> {
    return toMesh(await container(`api/runs/${run}/mesh`, 'the mesh'));
  }

  async frame(run: number, index: number): Promise<Frame> {
    return toFrame(await container(`api/runs/${run}/frames/${index}`, `frame ${index}`));
  }

  async field(run: number, name: string, index: number): Promise<FieldFrame> {
    const ask = async (): Promise<FieldFrame> =>
      toField(await container(`api/runs/${run}/fields/${encodeURIComponent(name)}/${index}`, `${name} of frame ${index}`));
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
    return toSteps(await container(`api/runs/${run}/steps?from=${from}`, 'the steps'));
  }

  async status(): Promise<RunStatus[]> {
    return (await json<{ runs: RunStatus[] }>('api/status')).runs;
  }

  async command(run: number, command: Command): Promise<void> {
    await answer('api/command', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Pliant-Token': this.token },
      body: JSON.stringify({ run, command }),
    });
  }
}
