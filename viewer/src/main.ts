import { App, MOST_SHOWN } from './app';
import { byId, element } from './dom';
import { EmbeddedSource } from './embedded_source';
import { addTab, buildLink, buildSplitter } from './layout';
import { fromFragment, toFragment } from './link';
import { buildLive } from './live';
import { Messages } from './messages';
import { buildOverlays } from './overlays';
import { buildPlots } from './plots';
import { buildSaving } from './saving';
import { ServerSource } from './server_source';
import { buildShortcuts } from './shortcuts';
import { buildSidebar } from './sidebar';
import type { Session, Source } from './source';
import { buildComparison, buildTables } from './tables';
import { buildTransport } from './transport';

function titleOf(session: Session): string {
  const names = session.runs.map((run) => run.name);
  if (names.length === 0) return 'Nothing to show';
  return names.length === 1 ? names[0] : `${names[0]} and ${names.length - 1} more`;
}

function build(app: App): void {
  const { session } = app;
  byId('title').textContent = titleOf(session);
  document.title = `${titleOf(session)} · Pliant`;
  buildTransport(app, byId('transport'));
  buildSidebar(app, byId('side'));
  buildPlots(app, addTab('Plots', !session.comparison));
  if (session.comparison) buildComparison(app, session.comparison, addTab('Comparison', true));
  buildTables(app, addTab('Scene and machine', false));
  buildOverlays(app);
  buildSplitter();
  buildLink(app);
  buildSaving(app);
  buildShortcuts(app);
  buildLive(app);
  byId('side').append(element('footer', {}, `Pliant ${session.version}`));
  for (const { folder, message } of session.errors) app.messages.error(`${folder}: ${message}`);
}

async function start(): Promise<void> {
  const messages = new Messages(byId('messages'));
  const wait = byId('wait');
  document.documentElement.classList.add('waiting');
  try {
    const state = fromFragment(location.hash);
    const data = document.getElementById('pliant-data');
    const source: Source = data ? await EmbeddedSource.read(data.textContent ?? '') : new ServerSource(state.token, state.key);
    if (data) {
      // The text is large, and not needed any more.
      data.remove();
      state.token = state.key = '';
    }
    const session = await source.session();
    state.key = session.key ?? '';
    window.addEventListener('pagehide', () => source.leave());
    // Kept by the browser and shown again, it would not be known to the program any more.
    window.addEventListener('pageshow', (event) => {
      if (event.persisted) location.reload();
    });
    const app = new App(source, session, state, byId('view'), messages);
    const known = state.runs.filter((id) => session.runs.some((run) => run.id === id));
    const few = session.runs.slice(0, MOST_SHOWN).map((run) => run.id);
    // What is shown is on its way while the rest of the page is built.
    const shown = app.showRuns(known.length > 0 ? known : few);
    build(app);
    await shown;
    window.addEventListener('hashchange', () => {
      // Another link was put into the address: it is shown, and what this page may do stays.
      const next = fromFragment(location.hash);
      if (!next.token && !next.key) history.replaceState(null, '', `#${toFragment({ ...next, token: state.token, key: state.key }, true)}`);
      location.reload();
    });
  } catch (error) {
    messages.error((error as Error).message, () => location.reload());
    wait.textContent = '';
  }
}

void start();
