// The interface between the page and its views.
import type { TemplateResult } from 'lit-html';
import type { IndexInfo, RunInfo } from './api';
import type { Keys } from './keys';
import type { Place } from './state';

/** A view that is ready to be shown. */
export interface Shown {
  title: string;
  /** The same content as JSON. */
  twin: string;
  template: () => TemplateResult;
  keys?: Keys;
  /** Called once the view is in the document. */
  ready?: () => void;
}

export interface App {
  info: RunInfo | IndexInfo;
  place: Place;
  go(place: Partial<Place>): void;
  /** Redraws the view after its own state has changed. */
  redraw(): void;
  /** Repeats the request to the server. */
  reload(): Promise<void>;
  say(text: string): void;
}
