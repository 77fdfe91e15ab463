// Texts compared word by word, and two such texts side by side.
import { html, type TemplateResult } from 'lit-html';
import type { Part } from './api';
import { counted, shown } from './words';

type Mark = 'ins' | 'del' | 'mark';

const kMarks: Record<Mark, (text: string) => TemplateResult> = {
  ins: (text) => html`<ins>${shown(text)}</ins>`,
  del: (text) => html`<del>${shown(text)}</del>`,
  mark: (text) => html`<mark>${shown(text)}</mark>`,
};

/** A text with its differences from the other text marked. */
export function compared(parts: Part[], mark: Mark): TemplateResult {
  const piece = (part: Part) => {
    if (part.kind === 'left_out') return html`<span class="left-out"> … ${counted(part.words, 'word')} … </span>`;
    return part.kind === 'same' ? shown(part.text) : kMarks[mark](part.text);
  };
  return html`<span class="text" dir="auto">${parts.map(piece)}</span>`;
}

interface Side {
  title: string | TemplateResult;
  body: TemplateResult;
}

export function sideBySide(left: Side, right: Side): TemplateResult {
  const half = (side: Side) => html`<div><h3>${side.title}</h3>${side.body}</div>`;
  return html`<div class="sides">${half(left)}${half(right)}</div>`;
}

/** The fields of a row, unchanged. */
export function fieldList(fields: { name: string; value: string }[]): TemplateResult {
  if (fields.length === 0) return html``;
  return html`<dl class="fields">
    ${fields.map((field) => html`<div><dt>${shown(field.name || 'row')}</dt><dd dir="auto">${shown(field.value)}</dd></div>`)}
  </dl>`;
}
