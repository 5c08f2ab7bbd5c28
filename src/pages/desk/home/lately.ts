// What has changed lately, for those who may read every history.

import { AUDIT, subjectOf } from '../../../editorial/audit/desk/list-page.ts';
import { type Change, type ChangesPage, pathOf } from '../../../editorial/audit/desk/reading.ts';
import { mayReadEveryHistory } from '../../../people/auth/policy.ts';
import { siteMomentText } from '../../dates.ts';
import type { DeskRequest } from '../page.ts';
import { titlesOf } from '../titles.ts';
import type { WorkList } from './work.ts';

const SHOWN = 6;
/** What is created and published at once has changed twice. */
const LOOKED_AT = 2 * SHOWN;

/** The end of the log alone is read. Null: the changes of others are not for this user. */
export async function changedLately(request: DeskRequest): Promise<WorkList | null> {
  const { api, user, words } = request;
  if (!mayReadEveryHistory(user)) return null;
  const latest = await api.read<ChangesPage>('/changes', { order: 'desc', per_page: LOOKED_AT });
  const newest = new Map<string, Change>();
  for (const change of latest.changes) {
    const name = `${change.kind} ${change.id}`;
    if (!newest.has(name)) newest.set(name, change);
  }
  const changes = [...newest.values()].slice(0, SHOWN);
  const titles = await titlesOf(request, changes.map(subjectOf));
  return {
    heading: 'home_lately',
    empty: 'home_lately_none',
    items: changes.map((change) => ({
      title: titles(subjectOf(change)),
      path: pathOf(change.kind, change.id) ?? AUDIT,
      action: 'home_see',
      hint: [change.summary, change.actor.name, siteMomentText(request, change.instant)],
      label: { text: words(`kind_${change.kind}`), tone: 'plain' },
    })),
    more: undefined,
  };
}
