// Histories and old states, as the API tells them.

import type { Answer, AnswerOf, PageOf } from '../../../http/schemas/components.ts';
import type { Json } from '../../../http/schemas/members.ts';
import { lineOfHtml } from '../../../kernel/text/html-text.ts';
import { ApiProblem, type DeskApi } from '../../../pages/desk/api.ts';
import type { DeskRequest } from '../../../pages/desk/page.ts';
import type { TimeLinks } from '../../../pages/desk/time-control.ts';
import type { comparedField } from '../../compare/http/compare-schema.ts';
import type { ResourceKind } from '../queries/resource.ts';

export type Members = { readonly [name: string]: Json };

/** A change of one field; that of a text has the words that differ. */
export type FieldChange = AnswerOf<typeof comparedField>;

export type HistoryEntry = Answer<'Revision'>;

export type HistoryPage = PageOf<'history', HistoryEntry>;

/** Something with a history: the path of its collection, and the fields that an old state is shown by. */
export interface Kind {
  readonly path: 'events' | 'venues' | 'organizers' | 'categories' | 'tags';
  readonly kind: ResourceKind;
  /** The field that it is known by. */
  readonly name: string;
  readonly fields: readonly string[];
}

const PLACE = ['address', 'city', 'zip', 'stateprovince', 'country'];
const CONTACT = ['phone', 'website', 'email'];

export const KINDS: readonly Kind[] = [
  {
    path: 'events',
    kind: 'event',
    name: 'title',
    fields: [
      ...['title', 'status', 'event_status', 'start_date', 'end_date', 'timezone', 'venue', 'organizer'],
      ...['is_virtual', 'virtual_url', 'virtual_video_source'],
      ...['categories', 'tags', 'cost', 'website', 'registration_url', 'excerpt', 'description'],
      ...['accessible', 'accessibility', 'age_range', 'languages'],
    ],
  },
  {
    path: 'venues',
    kind: 'venue',
    name: 'venue',
    fields: ['venue', 'status', ...PLACE, 'phone', 'website', 'description'],
  },
  {
    path: 'organizers',
    kind: 'organizer',
    name: 'organizer',
    fields: ['organizer', 'status', ...CONTACT, 'description'],
  },
  { path: 'categories', kind: 'category', name: 'name', fields: ['name', 'slug', 'description'] },
  { path: 'tags', kind: 'tag', name: 'name', fields: ['name', 'slug', 'description'] },
];

/** A resource with a history. */
export interface Subject {
  readonly kind: Kind;
  readonly id: string;
  /** The section of the menu. */
  readonly section: string;
}

export const pathOf = ({ section, id }: Subject): string => `${section}/${id}/history`;

/** What something is called in this state of it. */
export const nameIn = ({ words }: DeskRequest, { kind }: Subject, state: Members): string =>
  lineOfHtml(String(state[kind.name] ?? '')) || words('untitled');

const PER_PAGE = 25;

export const readHistory = (api: DeskApi, { kind, id }: Subject, page: string): Promise<HistoryPage> =>
  api.read(`/${kind.path}/${id}/history`, { page, per_page: PER_PAGE });

/** The newest revision. */
export async function newestOf(api: DeskApi, { kind, id }: Subject): Promise<number> {
  const { history } = await api.read<HistoryPage>(`/${kind.path}/${id}/history`, { per_page: 1 });
  return history[0]?.revision ?? 0;
}

export const timesOf = (subject: Subject): TimeLinks => ({
  at: `${pathOf(subject)}/at`,
  compare: `${pathOf(subject)}/compare`,
  now: pathOf(subject),
});

/** A tag is the revision, and a digest of what is embedded. */
const TAG = /^"(\d+)/;

/** The revision that something had at an instant of the past. Throws `ApiProblem` for none. */
export async function revisionOn({ api }: DeskRequest, subject: Subject, instant: string): Promise<string> {
  const { headers, problem } = await api.ask(`/${subject.kind.path}/${subject.id}`, { as_of: instant });
  if (problem) throw new ApiProblem(problem);
  return TAG.exec(headers.etag ?? '')?.[1] ?? '';
}

/** A side of a comparison that is to come has no revision yet. */
type Side = Pick<HistoryEntry, 'date'> & { readonly revision?: number };

export interface Comparison {
  readonly from: Side;
  readonly to: Side;
  readonly changes: readonly FieldChange[];
}

/** `from` is the older one. */
export const compared = (api: DeskApi, { kind, id }: Subject, from: string, to: string): Promise<Comparison> =>
  api.read(`/${kind.path}/${id}/compare`, { from, to });

type Words = NonNullable<FieldChange['words']>;

const OPPOSITE = { same: 'same', added: 'removed', removed: 'added' } as const;

/** The same changes the other way round. */
export const undone = (changes: readonly FieldChange[]): readonly FieldChange[] =>
  changes.map(({ field, before, after, words }) => ({
    field,
    before: after,
    after: before,
    ...(words && { words: undoneWords(words) }),
  }));

/** What is removed stays before what takes its place. */
const undoneWords = (words: Words): Words =>
  words
    .map(({ change, text }) => ({ change: OPPOSITE[change], text }))
    .flatMap((word, at, all) => {
      const [before, after] = [all[at - 1], all[at + 1]];
      if (word.change === 'added' && after?.change === 'removed') return [after, word];
      return word.change === 'removed' && before?.change === 'added' ? [] : [word];
    });
