// What webhooks send: entries of the feed of changes, each with what has changed as it is now, made by the routes of the API
// for the user whose rights count. So a delivery says nothing that this user could not read at that moment.
import type { FastifyInstance } from 'fastify';
import { streamOfUser } from '../../../commands/reservations/user-names.ts';
import { present } from '../../../domain/present.ts';
import { addressOf, shownChange } from '../../../editorial/audit/http/changes-routes.ts';
import { ACTOR_ROLES, type ChangeFilter } from '../../../editorial/audit/queries/change-filter.ts';
import { type ChangeEntry, type ChangesDependencies, openChanges } from '../../../editorial/audit/queries/changes.ts';
import { type Selection, selectionOf } from '../../../editorial/audit/queries/selection.ts';
import type { Links } from '../../../http/route.ts';
import { VIEW_DEADLINE_MS, type Views } from '../../../http/routes/writing.ts';
import type { Sentences } from '../../../locales/language.ts';
import { fold } from '../../../log/envelope.ts';
import type { User } from '../../../people/auth/caller.ts';
import type { Tickets } from '../../../people/auth/tickets.ts';
import { evolveUser, type UserAccount } from '../../../people/users/domain/user.ts';
import { ReadModelUnavailable } from '../../../read-model/read-model.ts';
import type { Place } from '../domain/deliveries.ts';
import type { Webhook } from '../domain/webhook.ts';
import type { WebhookFeed } from '../reactions/webhook-line.ts';

interface WebhookFeedOptions {
  readonly changes: ChangesDependencies;
  readonly views: Views;
  readonly app: Pick<FastifyInstance, 'inject'>;
  readonly tickets: Pick<Tickets, 'lend'>;
  /** The public address of this service, without a slash at its end. */
  readonly site: string;
  /** The path of the API, without slashes around it. */
  readonly prefix: string;
  readonly newId: () => string;
  /** Sentences in the language of the site. */
  readonly sentences: () => Sentences;
}

const PORTION = 100;

export function openWebhookFeed(options: WebhookFeedOptions): WebhookFeed {
  const { changes: dependencies, views, app, tickets, site, prefix, newId, sentences } = options;
  const changes = openChanges(dependencies);
  const { host } = new URL(site);
  const links: Links = { site, root: `${site}/${prefix}`, host };

  async function userOf(id: number): Promise<User | null> {
    const account: UserAccount | null = fold(await dependencies.store.readStream(streamOfUser(id)), evolveUser);
    if (!account || account.erased) return null;
    const { login, name, role } = account;
    return { id, login, name, role };
  }

  const questionOf = ({ filters }: Webhook, user: User) => ({
    selection: selectionIn(filters),
    filter: filterOf(filters),
    reader: { caller: user },
    sentences: sentences(),
  });

  /** As the API answers; null where the user may not read it, or it is not there. Throws where that cannot be told now. */
  async function documentOf({ position, kind, id }: ChangeEntry, user: User): Promise<unknown> {
    if (!UNSEEN.has(kind) && !(await views.reached(position, VIEW_DEADLINE_MS)))
      throw new ReadModelUnavailable('the read model does not show yet what is to be sent');
    const answer = await tickets.lend({ user, requestId: newId() }, (authorization) =>
      app.inject({ url: addressOf(`/${prefix}`, { kind, id }), headers: { host, authorization } }),
    );
    const { statusCode: status } = answer;
    if (status === 200) return answer.json();
    if (UNREADABLE.has(status)) return null;
    const problem = `the API answered ${status} about ${kind} ${id}`;
    throw BUSY.has(status) ? new ReadModelUnavailable(problem) : new Error(problem);
  }

  return {
    async next(webhook, after) {
      const user = await userOf(webhook.user);
      if (!user) return 'no_user';
      const { matches, next, hasMore } = await changes.find({ ...questionOf(webhook, user), after, limit: PORTION });
      return { matches: matches.map(({ id, stream, revision }) => ({ event: id, stream, revision })), next, hasMore };
    },
    async payload(webhook, place: Place) {
      const user = await userOf(webhook.user);
      if (!user) return 'no_user';
      const entry = await changes.entry(place, questionOf(webhook, user));
      if (!entry) return null;
      const data = { change: shownChange(entry, links), resource: await documentOf(entry, user) };
      const [event] = await dependencies.store.readStream(place.stream, { from: place.revision, limit: 1 });
      const json = JSON.stringify({ type: entry.type, timestamp: entry.instant, data });
      return { json, cause: event?.metadata.traceparent };
    },
  };
}

/** Kinds that no read model shows. */
const UNSEEN: ReadonlySet<string> = new Set(['set', 'policy', 'settings', 'webhook', 'source', 'guest']);
/** What the API answers about what is not for this user, or not there any more. */
const UNREADABLE: ReadonlySet<number> = new Set([403, 404, 410]);
/** What it answers in a bad moment. */
const BUSY: ReadonlySet<number> = new Set([429, 503]);

const NOTHING: Selection = new Map();

function selectionIn({ types = [] }: Webhook['filters']): Selection {
  const selection = selectionOf(types);
  // A version that knew other kinds has stored a word that this one does not: nothing is sent rather than what was not asked for.
  return 'unknown' in selection ? NOTHING : selection;
}

function filterOf({ actors, roles, fields, reason }: Webhook['filters']): ChangeFilter {
  return present({
    actors: actors?.map(String),
    roles: roles && ACTOR_ROLES.filter((role) => roles.includes(role)),
    fields,
    reason,
  });
}
