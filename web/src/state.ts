// The address is the state: every view can be reached, shared and gone back to by its address.

export type View = 'overview' | 'groups' | 'group' | 'tuner' | 'search' | 'index';

export interface Place {
  view: View;
  sort: string;
  source: string;
  text: string;
  state: string;
  /** Position in the list of groups: of the first shown one, or of the open one. */
  at: number;
  group: number;
  /** First row shown of the open group; in the list: the selected group, counted from the first shown one. */
  row: number;
  threshold: string;
  recall: string;
  shingle: string;
}

const kViews: readonly string[] = ['overview', 'groups', 'group', 'tuner', 'search', 'index'];
const kStart: Place = {
  view: 'overview',
  sort: 'size',
  source: '',
  text: '',
  state: '',
  at: 0,
  group: 0,
  row: 0,
  threshold: '',
  recall: '',
  shingle: '',
};

function count(text: string | null): number {
  const number = Number(text ?? '0');
  return Number.isSafeInteger(number) && number >= 0 ? number : 0;
}

export function placeOf(search: string): Place {
  const query = new URLSearchParams(search);
  const view = query.get('view') ?? '';
  return {
    view: (kViews.includes(view) ? view : 'overview') as View,
    sort: query.get('sort') ?? kStart.sort,
    source: query.get('source') ?? '',
    text: query.get('text') ?? '',
    state: query.get('state') ?? '',
    at: count(query.get('at')),
    group: count(query.get('group')),
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
  return `?${query.toString()}`;
}

/** What a list of groups is filtered and sorted by. */
export function listOf(place: Place): Pick<Place, 'sort' | 'source' | 'text' | 'state'> {
  return { sort: place.sort, source: place.source, text: place.text, state: place.state };
}
