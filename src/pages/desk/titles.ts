// What resources are called today, for lists that know them by their kind and number.

import { isKind } from '../../editorial/audit/desk/reading.ts';
import { lineOfHtml } from '../../kernel/text/html-text.ts';
import type { DeskRequest } from './page.ts';

/** Collections of the API, and the member that a resource of each is known by. */
const KINDS = {
  event: ['events', 'title'],
  venue: ['venues', 'venue'],
  organizer: ['organizers', 'organizer'],
  category: ['categories', 'name'],
  tag: ['tags', 'name'],
  set: ['sets', 'name'],
  webhook: ['webhooks', 'name'],
  source: ['sources', 'name'],
  picture: ['media', 'title'],
} as const;

interface Known {
  readonly kind: string;
  readonly id: number;
}

type Members = { readonly [name: string]: unknown };

/** Plain texts; of what has none, or is not for this reader, its kind and number. */
type Titles = (one: Known) => string;

/** Events are read in one list, everything else one by one: there are as many as a page has rows. */
export async function titlesOf(
  { api, words }: Pick<DeskRequest, 'api' | 'words'>,
  all: readonly Known[],
): Promise<Titles> {
  const ids = Map.groupBy(all, ({ kind }) => kind);
  const titles = new Map<string, string>();
  const keep = (kind: keyof typeof KINDS, one: Members): void => {
    const name = one[KINDS[kind][1]];
    if (typeof name === 'string' && name !== '') titles.set(`${kind} ${one.id}`, lineOfHtml(name));
  };
  const events = new Set(ids.get('event')?.map(({ id }) => id));
  const others = NAMED_KINDS.flatMap((kind) =>
    kind === 'event' ? [] : [...new Set(ids.get(kind)?.map(({ id }) => id))].map((id) => ({ kind, id })),
  );
  const readEvents = async (): Promise<void> => {
    const query = {
      status: 'publish,draft,pending,future,private,trash',
      per_page: 50,
      include: [...events].join(),
    };
    const { body, problem } = await api.ask<{ readonly events: readonly Members[] }>('/events', query);
    for (const one of problem ? [] : body.events) keep('event', one);
  };
  await Promise.all([
    ...(events.size > 0 ? [readEvents()] : []),
    ...others.map(async ({ kind, id }) => {
      const { body, problem } = await api.ask<Members>(`/${KINDS[kind][0]}/${id}`);
      if (problem === null) keep(kind, { ...body, id });
    }),
  ]);
  return ({ kind, id }) => titles.get(`${kind} ${id}`) ?? `${isKind(kind) ? words(`kind_${kind}`) : kind} ${id}`;
}

const NAMED_KINDS = Object.keys(KINDS) as (keyof typeof KINDS)[]; // Its keys.
