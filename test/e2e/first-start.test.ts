// The first start over HTTP: an address with a word that sets the calendar up once, while nothing else has.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NO_SETTINGS, SITE_SETTINGS_STREAM } from '../../src/calendar/site/domain/site-settings.ts';
import { beginUnitOfWork } from '../../src/commands/unit-of-work.ts';
import type { EventStore } from '../../src/log/event-store.ts';
import { openEventStoreDb } from '../../src/log/eventstoredb/store.ts';
import { openSqliteEventStore } from '../../src/log/sqlite/store.ts';
import { newLongSecret, secretDigest } from '../../src/people/auth/sessions.ts';
import { finishFirstStartWith, isFirstStart, offerFirstStart } from '../../src/people/users/commands/first-start.ts';
import { allUsers } from '../../src/people/users/commands/user-changes.ts';
import { addUser, ensureFirstAdministrator, type UserDependencies } from '../../src/people/users/commands/users.ts';
import { contextAt, someMetadata } from '../support/events.ts';
import { startEventStoreDb } from '../support/eventstoredb-server.ts';
import { markupProblems } from '../support/markup.ts';
import { type Serving, serving } from '../support/process.ts';
import { NOON, someEvent, temporaryFolder } from '../support/service.ts';

const test = suite<{ running: Serving; folder: string; remove: () => void }>('first start');

const CHOICES = { login: 'maria', password: 'correct horse battery', settings: { site_name: 'Lantern Bay' } };
const FORM = {
  ...{ site_name: 'Lantern Bay', timezone: 'Europe/Berlin', language: 'de', login: 'maria', contents: 'empty' },
  password: 'correct horse battery',
};

/** The address that the terminal shows. */
const startOf = ({ out }: Pick<Serving, 'out'>): URL => new URL(/http\S+\/desk\/start\S+/.exec(out())?.[0] ?? '');

const send = (start: URL, fields: { readonly [name: string]: string }): Promise<Response> =>
  fetch(new URL('/desk/start', start), {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: start.origin },
    body: new URLSearchParams({ word: start.searchParams.get('word') ?? '', ...fields }),
  });

test.before(async (context) => {
  Object.assign(context, temporaryFolder());
  context.running = await serving({ DAYBOOK_DATA_DIR: context.folder });
  await context.running.wrote('/desk/start');
});
test.after(async ({ running, remove }) => {
  await running.stop();
  remove();
});

test('a wrong word opens nothing', async ({ running }) => {
  const start = startOf(running);
  const page = await fetch(start);
  assert.is(page.status, 200);
  assert.equal(await markupProblems(await page.text()), []);
  for (const word of ['', 'x', `${start.searchParams.get('word')}x`])
    assert.is((await fetch(new URL(`/desk/start?word=${word}`, start))).status, 410, word);
});

test('choices that are refused are said beside their fields, and nothing is written', async ({ running }) => {
  const start = startOf(running);
  const page = await send(start, { ...FORM, password: 'short', site_name: 'Kept' });
  const text = await page.text();
  assert.is(page.status, 400);
  assert.match(text, 'password-problem');
  assert.match(text, 'value="Kept"');
  assert.is((await send(start, { ...FORM, login: 'a:b' })).status, 400);
  assert.is((await send(start, { ...FORM, timezone: 'Mars/Olympus' })).status, 400);
  assert.is((await send(start, { ...FORM, site_name: 'x'.repeat(201) })).status, 400);
  const me = await fetch(`${running.api}/settings/history`, { headers: { authorization: `Bearer ${running.token}` } });
  assert.is(((await me.json()) as { total: number }).total, 0);
});

test('of two tabs one wins, and ends signed in; the word is used up', async ({ running }) => {
  const start = startOf(running);
  const both = await Promise.all([send(start, FORM), send(start, { ...FORM, login: 'other' })]);
  assert.equal(both.map(({ status }) => status).sort(), [303, 410]);
  const won = both.find(({ status }) => status === 303);
  const cookie = won?.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const desk = await (await fetch(new URL('/desk', start), { headers: { cookie, 'accept-language': 'en' } })).text();
  assert.match(desk, 'What to do first');
  assert.match(desk, 'Lantern Bay');
  assert.is((await fetch(start)).status, 410);
  assert.is((await send(start, FORM)).status, 410);
});

test('the token of the terminal counts as before, and what was chosen survives a restart', async (context) => {
  const { running, folder } = context;
  const headers = { authorization: `Bearer ${running.token}`, 'content-type': 'application/json' };
  assert.is(await running.stop(), 0);
  context.running = await serving({ DAYBOOK_DATA_DIR: folder });
  assert.not.match(context.running.out(), 'desk/start');
  const posted = await fetch(`${context.running.api}/events`, {
    ...{ method: 'POST', headers },
    body: JSON.stringify(someEvent({ cost: '0' })),
  });
  const created = (await posted.json()) as { timezone: string; cost: string };
  assert.equal([posted.status, created.timezone, created.cost], [201, 'Europe/Berlin', 'Kostenlos']);
});

interface Listed {
  readonly total: number;
  readonly events: readonly { readonly url: string; readonly timezone: string }[];
}

