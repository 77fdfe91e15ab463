// The served index: its contents, and its files on disk.
import { html, nothing, type TemplateResult } from 'lit-html';
import { get, type IndexInfo } from '../api';
import type { App, Shown } from '../app';
import { bytes, counted, number, shown } from '../words';

function row(name: string, value: TemplateResult | string): TemplateResult {
  return html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`;
}

function facts(info: IndexInfo): TemplateResult {
  const bands = info.bands === '0x0' ? nothing : row('Bands × rows', info.bands.replace('x', ' × '));
  return html`<table>
    <tbody>
      ${row('Items', number(info.items))}
      ${row('Kind', info.kind)}
      ${row('Content', html`field <code>${shown(info.column)}</code>`)}
      ${row('Named by', info.id === 'row' ? 'number' : html`field <code>${shown(info.id)}</code>`)}
      ${row('Hits come with', info.value)}
      ${bands}
      ${row('Size', bytes(info.bytes))}
      ${row('Lies in', `${counted(info.runs, 'run')}, and ${counted(info.log_items, 'item')} not merged yet`)}
      ${row('Contents', info.keep_items ? 'kept in the index' : 'read from their files')}
      ${row('Items can be added', info.read_only ? 'no: read only' : 'yes')}
    </tbody>
  </table>`;
}

function options(info: IndexInfo): TemplateResult {
  return html`<h2>Options it was built with</h2>
    <table>
      <tbody>
        ${Object.entries(info.options).map(([name, each]) => row(name.replaceAll('_', ' '), shown(each)))}
      </tbody>
    </table>`;
}

export async function healthView(app: App): Promise<Shown> {
  app.info = await get<IndexInfo>('v1/info');
  const info = app.info as IndexInfo;
  return {
    title: 'Index',
    twin: 'v1/info',
    template: () => html`<h1>The index</h1>${facts(info)} ${options(info)}`,
  };
}
