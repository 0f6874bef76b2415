// Elements in a line each. Text always goes in as text.

type Attributes = Record<string, string | number | boolean | null | undefined>;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...children);
  return made;
}

/** An element of the page that must be there. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}

export function button(label: string, pressed: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, label);
  made.addEventListener('click', pressed);
  return made;
}

const ICONS: Record<string, string> = {
  play: 'M5 3.5v11l9-5.5z',
  pause: 'M4.5 3.5h3v11h-3zM10.5 3.5h3v11h-3z',
  first: 'M4 3.5h2v11H4zM14.5 3.5v11L7 9z',
  last: 'M12 3.5h2v11h-2zM3.5 3.5v11L11 9z',
  back: 'M12.5 4v10L5.5 9z',
  ahead: 'M5.5 4v10l7-5z',
  loop: 'M4.5 9.5V8A2.5 2.5 0 0 1 7 5.5h5.2L10.6 3.9 11.7 2.8l3.4 3.4-3.4 3.4-1.1-1.1L12.2 7H7a1 1 0 0 0-1 1v1.5zM13.5 8.5V10a2.5 2.5 0 0 1-2.5 2.5H5.8l1.6 1.6-1.1 1.1-3.4-3.4 3.4-3.4 1.1 1.1L5.8 11H11a1 1 0 0 0 1-1V8.5z',
};

/** A picture for a button that has an aria-label. */
export function icon(name: string): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 18 18');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  return svg;
}

/** A select with its label beside it. */
export function choice(
  label: string, options: readonly (readonly [string, string])[], value: string, chosen: (value: string) => void,
): { row: HTMLLabelElement; select: HTMLSelectElement } {
  const select = element('select', {});
  for (const [key, text] of options) select.append(element('option', { value: key }, text));
  select.value = value;
  select.addEventListener('change', () => chosen(select.value));
  return { row: element('label', { class: 'row' }, element('span', {}, label), select), select };
}

export function check(label: string, value: boolean, chosen: (value: boolean) => void): { row: HTMLLabelElement; box: HTMLInputElement } {
  const box = element('input', { type: 'checkbox' });
  box.checked = value;
  box.addEventListener('change', () => chosen(box.checked));
  return { row: element('label', { class: 'check' }, box, label), box };
}

/** A colour of the style sheet. */
export function cssColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