/** The first event of the public list, once that has more than so many: on a busy machine the views follow later. */
async function firstOfMany({ api }: Serving, many: number): Promise<Listed['events'][number] | undefined> {
  for (;;) {
    const { total, events } = (await (await fetch(`${api}/events`)).json()) as Listed;
    if (total > many) return events[0];
    await sleep(50);
  }
}

test('with the sample the calendar has events that visitors see', async () => {
  const { folder, remove } = temporaryFolder();
  const running = await serving({ DAYBOOK_DATA_DIR: folder });
  try {
    await running.wrote('/desk/start');
    const [, pages = ''] = /Pages: +(\S+)/.exec(running.out()) ?? [];
    assert.is((await fetch(pages)).status, 200, 'the terminal leads to the pages');
    const started = await send(startOf(running), { ...FORM, contents: 'sample' });
    assert.equal([started.status, started.headers.get('location')], [303, '/desk?said=said_started']);
    const event = await firstOfMany(running, 20);
    assert.is(event?.timezone, 'Europe/Berlin', 'in the zone that was chosen');
    assert.is((await fetch(new URL(new URL(event?.url ?? '').pathname, running.address))).status, 200);
  } finally {
    await running.stop();
    remove();
  }
});

interface Offer {
  readonly users: UserDependencies;
  readonly digest: string;
}

/** A log of each engine with its first administrator, to whom a word was offered. */
const ENGINES: { readonly [engine: string]: () => Promise<{ store: EventStore; end: () => Promise<unknown> }> } = {
  SQLite: async () => ({ store: openSqliteEventStore({ file: ':memory:' }), end: async () => {} }),
  async EventStoreDB() {
    const { connectionString, stop } = await startEventStoreDb();
    return { store: await openEventStoreDb({ connectionString }), end: stop };
  },
};

function onBoth(rule: string, check: (offer: Offer) => Promise<void>): void {
  for (const [engine, open] of Object.entries(ENGINES))
    test(`${rule} (${engine})`, async () => {
      const { store, end } = await open();
      const hashSecret = async (secret: string) => `hash of ${secret.length}`;
      const users = { store, newEventId: randomUUID, newSecret: newLongSecret, hashSecret };
      const first = { login: 'admin', email: '', name: 'admin', label: 'first start' };
      const added = await ensureFirstAdministrator(users, contextAt(NOON), first);
      assert.is(added?.kind, 'written');
      const digest = secretDigest('word');
      await offerFirstStart(users, contextAt(NOON), { digest, user: 1 });
      await check({ users, digest });
      await store.close();
      await end();
    });
}

const DAY = 86_400;

onBoth('the word runs out after a day', async ({ users, digest }) => {
  assert.ok(await isFirstStart(users, contextAt(NOON + DAY - 1), digest));
  assert.not(await isFirstStart(users, contextAt(NOON + DAY), digest));
  const late = await finishFirstStartWith(users, contextAt(NOON + DAY), digest, CHOICES);
  assert.is(late.kind === 'rejected' && late.rejection.parameter, 'link');
});

onBoth('a user who was added elsewhere takes the word away', async ({ users, digest }) => {
  await addUser(users, contextAt(NOON), { login: 'ann', email: '', name: 'Ann', label: 'x', role: 'author' });
  assert.not(await isFirstStart(users, contextAt(NOON), digest));
});

onBoth('the first user may keep the login of the terminal, and gets the password', async ({ users, digest }) => {
  const done = await finishFirstStartWith(users, contextAt(NOON), digest, { ...CHOICES, login: 'Admin' });
  if (done.kind === 'rejected') throw new Error(done.rejection.code);
  const { id, login, passwordHash } = done.written.user;
  assert.equal([id, login, passwordHash], [1, 'admin', 'hash of 21']);
});

onBoth('of two processes one wins, and only what it chose is there', async ({ users, digest }) => {
  const chosen = ['maria', 'ann'].map((login) => ({ ...CHOICES, login, settings: { site_name: login } }));
  const outcomes = await Promise.all(chosen.map((one) => finishFirstStartWith(users, contextAt(NOON), digest, one)));
  const won = outcomes.flatMap((outcome) => (outcome.kind === 'written' ? [outcome.written] : []));
  assert.is(won.length, 1);
  const [winner] = won;
  assert.is(winner?.settings?.site_name, winner?.user.login);
  const logins = (await allUsers(users.store)).map(({ login }) => login);
  assert.equal(logins, ['admin', winner?.user.login ?? '']);
});

onBoth('of two that choose the settings that there are one wins, too', async ({ users, digest }) => {
  const unit = beginUnitOfWork(users.store, someMetadata, randomUUID);
  await unit.record(SITE_SETTINGS_STREAM, [{ type: 'SiteSettingsSet', data: { settings: NO_SETTINGS } }]);
  await unit.commit();
  const outcomes = await Promise.all(
    ['maria', 'ann'].map((login) =>
      finishFirstStartWith(users, contextAt(NOON), digest, { ...CHOICES, login, settings: {} }),
    ),
  );
  assert.equal(outcomes.map(({ kind }) => kind).sort(), ['rejected', 'written']);
  assert.is((await allUsers(users.store)).length, 2);
});

test.run();
