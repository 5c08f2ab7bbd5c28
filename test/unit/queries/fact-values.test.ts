// Which members of the facts in the log may be read by operators: of every type that the code can write.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EventFact } from '../../../src/calendar/event/domain/calendar-event.ts';
import type { OrganizerFact } from '../../../src/calendar/linked-post/domain/organizer.ts';
import type { VenueFact } from '../../../src/calendar/linked-post/domain/venue.ts';
import type { PictureFact } from '../../../src/calendar/picture/domain/picture.ts';
import type { ImageFact } from '../../../src/calendar/resource/domain/image.ts';
import type { SiteSettingsFact } from '../../../src/calendar/site/domain/site-settings.ts';
import type { TermFact } from '../../../src/calendar/term/domain/term.ts';
import { dataOf, metadataOf, type SECRET_MEMBERS } from '../../../src/editorial/audit/queries/fact-values.ts';
import type { AgendaFact, ChangeSetFact } from '../../../src/editorial/change-sets/domain/change-set.ts';
import type { GuestLinkFact } from '../../../src/editorial/guest-links/domain/guest-link.ts';
import type { ProposalFact } from '../../../src/editorial/proposals/domain/proposal.ts';
import type { ReviewPolicyFact } from '../../../src/editorial/review-rules/domain/review-policy.ts';
import type { SeriesFact } from '../../../src/editorial/series/domain/facts.ts';
import type { SourceItemFact } from '../../../src/exchange/sources/domain/items.ts';
import type { SourceFact } from '../../../src/exchange/sources/domain/source.ts';
import type { SubmissionFact } from '../../../src/exchange/submissions/domain/submission.ts';
import type { DeliveryFact } from '../../../src/exchange/webhooks/domain/deliveries.ts';
import type { WebhookFact } from '../../../src/exchange/webhooks/domain/webhook.ts';
import type { Json } from '../../../src/log/envelope.ts';
import type { FirstStartFact } from '../../../src/people/users/domain/first-start.ts';
import type { UserFact } from '../../../src/people/users/domain/user.ts';
import type { ControlFact } from '../../../src/read-model/projector/control.ts';

const test = suite('what operators see of facts');
const ROOT = path.resolve(import.meta.dirname, '../../..');

type AnyFact =
  | (EventFact | VenueFact | OrganizerFact | TermFact | PictureFact | ImageFact | SiteSettingsFact)
  | (AgendaFact | ChangeSetFact | GuestLinkFact | ProposalFact | ReviewPolicyFact | SeriesFact)
  | (SourceFact | SourceItemFact | SubmissionFact | DeliveryFact | WebhookFact)
  | (FirstStartFact | UserFact | ControlFact);

/** Types of facts whose data have no name outside their files: numbers, streams, slugs, and the address of an import. */
const UNNAMED: ReadonlySet<string> = new Set([
  ...['AdministratorDeparted', 'GuestLinkListed', 'IdsReserved', 'ImageAddressTaken', 'ImportAdvanced', 'ImportBegun'],
  ...['ImportEnded', 'MoveReserved', 'RequestAnswered', 'SeriesIdsReserved', 'SlugReleased', 'SlugReserved'],
  ...['ZoneRulesAdopted', 'ZoneRulesApplied'],
]);
/** Not in the log, because it has to be forgotten. */
const ELSEWHERE = 'UnsavedForm';
/** Parts of the unions above. */
const PARTS: ReadonlySet<string> = new Set([
  ...['DeskFact', 'EventStatusFact', 'FieldFact', 'MergeFact', 'OnlineFact', 'PostFact', 'SearchFact'],
]);

/** Every member of the data of a fact, at any depth. What proposals wish for and decide to is told by those facts. */
type MembersIn<T> = Json extends T
  ? never
  : T extends readonly (infer One)[]
    ? MembersIn<One>
    : T extends object
      ? { [K in keyof T & string]: (string extends K ? never : K) | MembersIn<T[K]> }[keyof T & string]
      : never;

