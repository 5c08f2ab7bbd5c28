// Submissions from the public: from the form over the mail to the proposal, and what becomes of the sender's data.
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LANGUAGE_CODES } from '../../src/locales/languages.ts';
import { eraseCommand } from '../../src/people/personal-data/cli/erase.ts';
import { markupProblems } from '../support/markup.ts';
import { perform } from '../support/perform.ts';
import { type Answer, startTestService, type TestService, temporaryFolder } from '../support/service.ts';

interface Context {
  daybook: TestService;
  mail: string;
  cleanup(): Promise<void>;
}

const test = suite<Context>('submissions from the public');

test.before(async (context) => {
  const { folder, remove } = temporaryFolder();
  context.mail = `${folder}/mail`;
  context.daybook = await startTestService({
    environment: {
      DAYBOOK_SUBMISSIONS: 'on',
      DAYBOOK_MAIL: `folder:${context.mail}`,
      DAYBOOK_SITE_NAME: 'Lantern Bay',
    },
  });
  context.cleanup = async () => {
    await context.daybook.close();
    remove();
  };
});
test.after(({ cleanup }) => cleanup());
test.before.each(({ mail }) => rmSync(mail, { recursive: true, force: true }));

const FIELDS = {
  title: 'Fair & <i>feast</i>',
  description: 'Come all.\n\nBring <script>alert(1)</script>',
  start_date: '2027-06-05T19:00',
  end_date: '2027-06-05T21:00',
  venue: 'The Barn',
  address: '1 Lane',
  city: 'Leeds',
  cost: '5',
  website: 'https://fair.example/',
  name: 'Zoe Sender',
  email: 'zoe@example.com',
};

const ticketIn = ({ text }: Answer): string => /name="ticket" value="([^"]+)"/.exec(text)?.[1] ?? '';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const PAST_MINIMUM = 5;

async function ticketOf(daybook: TestService): Promise<string> {
  const ticket = ticketIn(await daybook.get('//submit'));
  daybook.clock.at += PAST_MINIMUM;
  return ticket;
}

const post = (daybook: TestService, fields: object, headers: { readonly [name: string]: string } = {}) =>
  daybook.request('anonymous', 'POST', '//submit', new URLSearchParams({ ...fields }).toString(), {
    ...FORM,
    ...headers,
  });

const submit = async (daybook: TestService, fields: object = {}, headers = {}): Promise<Answer> =>
  post(daybook, { ...FIELDS, ticket: await ticketOf(daybook), ...fields }, headers);

/** The decoded text of the only mail to an address. */
async function mailIn(folder: string, to: string): Promise<string> {
  const files = (): string[] => {
    try {
      return readdirSync(folder).filter((name) => name.endsWith('.eml') && isTo(`${folder}/${name}`, to));
    } catch {
      return [];
    }
  };
  while (files().length === 0) await sleep(10);
  const [name = '', ...others] = files();
  assert.is(others.length, 0, 'one mail');
  const text = readFileSync(`${folder}/${name}`, 'utf8');
  const [head = '', ...body] = text.split('\r\n\r\n');
  const raw = body.join('\n\n');
  if (/^Content-Transfer-Encoding: base64/im.test(head)) return `${head}\n\n${Buffer.from(raw, 'base64')}`;
  const bytes = raw
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return `${head}\n\n${Buffer.from(bytes, 'latin1')}`;
}

const isTo = (file: string, address: string): boolean => readFileSync(file, 'utf8').includes(`\r\nTo: ${address}\r\n`);

const linkIn = (mail: string): string => `/${/https?:\/\/[^/]+(\/submit\/[\w-]+)/.exec(mail)?.[1] ?? ''}`;

async function submitted({ daybook, mail }: Context, fields: Partial<typeof FIELDS> = {}): Promise<string> {
  assert.is((await submit(daybook, fields)).headers.location, '/submit/sent');
  return linkIn(await mailIn(mail, { ...FIELDS, ...fields }.email));
}

const press = (daybook: TestService, link: string, step: 'confirm' | 'withdraw') =>
  daybook.request('anonymous', 'POST', `${link}/${step}`, '', FORM);

