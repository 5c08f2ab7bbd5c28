// The review of sets over HTTP: who may judge which set, what an approval is worth, and what makes it void.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type EventStoreDbServer, startEventStoreDb } from '../support/eventstoredb-server.ts';
import { type As, type Body, someEvent, startTestService, type TestService } from '../support/service.ts';

type Engine = 'SQLite' | 'EventStoreDB';

interface Context {
  daybook: TestService;
  server: EventStoreDbServer | null;
  /** A second editor, as `Authorization`. */
  other: { readonly authorization: string };
}

for (const engine of ['SQLite', 'EventStoreDB'] as const) reviewOn(engine);

function reviewOn(engine: Engine): void {
  const test = suite<Context>(`the review of sets on ${engine}`);
  /** What does not depend on how appends are written is tried on one engine. */
  const once: typeof test | (() => void) = engine === 'SQLite' ? test : () => {};
  test.before(async (context) => {
    context.server = engine === 'SQLite' ? null : await startEventStoreDb();
    const { server } = context;
    context.daybook = await startTestService(
      server === null ? {} : { environment: { DAYBOOK_EVENT_STORE: server.connectionString } },
    );
    const { body: added } = await context.daybook.request('administrator', 'POST', '/users', {
      ...{ login: 'otherEditor', name: 'otherEditor', role: 'editor' },
    });
    const credentials = Buffer.from(`otherEditor:${added.password}`).toString('base64');
    context.other = { authorization: `Basic ${credentials}` };
    const reviewed = { events: { editor: 'review', approvals: 2 } };
    const { status, text } = await context.daybook.request('administrator', 'PUT', '/policy', reviewed);
    assert.is(status, 200, text);
  });
  test.after(async ({ daybook, server }) => {
    await daybook.close();
    await server?.stop();
  });

  const event = async (daybook: TestService): Promise<number> =>
    (await daybook.created('administrator', 'events', someEvent({ title: 'Before' }))).id;

  async function proposed(daybook: TestService, by: As, title: string) {
    const id = await event(daybook);
    return { event: id, proposal: (await daybook.created(by, `events/${id}/proposals`, { title })).id as number };
  }

  const set = async (daybook: TestService, by: As, proposals: readonly number[]): Promise<string> =>
    `/sets/${(await daybook.created(by, 'sets', { name: 'Spring', proposals })).id}`;

  const step = (daybook: TestService, as: As | Context['other'], path: string, text = '') =>
    typeof as === 'string'
      ? daybook.request(as, 'POST', path, { text })
      : daybook.request('editor', 'POST', path, { text }, as);

  once('an editor applies a set once two others than the authors have approved it', async ({ daybook, other }) => {
    const one = await proposed(daybook, 'contributor', 'One');
    const two = await proposed(daybook, 'editor', 'Two');
    const path = await set(daybook, 'editor', [one.proposal, two.proposal]);
    const read = async (): Promise<Body> => (await daybook.get(path, 'editor')).body;
    const before = await read();
    assert.equal([before.approvals, before.approvals_needed, before.fits], [[], 2, false]);
    assert.equal(before.unapproved, [one.proposal, two.proposal]);
    assert.match(before.problems[0].problem, 'needs more approvals');
    const first = await step(daybook, other, `${path}/approve`, 'Checked.');
    assert.equal(
      [first.status, first.body.approvals.length, first.body.comments[0].text],
      [200, 1, 'Checked.'],
      first.text,
    );
    const refused = await daybook.request('editor', 'POST', `${path}/apply`, {});
    // The editor's own application is the second approval of what the contributor has proposed.
    assert.equal([refused.status, refused.body.data.problems.length], [409, 1], refused.text);
    assert.is(refused.body.data.problems[0].proposal, two.proposal);
    assert.is((await step(daybook, 'administrator', `${path}/approve`)).status, 200);
    const after = await read();
    assert.equal([after.unapproved, after.fits], [[], true]);
    const { body } = await daybook.get('/sets?state=open', 'editor');
    assert.equal(body.sets[0].approvals.length, 2, 'lists show it');
    const applied = await daybook.request('editor', 'POST', `${path}/apply`, {});
    assert.is(applied.status, 200, applied.text);
    assert.is((await daybook.get(`/events/${two.event}`)).body.title, 'Two');
  });

  once('approvals are void once something is collected, dropped or revised', async ({ daybook, other }) => {
    const one = await proposed(daybook, 'contributor', 'One');
    const two = await proposed(daybook, 'contributor', 'Two');
    const path = await set(daybook, 'editor', [one.proposal]);
    const approvals = async (): Promise<number> => (await daybook.get(path, 'editor')).body.approvals.length;
    const approve = () => step(daybook, 'administrator', `${path}/approve`);
    const voids: readonly (() => Promise<{ readonly status: number; readonly text: string }>)[] = [
      () => daybook.request('editor', 'POST', `${path}/members`, { proposals: [two.proposal] }),
      () => daybook.request('editor', 'PATCH', path, { proposals: [one.proposal] }),
      () => {
        const revised = { title: 'Other', revises: one.proposal };
        return daybook.request('contributor', 'POST', `/events/${one.event}/proposals`, revised);
      },
      () => step(daybook, other, `${path}/request-changes`, 'The hall is shut.'),
    ];
    for (const [index, change] of voids.entries()) {
      assert.is((await approve()).status, 200);
      assert.is(await approvals(), 1);
      const { status, text } = await change();
      assert.is(status, 200, text);
      assert.is(await approvals(), 0, String(index));
    }
    const { body } = await daybook.get(path, 'editor');
    assert.equal([body.changes_requested.name, body.state], ['otherEditor', 'open']);
  });

  test('what is revised or collected while a reviewer looks is neither approved nor applied unseen', async (context) => {
    const { daybook } = context;
    const one = await proposed(daybook, 'contributor', 'One');
    const two = await proposed(daybook, 'contributor', 'Two');
    const path = await set(daybook, 'editor', [one.proposal]);
    const revise = async (title: string) => {
      const revised = { title, revises: one.proposal };
      const answer = await daybook.request('contributor', 'POST', `/events/${one.event}/proposals`, revised);
      assert.is(answer.status, 200, answer.text);
    };
    const seen = async () => {
      const { body, headers } = await daybook.get(path, 'administrator');
      return { revisions: body.revisions, etag: headers.etag ?? '' };
    };
    const take = (name: string, { revisions, etag }: Awaited<ReturnType<typeof seen>>) =>
      daybook.request('administrator', 'POST', `${path}/${name}`, { revisions }, { 'if-match': etag });
    const first = await seen();
    assert.equal(first.revisions, [0]);
    await revise('Other');
    assert.equal((await seen()).revisions, [1], 'it says how often');
    for (const name of ['approve', 'request-changes', 'comments', 'apply']) {
      const { status, body, text } = await take(name, first);
      assert.equal([status, body.code], [412, 'rest_precondition_failed'], `${name} ${text}`);
    }
    assert.equal((await daybook.get(path, 'administrator')).body.approvals, []);
    const second = await seen();
    await daybook.request('editor', 'POST', `${path}/members`, { proposals: [two.proposal] });
    assert.is((await take('approve', second)).status, 412, 'collected');
    const third = await seen();
    const approved = await take('approve', third);
    assert.is(approved.status, 200, approved.text);
    // At once with a revision: it is applied as it was seen, or not at all.
    const last = await seen();
    const [, applied] = await Promise.all([revise('Unseen').catch(() => null), take('apply', last)]);
    assert.ok([200, 412].includes(applied.status), applied.text);
    assert.is((await daybook.get(`/events/${one.event}`)).body.title, applied.status === 200 ? 'Other' : 'Before');
    const bad = await daybook.request('administrator', 'POST', `${path}/approve`, { revisions: 'often' });
    assert.equal([bad.status, Object.keys(bad.body.data.params)], [400, ['revisions']]);
  });

  test('a scheduled set that lost its approvals is left whole, and says why', async ({ daybook, other }) => {
    const one = await proposed(daybook, 'editor', 'One');
    const path = await set(daybook, 'editor', [one.proposal]);
    for (const as of [other, 'administrator'] as const) await step(daybook, as, `${path}/approve`);
    const at = new Date((daybook.clock.at + 60) * 1000).toISOString();
    assert.is((await daybook.request('editor', 'POST', `${path}/schedule`, { at })).status, 200);
    await daybook.request('editor', 'POST', `/events/${one.event}/proposals`, { title: 'New', revises: one.proposal });
    const { next } = (await daybook.get('/changes?after=end', 'editor')).body;
    daybook.clock.at += 61;
    const { body } = await daybook.get(`/changes?after=${next}&types=ChangeSetFailed&wait=20`, 'editor');
    assert.is(body.changes.length, 1);
    const failed = (await daybook.get(path, 'editor')).body;
    assert.equal([failed.state, failed.problems.length], ['failed', 1]);
    assert.is((await daybook.get(`/events/${one.event}`)).body.title, 'Before');
  });

  test('two reviewers at once are both heard', async ({ daybook, other }) => {
    const one = await proposed(daybook, 'contributor', 'One');
    const path = await set(daybook, 'editor', [one.proposal]);
    const reviewers = [other, 'administrator'] as const;
    const answers = await Promise.all(reviewers.map((as) => step(daybook, as, `${path}/approve`)));
    assert.equal(
      answers.map(({ status }) => status),
      [200, 200],
    );
    const twice = await Promise.all(reviewers.map(() => step(daybook, other, `${path}/approve`)));
    assert.equal(
      twice.map(({ body }) => body.code),
      Array(2).fill('rest_set_already_approved'),
    );
    assert.is((await daybook.get(path, 'editor')).body.approvals.length, 2);
  });

  /** Written down by hand; `own`: the set's own author. */
  const RIGHTS: readonly (readonly [As, 'own' | 'other', approve: number, request: number, comment: number])[] = [
    ['anonymous', 'other', 401, 401, 401],
    ['subscriber', 'other', 403, 403, 403],
    ['contributor', 'other', 403, 403, 403],
    ['author', 'other', 403, 403, 403],
    ['editor', 'own', 403, 403, 200],
    ['editor', 'other', 200, 200, 200],
    ['administrator', 'own', 403, 403, 200],
    ['administrator', 'other', 200, 200, 200],
  ];

  once('who may take which step with whose set', async ({ daybook }) => {
    const { proposal } = await proposed(daybook, 'contributor', 'One');
    const others: { readonly [Name in 'own' | 'other']: (as: As) => As } = {
      own: (as) => as,
      other: (as) => (as === 'editor' ? 'administrator' : 'editor'),
    };
    for (const [as, whose, ...statuses] of RIGHTS) {
      const path = await set(daybook, others[whose](as), [proposal]);
      const steps = ['approve', 'request-changes', 'comments'] as const;
      for (const [at, name] of steps.entries()) {
        const { headers } = await daybook.request(as, 'OPTIONS', `${path}/${name}`);
        const offered = String(headers.allow ?? '').includes('POST');
        const revision = (await daybook.get(path, 'administrator')).headers.etag;
        const { status, text } = await step(daybook, as, `${path}/${name}`, 'So.');
        assert.is(status, statuses[at], `${as}, ${whose}: ${name} ${text}`);
        assert.is(offered, status === 200, `${as}, ${whose}: ${name} is offered`);
        if (status !== 200)
          assert.is((await daybook.get(path, 'administrator')).headers.etag, revision, 'refused, nothing is written');
      }
    }
  });

  once('the feed of changes asks for approval, and names who has judged the set', async ({ daybook, other }) => {
    const one = await proposed(daybook, 'contributor', 'One');
    const { next } = (await daybook.get('/changes?after=end', 'editor')).body;
    const path = await set(daybook, 'editor', [one.proposal]);
    await step(daybook, other, `${path}/comments`, 'Hm.');
    await step(daybook, other, `${path}/request-changes`, 'No.');
    await step(daybook, 'administrator', `${path}/approve`);
    const { changes } = (await daybook.get(`/changes?after=${next}&kind=set`, 'editor')).body;
    assert.equal(
      changes.map(({ type, asked_roles }: Body) => [type, asked_roles?.join() ?? '']),
      [
        ['ChangeSetOpened', 'administrator,editor'],
        ['ChangeSetCommented', ''],
        ['ChangeSetChangesRequested', ''],
        ['ChangeSetApproved', 'administrator,editor'],
      ],
    );
    assert.is(changes[3].summary, 'Set “Spring” approved.');
    assert.equal(Object.fromEntries(changes[3].concerned.map(({ name, as }: Body) => [name, as.join()])), {
      ...{ editor: 'set_author', otherEditor: 'reviewer', administrator: 'reviewer,approver,owner' },
      contributor: 'author',
    });
  });

  test.run();
}
