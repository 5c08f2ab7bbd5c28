// What is to become of many events: each with the state that this was decided on, so that nothing is written over what
// others have saved meanwhile.

import type { HistoryPage } from '../../../../editorial/history/desk/reading.ts';
import { openTurns } from '../../../../kernel/event-loop/turns.ts';
import { ApiProblem, type DeskApi } from '../../../../pages/desk/api.ts';
import { differing } from '../../../../pages/desk/form-values.ts';
import { type DeskRequest, textOf } from '../../../../pages/desk/page.ts';
import { type DeskTerm, type EventSource, sourceOf, termsOf } from '../reading.ts';
import { hiddenWith } from '../saving.ts';
import { type EventValues, FIELD_NAMES } from '../values.ts';

/** Each is read, shown and written by itself: a page of more is not read to its end. */
export const MAX_MANY = 200;

export type EventChange = Partial<EventValues>;

export interface PlannedEvent extends EventSource {
  readonly id: string;
  /** The values that are to be changed. */
  readonly change: EventChange;
  /** Why it is not ticked unless its editor does so. */
  readonly note: string | null;
  /** Others have changed it since it was shown: what was ticked then was not this. */
  readonly isStale: boolean;
}

export interface Wish {
  readonly id: string;
  /** What is to become of an event as it is now, and what is to be known before that. */
  readonly decide: (
    source: EventSource,
  ) => Promise<Pick<PlannedEvent, 'change' | 'note'> & Partial<Pick<PlannedEvent, 'isStale'>>>;
}

export interface Plan {
  readonly events: readonly PlannedEvent[];
  /** Events that cannot be read any more, and why. */
  readonly refused: readonly string[];
  readonly tags: readonly DeskTerm[];
}

export const valuesThen = ({ values, change }: Pick<PlannedEvent, 'values' | 'change'>): EventValues => ({
  ...values,
  ...change,
});

/** Reads the events, one after another with turns for others in between, and decides what is to become of them. */
export async function planOf(request: DeskRequest, wishes: readonly Wish[]): Promise<Plan> {
  const tags = await termsOf(request.api, 'tags');
  const turn = openTurns();
  const [events, refused]: [PlannedEvent[], string[]] = [[], []];
  for (const { id, decide } of wishes.slice(0, MAX_MANY)) {
    await turn();
    try {
      const source = await sourceOf(request.api, encodeURIComponent(id), tags);
      const decided = await decide(source);
      const then = valuesThen({ ...source, ...decided });
      const { isStale = false } = decided;
      if (differing(source.values, then).length === 0 && (decided.note === null || isStale)) continue;
      const note = decided.note ?? (await hiddenWith(request, source.values, then));
      events.push({ id, ...source, ...decided, note, isStale });
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      refused.push(`${id}: ${error.problem.message}`);
    }
  }
  return { events, refused, tags };
}

/** The plan in a hidden field of its form. */
export const carriedText = (events: readonly PlannedEvent[]): string =>
  JSON.stringify(events.map(({ id, etag, change, note }) => ({ id, etag, change, note })));

/** The events of a form that carried its plan. Others have changed those that have another tag by now. */
export function carriedWishes({ api, form, words }: DeskRequest): readonly Wish[] {
  return carriedIn(textOf(form, 'plan')).map(({ id, etag, change, note }) => ({
    id: String(id),
    decide: async (source) => {
      const fields = Object.fromEntries(
        FIELD_NAMES.flatMap((name) => (typeof change[name] === 'string' ? [[name, change[name]]] : [])),
      );
      if (source.etag === etag) return { change: fields, note: typeof note === 'string' ? note : null };
      const isDone = await isChangedBy(api, String(id));
      return { change: isDone ? {} : fields, note: words('row_changed'), isStale: true };
    },
  }));
}

/** Whether this form has changed an event last: it was interrupted, and is sent again. */
async function isChangedBy(api: DeskApi, id: string): Promise<boolean> {
  const path = `/events/${encodeURIComponent(id)}/history`;
  const { body, problem } = await api.ask<HistoryPage>(path, { per_page: 1 });
  return problem === null && body.history[0]?.correlation_id === api.requestId;
}

interface Carried {
  readonly id: unknown;
  readonly etag: unknown;
  readonly note: unknown;
  readonly change: { readonly [name: string]: unknown };
}

/** None of what no form of ours has sent. */
function carriedIn(text: string): readonly Carried[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value)
      ? value.filter(({ change }: Carried) => typeof change === 'object' && change !== null)
      : [];
  } catch {
    return [];
  }
}
