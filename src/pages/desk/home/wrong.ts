// What is wrong, and for whom it is to mend it: resources that are parked, sources and webhooks that fail, what looks like
// the same, and double bookings.

import { DESK_KINDS, sectionOf } from '../../../calendar/resource/desk/kinds.ts';
import type { AlikePage } from '../../../calendar/resource/desk/reading.ts';
import { AUDIT, pathOf } from '../../../editorial/audit/desk/reading.ts';
import {
  isFailing as isSourceFailing,
  SOURCES,
  type Source,
  titleOf as titleOfSource,
} from '../../../exchange/sources/desk/reading.ts';
import {
  isFailing as isWebhookFailing,
  titleOf as titleOfWebhook,
  WEBHOOKS,
  type Webhook,
} from '../../../exchange/webhooks/desk/reading.ts';
import { mayImport, mayManageWebhooks, mayMerge, mayReadEveryHistory } from '../../../people/auth/policy.ts';
import { siteMomentText } from '../../dates.ts';
import { address } from '../../links.ts';
import type { Desk } from '../dependencies.ts';
import type { DeskRequest } from '../page.ts';
import { titlesOf } from '../titles.ts';
import type { WorkItem, WorkList } from './work.ts';

type Items = Promise<readonly WorkItem[]>;

/** So many faults of each kind are listed. */
const SHOWN = 3;

export async function whatIsWrong(desk: Desk, request: DeskRequest, doubles: readonly WorkItem[]): Promise<WorkList> {
  const lists = await Promise.all([
    parkedItems(desk, request),
    sourceItems(desk, request),
    webhookItems(request),
    duplicateItems(request),
  ]);
  const items = [...lists.flat(), ...doubles.slice(0, SHOWN)];
  return { heading: 'home_wrong', empty: 'home_wrong_none', items };
}

async function parkedItems({ installation }: Desk, request: DeskRequest): Items {
  const { words, user } = request;
  if (!mayReadEveryHistory(user)) return [];
  const parked = (await installation.parked()).slice(0, SHOWN);
  const known = parked.map(({ resource }) => resource);
  const titles = await titlesOf(request, known);
  return parked.map(({ resource, at }) =>
    fault(
      titles(resource),
      pathOf(resource.kind, resource.id) ?? AUDIT,
      siteMomentText(request, at.instant),
      words('parked'),
    ),
  );
}

/** What has to be looked at. `text`: what is wrong. */
const fault = (title: string, path: string, hint: string, text: string): WorkItem => ({
  ...{ title, path, hint: [hint], action: 'home_see', label: { text, tone: 'bad' } },
});

async function sourceItems({ importers }: Desk, { api, user, words }: DeskRequest): Items {
  if (!mayImport(user, importers)) return [];
  const { sources } = await api.read<{ readonly sources: readonly Source[] }>('/sources');
  const failing = sources.filter(isSourceFailing);
  return failing
    .slice(0, SHOWN)
    .map((source) =>
      fault(
        titleOfSource(source),
        `${SOURCES}/${source.id}`,
        source.last_poll?.problem ? words(`source_problem_${source.last_poll.problem}`) : '',
        source.to_confirm === null ? words('source_failed', { count: source.failures }) : words('source_held'),
      ),
    );
}

async function webhookItems({ api, user, words }: DeskRequest): Items {
  if (!mayManageWebhooks(user)) return [];
  const { webhooks } = await api.read<{ readonly webhooks: readonly Webhook[] }>('/webhooks');
  const failing = webhooks.filter(isWebhookFailing);
  return failing
    .slice(0, SHOWN)
    .map((webhook) =>
      fault(
        titleOfWebhook(webhook),
        `${WEBHOOKS}/${webhook.id}`,
        webhook.url,
        webhook.parked > 0 ? words('webhook_state_parked', { count: webhook.parked }) : words('webhook_state_paused'),
      ),
    );
}

async function duplicateItems({ api, user, words }: DeskRequest): Items {
  const kinds = DESK_KINDS.filter(({ kind, isPost }) => isPost && mayMerge(user, kind));
  const lists = await Promise.all(
    kinds.map(async (kind): Items => {
      const { duplicates } = await api.read<AlikePage>(`/${kind.collection}/duplicates`, { per_page: SHOWN });
      return duplicates.map(({ reasons, resources: [one, other] }) => ({
        title: `${one?.name} – ${other?.name}`,
        action: 'merge',
        path: address(`${sectionOf(kind)}/${other?.id}/merge`, [['into', String(one?.id)]]),
        hint: reasons.map((reason) => words(`alike_${reason}`)),
        label: { text: words(`kind_${kind.kind}`), tone: 'plain' },
      }));
    }),
  );
  return lists.flat();
}
