// The index that is served: what it holds and how it lies on disk.
import { html, type TemplateResult } from 'lit-html';
import { get, type IndexInfo } from '../api';
import type { App, Shown } from '../app';
import { number, shown } from '../words';

function value(each: unknown): TemplateResult {
  if (typeof each === 'number') return html`${Number.isInteger(each) ? number(each) : each}`;
  if (typeof each === 'object' && each !== null) return table(each as Record<string, unknown>);
  return shown(String(each));
}

function table(fields: Record<string, unknown>): TemplateResult {
  return html`<table>
    <tbody>
      ${Object.entries(fields).map(([name, each]) => html`<tr><th scope="row">${shown(name.replaceAll('_', ' '))}</th><td>${value(each)}</td></tr>`)}
    </tbody>
  </table>`;
}

export async function healthView(app: App): Promise<Shown> {
  app.info = await get<IndexInfo>('v1/info');
  return {
    title: 'Index',
    twin: 'v1/info',
    template: () => html`<h1>The index</h1>${table(app.info as IndexInfo)}`,
  };
}