/** None of these is a secret, nor may one be guessed by it. */
type Open = (typeof OPEN)[number];
const OPEN = [
  ...([
    'accent',
    'action',
    'actors',
    'added',
    'address',
    'administrator',
    'allDay',
    'alt',
    'appear',
    'approvals',
    'at',
  ] as const),
  ...([
    'attempt',
    'attempts',
    'author',
    'base',
    'by',
    'bypass',
    'categories',
    'category',
    'changed',
    'city',
    'claimed',
  ] as const),
  ...([
    'code',
    'content',
    'contributor',
    'coordinates',
    'cost',
    'country',
    'counts',
    'created',
    'credential',
    'credentialId',
  ] as const),
  ...([
    'currency',
    'data',
    'date',
    'dateFloats',
    'dates',
    'description',
    'detail',
    'disappear',
    'done',
    'drafted',
    'duration',
  ] as const),
  ...([
    'editor',
    'email',
    'end',
    'ends',
    'endsAt',
    'entries',
    'etag',
    'event',
    'eventStatus',
    'events',
    'every',
    'excerpt',
  ] as const),
  ...([
    'extensions',
    'facts',
    'failed',
    'failure',
    'featured',
    'fields',
    'file',
    'filesize',
    'filters',
    'forgotten',
    'form',
  ] as const),
  ...([
    'formerUntil',
    'from',
    'given',
    'goesOn',
    'height',
    'hidden',
    'horizon',
    'id',
    'image',
    'imprint',
    'index',
    'into',
  ] as const),
  ...([
    'isApart',
    'isDetached',
    'isOverride',
    'isThere',
    'isVirtual',
    'issuer',
    'items',
    'key',
    'kind',
    'label',
    'language',
  ] as const),
  ...([
    'lastModified',
    'lat',
    'layout',
    'leave',
    'life',
    'links',
    'lng',
    'login',
    'logo',
    'members',
    'mimeType',
    'missing',
  ] as const),
  ...([
    'mode',
    'moved',
    'name',
    'next',
    'note',
    'notes',
    'notice',
    'notices',
    'of',
    'onMissing',
    'online',
    'organizer',
  ] as const),
  ...([
    'organizers',
    'outcome',
    'own',
    'owner',
    'parent',
    'parked',
    'phone',
    'position',
    'previous',
    'problem',
    'problems',
  ] as const),
  ...([
    'proposal',
    'proposals',
    'proposed',
    'province',
    'query',
    'quietSince',
    'quietUntil',
    'reason',
    'refused',
    'request',
  ] as const),
  ...([
    'reserved',
    'revision',
    'revisions',
    'role',
    'roles',
    'rules',
    'schedule',
    'seen',
    'sequence',
    'series',
    'session',
  ] as const),
  ...([
    'sessionId',
    'set',
    'settings',
    'showMap',
    'showMapLink',
    'since',
    'site',
    'sizes',
    'skipped',
    'slug',
    'splitFrom',
  ] as const),
  ...([
    'start',
    'startsAt',
    'state',
    'stateprovince',
    'status',
    'sticky',
    'stream',
    'subject',
    'submission',
    'symbol',
    'tag',
  ] as const),
  ...([
    'tags',
    'taken',
    'target',
    'text',
    'ticketed',
    'timezone',
    'title',
    'toRevision',
    'type',
    'types',
    'uid',
    'unchanged',
  ] as const),
  ...([
    'until',
    'upTo',
    'url',
    'user',
    'validators',
    'venue',
    'venues',
    'virtualUrl',
    'virtualVideoSource',
    'waiting',
  ] as const),
  ...(['wallClock', 'was', 'website', 'why', 'width', 'wish', 'zip', 'zone'] as const),
  ...(['all_day', 'end_date', 'site_name', 'start_date', 'venue_id'] as const),
  ...(['accessibility', 'accessible', 'ageRange', 'languages', 'registrationUrl'] as const),
  ...(['credit', 'focusX', 'focusY'] as const),
] as const;

