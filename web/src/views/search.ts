// Looks up a pasted text, or the id of an item, in the served index.
import { html, nothing, type TemplateResult } from 'lit-html';
import { type IndexInfo, post } from '../api';
import type { App, Shown } from '../app';
import { score, shown } from '../words';

interface Hit {
  id: string | number;
  similarity?: number;
  distance?: number;
}

function hits(found: Hit[], why: (hit: Hit) => void): TemplateResult {
  if (found.length === 0) return html`<p>Nothing in the index is that similar.</p>`;
  return html`<table>
    <thead><tr><th scope="col">Item</th><th scope="col">${found[0]?.distance === undefined ? 'Similarity' : 'Distance'}</th>
      <th scope="col">Why</th></tr></thead>
    <tbody>
      ${found.map((hit) => html`<tr><th scope="row">${shown(String(hit.id))}</th>
        <td>${score(hit.similarity ?? hit.distance ?? 0)}</td>
        <td><button type="button" @click=${() => why(hit)}
          aria-label=${`Explain ${hit.id}`}>explain</button></td></tr>`)}
    </tbody>
  </table>`;
}

export async function searchView(app: App): Promise<Shown> {
  const isText = ['text', 'strings'].includes((app.info as IndexInfo).kind);
  let found: Hit[] | undefined;
  let asked: unknown;
  let reason: string | undefined;
  const ask = async (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const text = String(form.get('item'));
    try {
      const item = form.get('as') === 'id' ? { id: text } : form.get('as') === 'json' ? JSON.parse(text) : text;
      const answer = await post<{ results: Hit[][] }>('v1/query', { items: [item], top: 20 });
      found = answer.results[0] ?? [];
      asked = item;
      reason = undefined;
      app.say(`${found.length} found`);
    } catch (error) {
      app.say((error as Error).message);
    }
  };
  const explain = async (hit: Hit) => {
    try {
      reason = (await post<{ text: string }>('v1/explain', { items: [asked, { id: hit.id }] })).text;
      app.say(`${hit.id} explained below the table`);
    } catch (error) {
      app.say((error as Error).message);
    }
  };
  return {
    title: 'Search',
    twin: 'v1/info',
    template: () => html`<h1>What is like this?</h1>
      <form @submit=${(event: Event) => void ask(event)}>
        <label class="wide">Item <textarea name="item" rows="8" required></textarea></label>
        <div class="row">
          <label>It is <select name="as">
            <option value="text">a text</option>
            <option value="id">the id of an item</option>
            <option value="json" ?selected=${!isText}>JSON: a vector, a list of tokens, a record</option>
          </select></label>
          <button type="submit" class="primary">Look up</button>
        </div>
      </form>
      ${found === undefined ? nothing : hits(found, (hit) => void explain(hit))}
      ${reason === undefined ? nothing : html`<pre tabindex="0">${reason}</pre>`}`,
  };
}