const newest = async (daybook: TestService) => (await daybook.get('/proposals', 'editor')).body.proposals[0];
const numberOf = async (daybook: TestService): Promise<number> =>
  (await daybook.get('/proposals', 'editor')).body.total;

test('the form is confirmed by the mail alone, reviewed like any proposal, and followed to its event', async (context) => {
  const { daybook } = context;
  const before = await numberOf(daybook);
  const link = await submitted(context);
  assert.match(link, /^\/\/submit\/[1-9]\d*-[\w-]{43}$/);
  assert.equal(await markupProblems((await daybook.get(link)).text), []);
  for (let visits = 0; visits < 3; visits += 1) {
    const page = await daybook.get(link);
    assert.match(page.text, /<h1>Waiting for your confirmation<\/h1>/);
    assert.is(page.headers['cache-control'], 'no-store');
    assert.is(page.headers['referrer-policy'], 'no-referrer');
    assert.match(page.headers['x-robots-tag'] ?? '', /noindex/);
  }
  assert.is(await numberOf(daybook), before, 'opening the link confirms nothing');
  const answers = await Promise.all([1, 2, 3].map(() => press(daybook, link, 'confirm')));
  assert.equal(
    answers.map(({ status }) => status),
    [303, 303, 303],
  );
  assert.is(await numberOf(daybook), before + 1, 'a double click makes one proposal');
  assert.match((await daybook.get(link)).text, /<h1>Waiting for review<\/h1>/);

  const { id, target } = await newest(daybook);
  const { body: proposal } = await daybook.get(`/proposals/${id}`, 'editor');
  assert.equal(proposal.submission, { name: 'Zoe Sender', email: 'zoe@example.com' });
  assert.is(proposal.preview.title, 'Fair &amp; &lt;i&gt;feast&lt;/i&gt;');
  assert.not.match(proposal.preview.description, /<script/);

  const path = `/proposals/${id}/request-changes`;
  await daybook.request('editor', 'POST', path, { text: 'Which <door>?' });
  await daybook.request('editor', 'POST', `/proposals/${id}/comments`, { text: 'between ourselves' });
  const asked = (await daybook.get(link)).text;
  assert.match(asked, /<h1>Changes requested<\/h1>.*Which &lt;door>\?/s);
  assert.not.match(asked, /between ourselves/);

  assert.is((await daybook.request('editor', 'POST', `/proposals/${id}/approve`)).status, 200);
  const accepted = (await daybook.get(link)).text;
  assert.match(accepted, /<h1>Accepted<\/h1>.*href="\/event\/fair/s);
  const event = await daybook.get(`/events/${target.id}`);
  assert.is(event.status, 200);
  assert.is(event.body.venue.venue, 'The Barn');
  const history = await daybook.get(`/events/${target.id}/history`, 'editor');
  const changes = await daybook.get('/changes?since=0&wait=0', 'editor');
  for (const { text } of [
    event,
    history,
    changes,
    await daybook.get(`//event/${event.body.slug}/`),
    await daybook.get(`/proposals`, 'editor'),
  ])
    assert.not.match(text, /zoe@example|Zoe Sender/i);
});

test('only those who may judge a submission see who sent it', async (context) => {
  const { daybook } = context;
  await press(daybook, await submitted(context, { title: 'Rights' }), 'confirm');
  const { id } = await newest(daybook);
  for (const [as, status, isShown] of [
    ['administrator', 200, true],
    ['editor', 200, true],
    ['author', 404, false],
    ['contributor', 404, false],
    ['subscriber', 403, false],
    ['anonymous', 401, false],
  ] as const) {
    const { status: answered, text } = await daybook.get(`/proposals/${id}`, as);
    assert.is(answered, status, as);
    assert.is(text.includes('zoe@example.com'), isShown, as);
  }
});

test('what was typed comes back with what is wrong beside its field, in every language', async ({ daybook }) => {
  const wrong = {
    title: '',
    start_date: 'soon',
    website: 'no address',
    email: 'zoe@',
    name: 'Zoe "X" <y>',
    city: 'Łódź',
  };
  for (const code of LANGUAGE_CODES) {
    const { status, text, headers } = await submit(daybook, wrong, { 'accept-language': code });
    assert.is(status, 400);
    assert.is(headers['content-language'], code);
    for (const field of ['title', 'email']) assert.ok(text.includes(`id="${field}-problem"`), `${code} ${field}`);
    for (const value of ['soon', 'no address', 'zoe@', 'Zoe &quot;X&quot; &lt;y>', 'Łódź', '1 Lane'])
      assert.ok(text.includes(`value="${value}"`), `${code} ${value}`);
    assert.match(text, /Bring &lt;script>/);
  }
  const { text } = await submit(daybook, { start_date: 'soon', website: 'no address' });
  for (const field of ['start_date', 'website']) assert.ok(text.includes(`id="${field}-problem"`), field);
});

test('a form that is sent twice is one submission; too quick, forged and foreign ones are none', async (context) => {
  const { daybook, mail } = context;
  const fresh = ticketIn(await daybook.get('//submit'));
  const quick = await post(daybook, { ...FIELDS, title: 'Quick', ticket: fresh });
  assert.is(quick.status, 400);
  assert.match(quick.text, /value="Quick"/);
  assert.is(ticketIn(quick), fresh, 'the clock of the form goes on');
  for (const ticket of ['', 'x', fresh.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')), `1${fresh}`])
    assert.is((await post(daybook, { ...FIELDS, ticket })).status, 400, ticket);
  daybook.clock.at += PAST_MINIMUM;
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
    assert.is((await post(daybook, { ...FIELDS, ticket: fresh }, headers)).status, 403);
  assert.is((await submit(daybook, { homepage: 'https://spam.example' })).headers.location, '/submit/sent');
  const answers = await Promise.all([1, 2, 3].map(() => post(daybook, { ...FIELDS, title: 'Twice', ticket: fresh })));
  assert.equal(
    answers.map(({ status }) => status),
    [303, 303, 303],
  );
  const text = await mailIn(mail, FIELDS.email);
  assert.not.match(text, /Twice|Zoe|Fair/, 'nothing of what was typed');
  assert.is((await post(daybook, 'x'.repeat(100_001) as never)).status, 413);
});

test('a form that was open for longer than twelve hours comes back with what was typed, and can be sent then', async (context) => {
  const { daybook, mail } = context;
  const ticket = ticketIn(await daybook.get('//submit'));
  daybook.clock.at += 12 * 3_600 + 1;
  const fields = { ...FIELDS, email: 'slow@example.com', title: 'Slow' };
  const late = await post(daybook, { ...fields, ticket });
  assert.is(late.status, 400);
  assert.match(late.text, 'This form was opened too long ago.');
  for (const typed of ['Slow', 'The Barn', 'slow@example.com']) assert.match(late.text, `value="${typed}"`);
  const fresh = ticketIn(late);
  assert.is.not(fresh, ticket);
  daybook.clock.at += PAST_MINIMUM;
  assert.is((await post(daybook, { ...fields, ticket: fresh })).status, 303);
  await mailIn(mail, 'slow@example.com');
});

test('the mail is in the language of the form, and no header can be smuggled in', async ({ daybook, mail }) => {
  const name = 'Eve\r\nBcc: all@example.com';
  const sent = await submit(daybook, { name, email: 'eve@example.com' }, { 'accept-language': 'de' });
  assert.is(sent.status, 303);
  const text = await mailIn(mail, 'eve@example.com');
  assert.match(text, /^To: eve@example\.com\r?$/m);
  assert.match(text, /innerhalb von 48 Stunden/);
  assert.not.match(text, /Bcc/);
  for (const email of [
    'a@example.com\nBcc: b@example.com',
    'a@example.com,b@example.com',
    '<a@example.com>',
    'a b@example.com',
  ])
    assert.is((await submit(daybook, { email })).status, 400, email);
});

test('withdrawn, it is no proposal any more, and name and address cannot be read again', async (context) => {
  const { daybook } = context;
  const link = await submitted(context, { email: 'gone@example.com' });
  await press(daybook, link, 'confirm');
  const { id } = await newest(daybook);
  await Promise.all([press(daybook, link, 'withdraw'), press(daybook, link, 'withdraw')]);
  const { body } = await daybook.get(`/proposals/${id}`, 'editor');
  assert.is(body.state, 'withdrawn');
  assert.equal(body.submission, { name: '[erased]', email: '[erased]' });
  assert.match((await daybook.get(link)).text, /<h1>Withdrawn<\/h1>/);
  await untilDestroyed(context, link);
});

test('what is not confirmed within 48 hours expires and leaves no personal data', async (context) => {
  const { daybook } = context;
  const link = await submitted(context, { email: 'late@example.com', title: 'Late' });
  daybook.clock.at += 48 * 3_600;
  assert.is((await press(daybook, link, 'confirm')).status, 303);
  await untilDestroyed(context, link);
  const { text } = await daybook.get(link);
  assert.match(text, /<h1>Not confirmed in time<\/h1>/);
  assert.not.match(text, /Late/);
  assert.is((await newest(daybook)).state, 'withdrawn', 'no proposal came of it');
  const { rawLog } = daybook.stores;
  const stored = await rawLog.readStream(`submission-${/submit\/(\d+)-/.exec(link)?.[1]}`);
  assert.not.match(JSON.stringify(stored), /late@example|Zoe|Late|Leeds/);
});

async function untilDestroyed({ daybook }: Context, link: string): Promise<void> {
  const subject = `submission-${/submit\/(\d+)-/.exec(link)?.[1]}`;
  const state = async () => (await daybook.stores.keys.look(new Set(), new Set([subject])))(subject);
  while ((await state()) !== 'destroyed') await sleep(10);
}

test('one mailbox is mailed five times a day, however it is spelled', async ({ daybook }) => {
  for (const email of [
    'much@example.com',
    'Much@example.com',
    'much@Example.com',
    'MUCH@example.com',
    'much@example.com',
  ])
    assert.is((await submit(daybook, { email })).status, 303, email);
  const { status, text } = await submit(daybook, { email: 'much@example.com' });
  assert.is(status, 429);
  assert.match(text, /value="much@example\.com"/);
  daybook.clock.at += 86_400;
  assert.is((await submit(daybook, { email: 'much@example.com' })).status, 303);
});

test('links that were never sent lead nowhere', async (context) => {
  const { daybook } = context;
  const link = await submitted(context, { email: 'links@example.com' });
  for (const other of [
    '1-x',
    link.slice(9).replace(/.$/, '_'),
    link.slice(9).replace(/^\d+/, '1'),
    `${link.slice(9)}x`,
    '0',
    '%00',
  ]) {
    const { status } = await daybook.get(`//submit/${other}`);
    if (`//submit/${other}` !== link) assert.is(status, 404, other);
    assert.is((await press(daybook, `//submit/${other}`, 'confirm')).status, 404, other);
  }
});

test('daybook erase erases a submission for good, confirmed or not', async (context) => {
  const { daybook } = context;
  const { store, keys, project, rawLog } = daybook.stores;
  const surroundings = { now: daybook.clock.now, newId: randomUUID, out: () => {} };
  for (const [email, steps] of [
    ['erased@example.com', []],
    ['erased-later@example.com', ['confirm']],
  ] as const) {
    const link = await submitted(context, { email });
    for (const step of steps) await press(daybook, link, step);
    const id = /submit\/(\d+)-/.exec(link)?.[1] ?? '';
    const args = ['submission', id, '--reason', 'asked for'];
    await perform(eraseCommand, args, { store, keys, project, ...surroundings });
    await untilDestroyed(context, link);
    const page = await daybook.get(link);
    assert.not.match(page.text, /Zoe|erased@|erased-later@|Leeds/);
    assert.not.match(JSON.stringify(await rawLog.readStream(`submission-${id}`)), /erased@|erased-later@|Zoe|Leeds/);
    assert.match(JSON.stringify(await store.readStream(`submission-${id}`)), /\[erased\]/);
  }
  assert.equal(await shownSender(daybook), { name: '[erased]', email: '[erased]' });
});

const shownSender = async (daybook: TestService) =>
  (await daybook.get(`/proposals/${(await newest(daybook)).id}`, 'editor')).body.submission;

test('without the setting there is no form and no link to it', async () => {
  const plain = await startTestService();
  const { status, text } = await plain.get('//submit');
  assert.is(status, 200);
  assert.not.match(text, 'method="post"');
  assert.is((await post(plain, FIELDS)).status, 404);
  assert.not.match((await plain.get('//')).text, /\/submit/);
  await plain.close();
});

test.run();
