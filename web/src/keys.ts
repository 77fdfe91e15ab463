// The keyboard shortcuts of the views, and the page that lists them.
import { html, type TemplateResult } from 'lit-html';
import { inlined } from './inlined';

export type Keys = Record<string, (() => void) | undefined>;

const kOfRows: [string, string][] = [
  ['j, k', 'next and previous group or row'],
  ['Enter', 'list: open the group; group: agree and go to the next one'],
  ['Space', 'keep or remove the row'],
  ['d', 'the row is not a duplicate'],
  ['o', 'keep only this row'],
  ['n, p', 'next and previous group'],
  ['u', 'undo the last step'],
  ['e', 'export the decisions'],
  ['/', 'search the list'],
  ['Escape', 'back to the list'],
  ['?', 'show or hide this list'],
];
const kOfReport = ['j, k', 'Enter', 'n, p', '/', 'Escape', '?'];  // shortcuts that a report has
const kOfPairs: [string, string][] = [
  ['y', 'both records are the same'],
  ['n', 'they are different'],
  ['?', 'unsure'],
  ['Enter', 'list: open the pair; pair: as the run says'],
  ['j, k', 'next and previous pair, group or record'],
  ['n, p', 'group: next and previous group'],
  ['u', 'undo the last step'],
  ['e', 'export the decisions'],
  ['l', 'export the labels'],
  ['/', 'search the list'],
  ['Escape', 'back to the list'],
  ['h', 'show or hide this list'],
];

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, select, textarea');
}

/** Leaves keys to the focused control if it uses them. */
function isControl(event: KeyboardEvent): boolean {
  const target = event.target;
  return (
    (event.key === ' ' || event.key === 'Enter') &&
    target instanceof HTMLElement &&
    target.matches('a, button, summary')
  );
}

export function listenToKeys(keys: () => Keys): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target)) {
      if (event.key === 'Escape') (event.target as HTMLElement).blur();
      return;
    }
    const act = isControl(event) ? undefined : keys()[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}

export function helpView(close: () => void, ofPairs: boolean): TemplateResult {
  return html`<section id="help" class="help" tabindex="-1" aria-label="Keys">
    <h2>Keys</h2>
    <dl>
      ${(ofPairs ? kOfPairs : kOfRows).filter(([keys]) => inlined === undefined || kOfReport.includes(keys)).map(([keys, effect]) => html`<div><dt><kbd>${keys}</kbd></dt><dd>${effect}</dd></div>`)}
    </dl>
    <button type="button" @click=${close}>Close</button>
  </section>`;
}
