// A text to copy: shown in full, with a button that copies it.
import { html, type TemplateResult } from 'lit-html';
import type { App } from './app';
import { shown } from './words';

export function copyBlock(app: App, title: string, text: string): TemplateResult {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      app.say(`${title} is copied.`);
    } catch {
      app.say('The browser does not let this page copy: mark the text and copy it.');
    }
  };
  return html`<pre tabindex="0" aria-label=${title}>${shown(text)}</pre>
    <button type="button" @click=${() => void copy()}>Copy</button>`;
}