type Undecided = Exclude<MembersIn<AnyFact['data']>, Open | (typeof SECRET_MEMBERS)[number]>;

test('each member of each fact is open or a secret: adding one is a decision', () => {
  // The compiler names here what is in neither list.
  const undecided: { readonly [Member in Undecided]: never } = {};
  assert.equal(undecided, {});
  assert.equal(
    OPEN.filter((member) => /digest|hash|password|pepper|salt|secret|token/i.test(member)),
    [],
  );
});

test('there is no other type of fact in the sources', () => {
  const own = readFileSync(import.meta.filename, 'utf8');
  const sources = globSync('src/**/*.ts', { cwd: ROOT }).map((file) => readFileSync(path.join(ROOT, file), 'utf8'));
  const all = (pattern: RegExp): readonly string[] =>
    sources.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name ?? ''));
  const unions = all(/export type (\w+Fact)\b/g);
  assert.ok(unions.length > 25, String(unions.length));
  assert.equal(
    unions.filter((name) => !PARTS.has(name) && !new RegExp(`^import type .*\\b${name}\\b`, 'm').test(own)),
    [],
  );
  const declared = new Set([...all(/Fact<\s*'(\w+)'/g), ...UNNAMED]);
  const nouns = /^(Event|Venue|Organizer|Category|Tag|Series)[A-Z]/;
  const written = all(/\btype: '([A-Z][a-z]+[A-Z]\w+)'/g);
  assert.ok(written.length > 40, String(written.length));
  assert.equal(
    written.filter((type) => type !== ELSEWHERE && !declared.has(type) && !nouns.test(type)),
    [],
  );
});

test('secrets and personal data are masked wherever they are, and a long fact is cut', () => {
  const by = { actor: { id: 7, name: 'ann' }, instant: '2026-11-20T12:00:00Z', correlationId: 'a', causationId: 'a' };
  const event = (stream: string, type: string, data: Json) => ({
    ...{ id: 'x', stream, type, schemaVersion: 1, revision: 0, position: '1', data },
    metadata: { ...by, reason: 'Ann asked for it', hash: 'chain' },
  });
  const shown = (stream: string, type: string, data: Json) =>
    dataOf(event(stream, type, data)).map(({ path: at, text, mask }) => `${at}: ${mask ?? text}`);
  assert.equal(
    shown('series-1', 'SeriesContentChanged', { facts: [{ type: 'EventPasswordSet', data: { hash: 'h' } }] }),
    ['facts.0.type: EventPasswordSet', 'facts.0.data.hash: secret'],
  );
  assert.equal(
    shown('proposal-1', 'ProposalOpened', {
      ...{ subject: 'organizer-7', author: 3, note: 'n', wish: { name: 'Ada', description: 'd' } },
      facts: { OrganizerRenamed: { name: { $sealed: 'c' } } },
    }),
    [
      'subject: organizer-7',
      'author: 3',
      'note: personal',
      'wish.name: personal',
      'wish.description: d',
      'facts.OrganizerRenamed.name: personal',
    ],
  );
  assert.equal(shown('later-1', 'OfLaterVersion', { deep: { secret: 's', who: { $sealed: 'c' } } }), [
    'deep.secret: secret',
    'deep.who: personal',
  ]);
  const metadata = metadataOf(event('tag-1', 'TagCreated', {}));
  assert.equal(
    metadata.filter(({ mask }) => mask !== null).map((value) => value.path),
    ['actor.name', 'reason'],
  );
  assert.is(metadata.find(({ path: at }) => at === 'hash')?.text, 'chain');
  const long = dataOf(
    event('tag-1', 'TagCreated', {
      list: Array.from({ length: 100_000 }, () => 'x'.repeat(10)),
      text: 'y'.repeat(9_000),
    }),
  );
  assert.ok(long.length <= 501, String(long.length));
});

test.run();
