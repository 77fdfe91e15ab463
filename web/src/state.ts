// The address is the state: every view can be opened, shared and revisited by its address. In a report, it is the
// part after #, since there is no server.
import { inlined } from './inlined';

/** The beginning of every view's address. */
export const kMark = inlined === undefined ? '?' : '#?';

let held: string | undefined; // for browsers without storage, such as the frame of a mail reader

export function address(): string {
  return held ?? (inlined === undefined ? location.search : location.hash);
}

/** Makes this the current address, either as a new entry in the history or in place of the last one. */
export function keepAddress(address: string, how: 'pushState' | 'replaceState' = 'pushState'): void {
  try {
    history[how](null, '', address);
  } catch {
    held = address;
  }
}

export type View = 'overview' | 'groups' | 'group' | 'pairs' | 'pair' | 'tuner' | 'search' | 'index';

export interface Place {
  view: View;
  sort: string;
  source: string;
  text: string;
  state: string;
  /** Position in the list of groups: of the first group shown, or of the open group. */
  at: number;
  group: number;
  /** The open pair; undefined: the pair at this position in the list. */
  pair: number | undefined;
  /** Pairs in the list: linked, apart, or all; or only those in this group. */
  answer: string;
  of: string;
  /** First row shown of the open group; in the list, the selected group, counted from the first group shown. */
  row: number;
  threshold: string;
  recall: string;
  shingle: string;
}

const kViews: readonly string[] = ['overview', 'groups', 'group', 'pairs', 'pair', 'tuner', 'search', 'index'];
const kStart: Place = {
  view: 'overview',
  sort: '',
  source: '',
  text: '',
  state: '',
  at: 0,
  group: 0,
  pair: undefined,
  answer: '',
  of: '',
  row: 0,
  threshold: '',
  recall: '',
  shingle: '',
};

function count(text: string | null): number {
  const number = Number(text ?? '0');
  return Number.isSafeInteger(number) && number >= 0 ? number : 0;
}

export function placeOf(address: string): Place {
  const query = new URLSearchParams(address.startsWith(kMark) ? address.slice(kMark.length) : '');
  const view = query.get('view') ?? '';
  return {
    view: (kViews.includes(view) ? view : 'overview') as View,
    sort: query.get('sort') ?? kStart.sort,
    source: query.get('source') ?? '',
    text: query.get('text') ?? '',
    state: query.get('state') ?? '',
    at: count(query.get('at')),
    group: count(query.get('group')),
    pair: query.has('pair') ? count(query.get('pair')) : undefined,
    answer: query.get('answer') ?? '',
    of: query.get('of') ?? '',
    row: count(query.get('row')),
    threshold: query.get('threshold') ?? '',
    recall: query.get('recall') ?? '',
    shingle: query.get('shingle') ?? '',
  };
}

export function addressOf(place: Partial<Place>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...kStart, ...place })) {
    const named = name === 'view' || (name === 'group' && place.view === 'group');
    if (named || value !== kStart[name as keyof Place]) query.set(name, String(value));
  }
  return kMark + query.toString();
}

/** The values by which a list of groups or pairs is filtered and sorted. */
export function listOf(place: Place): Pick<Place, 'sort' | 'source' | 'text' | 'state' | 'answer' | 'of'> {
  const { sort, source, text, state, answer, of } = place;
  return { sort, source, text, state, answer, of };
}
