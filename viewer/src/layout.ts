// Tabs, the height of the plots, and the dialog with the link.
import type { App } from './app';
import { button, byId, element } from './dom';

export function addTab(name: string, selected: boolean): HTMLElement {
  const tabs = byId('tabs');
  const id = name.toLowerCase().replaceAll(' ', '-');
  const panel = element('div', { role: 'tabpanel', id: `panel-${id}`, 'aria-labelledby': `tab-${id}`, class: `panel ${id}` });
  const select = (): void => {
    for (const other of tabs.children) {
      const mine = other === tab;
      other.setAttribute('aria-selected', String(mine));
      (other as HTMLElement).tabIndex = mine ? 0 : -1;
      byId(other.getAttribute('aria-controls')!).hidden = !mine;
    }
  };
  const tab = button(name, select, { role: 'tab', id: `tab-${id}`, 'aria-controls': panel.id, 'aria-selected': 'false', tabindex: -1 });
  tab.addEventListener('keydown', (event) => {
    const next = event.key === 'ArrowRight' ? tab.nextElementSibling : event.key === 'ArrowLeft' ? tab.previousElementSibling : null;
    if (!(next instanceof HTMLElement)) return;
    next.focus();
    next.click();
  });
  tabs.append(tab);
  byId('panels').append(panel);
  panel.hidden = true;
  if (selected) select();
  return panel;
}

export function buildSplitter(): void {
  const splitter = byId('splitter');
  const work = byId('work');
  const least = 120;
  const most = (): number => Math.max(least, work.clientHeight - 260);
  const set = (height: number): void => {
    const clamped = Math.round(Math.min(most(), Math.max(least, height)));
    work.style.setProperty('--below', `${clamped}px`);
    splitter.setAttribute('aria-valuenow', String(clamped));
    splitter.setAttribute('aria-valuemin', String(least));
    splitter.setAttribute('aria-valuemax', String(most()));
  };
  splitter.addEventListener('pointerdown', (event) => splitter.setPointerCapture(event.pointerId));
  splitter.addEventListener('pointermove', (event) => {
    if (splitter.hasPointerCapture(event.pointerId)) set(work.getBoundingClientRect().bottom - event.clientY);
  });
  splitter.addEventListener('keydown', (event) => {
    const by = event.key === 'ArrowUp' ? 20 : event.key === 'ArrowDown' ? -20 : 0;
    if (by === 0) return;
    event.preventDefault();
    set(byId('below').clientHeight + by);
  });
  set(Math.min(300, Math.max(210, window.innerHeight * 0.29)));
}

export function buildLink(app: App): void {
  const dialog = byId<HTMLDialogElement>('link-dialog');
  const text = byId<HTMLInputElement>('link-text');
  const token = byId<HTMLInputElement>('link-token');
  const copy = byId<HTMLButtonElement>('link-copy');
  const update = (): void => {
    text.value = `${location.href.split('#')[0]}#${app.link(token.checked)}`;
    copy.textContent = 'Copy';
  };
  byId('copy-link').addEventListener('click', () => {
    token.checked = false;
    byId('link-token-row').hidden = app.state.token === '';
    update();
    dialog.showModal();
    text.select();
  });
  token.addEventListener('change', update);
  copy.addEventListener('click', () => {
    text.select();
    const old = (): boolean => document.execCommand('copy');
    const done = navigator.clipboard ? navigator.clipboard.writeText(text.value).then(() => true, old) : Promise.resolve(old());
    void done.then((copied) => (copy.textContent = copied ? 'Copied' : 'Press Ctrl+C'));
  });
}
