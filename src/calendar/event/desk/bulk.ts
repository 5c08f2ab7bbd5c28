// A change of all events that are ticked. All of it has the id of one request, so it can be reverted as one.
import { type ApiAnswer, problemOf } from '../../../pages/desk/api.ts';
import type { DeskRequest } from '../../../pages/desk/page.ts';
import { hiddenNote } from '../../resource/desk/hidden-links.ts';
import type { Bulk } from './list-page.ts';

export interface BulkChange {
  readonly action: Bulk;
  readonly ids: readonly string[];
  /** The one to add. */
  readonly category: string;
}

/** One after another, as the log takes them. Returns why some could not be changed. */
export async function bulkChange(request: DeskRequest, { action, ids, category }: BulkChange): Promise<string[]> {
  const refused: string[] = [];
  for (const id of ids) {
    const path = encodeURIComponent(id);
    const hidden = action === 'publish' ? await hiddenOf(request, path) : null;
    const { problem } =
      hidden === null ? await changed(request, action, path, category) : { problem: problemOf(hidden) };
    if (problem) refused.push(`${id}: ${problem.message}`);
  }
  return refused;
}

/** What visitors would miss of it once it is published: then its own form asks whether that is meant. */
async function hiddenOf({ api, words }: DeskRequest, id: string): Promise<string | null> {
  const { body, problem } = await api.ask<{ readonly [member: string]: unknown }>(`/events/${id}`);
  return problem ? null : hiddenNote(words, body);
}

async function changed({ api }: DeskRequest, action: Bulk, id: string, category: string): Promise<ApiAnswer<unknown>> {
  const path = `/events/${id}`;
  switch (action) {
    case 'trash':
      return api.send('DELETE', path);
    case 'publish':
    case 'draft':
      return api.send('PATCH', path, { status: action });
    case 'restore':
      return api.send('PATCH', path, { status: 'draft' });
    case 'category': {
      const { body, problem, ...answer } = await api.ask<FieldsAnswer>(`${path}/fields`);
      if (problem) return { ...answer, body, problem };
      const categories = [...new Set([...body.fields.categories, Number(category)])];
      return api.send('PATCH', path, { categories }, { ifMatch: `"${body.revision}"` });
    }
  }
}

interface FieldsAnswer {
  readonly fields: { readonly categories: readonly number[] };
  readonly revision: number;
}
