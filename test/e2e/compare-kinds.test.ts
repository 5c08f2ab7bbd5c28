// Two states of venues, organizers, categories and tags: `GET /venues/{id}/compare`.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type As, type Body, NOON, startTestService, type TestService } from '../support/service.ts';

interface Context {
  daybook: TestService;
}

const test = suite<Context>('comparisons of other kinds');
test.before(async (context) => {
  context.daybook = await startTestService();
});
test.after(({ daybook }) => daybook.close());

const iso = (at: number): string => new Date(at * 1000).toISOString().replace('.000Z', 'Z');

/** By collection: the kind, the member that it is known by, and a change of a text and of another field. */
const KINDS = [
  { collection: 'venues', kind: 'venue', name: 'venue', other: { city: 'Bergen' } },
  { collection: 'organizers', kind: 'organizer', name: 'organizer', other: { phone: '12345' } },
  { collection: 'categories', kind: 'category', name: 'name', other: { slug: 'elsewhere' } },
  { collection: 'tags', kind: 'tag', name: 'name', other: { slug: 'elsewhere' } },
] as const;

const fieldsIn = ({ changes }: Body): string[] => changes.map(({ field }: Body) => field).sort();

const compare = async (daybook: TestService, target: string, query: string, as: As = 'editor') =>
  daybook.get(`${target}/compare?${query}`, as);

for (const { collection, kind, name, other } of KINDS) {
  test(`two states of a ${kind}: revisions, instants and a proposal, texts by words, both rendered`, async (context) => {
    const { daybook } = context;
    const { id } = await daybook.created('editor', collection, { [name]: `Old ${kind}`, description: 'By the sea' });
    const target = `/${collection}/${id}`;
    const before = iso(daybook.clock.at);
    daybook.clock.at += 60;
    const change = { [name]: `New ${kind}`, description: 'By the lake', ...other };
    assert.is((await daybook.request('editor', 'PATCH', target, change)).status, 200);
    const { status, body, headers } = await compare(daybook, target, 'from=0');
    assert.is(status, 200);
    assert.equal(body.from.revision, 0);
    for (const field of [name, 'description', ...Object.keys(other)]) assert.ok(fieldsIn(body).includes(field), field);
    assert.equal(body.changes.find(({ field }: Body) => field === name).words, [
      { change: 'removed', text: 'Old' },
      { change: 'added', text: 'New' },
      { change: 'same', text: ` ${kind}` },
    ]);
    for (const side of ['from', 'to'] as const) {
      const read = await daybook.get(`${target}?revision=${body[side].revision}`, 'editor');
      assert.equal(body[side][kind], read.body, side);
    }
    assert.ok(headers.etag?.startsWith(`"${body.to.revision}`));
    const byInstant = await compare(daybook, target, `from=${before}&to=${iso(daybook.clock.at)}`);
    assert.is(byInstant.body.changes.length, body.changes.length - (fieldsIn(body).includes('status') ? 1 : 0));

    const wish = { description: 'By the river' };
    const { body: proposal } = await daybook.request('administrator', 'POST', `${target}/proposals`, wish);
    const proposed = await compare(daybook, target, `from=${body.to.revision}&to=proposal:${proposal.id}`);
    assert.equal(fieldsIn(proposed.body), ['description'], proposed.text);
    assert.equal([proposed.body.to.proposal, proposed.body.to.actor.name], [proposal.id, 'administrator']);
    assert.equal(proposed.body.to[kind], (await daybook.get(`${target}?proposal=${proposal.id}`, 'editor')).body);
    const together = { name: `New programme of ${kind}`, proposals: [proposal.id] };
    const { body: set } = await daybook.request('editor', 'POST', '/sets', together);
    const coming = await compare(daybook, target, `from=${body.to.revision}&to=set:${set.id}`);
    assert.equal(fieldsIn(coming.body), ['description'], coming.text);
    const then = await daybook.get(`${target}?with=set:${set.id}`, 'editor');
    assert.equal(coming.body.to[kind], then.body, 'as it would be');
    const elsewhere = await daybook.created('editor', collection, { [name]: `Other ${kind}` });
    const foreign = await compare(daybook, `/${collection}/${elsewhere.id}`, `from=0&to=proposal:${proposal.id}`);
    assert.equal([foreign.status, foreign.body.code], [404, 'rest_proposal_not_found']);
  });

  test(`what names no two states of a ${kind} is refused, and its history is for those who may read it`, async (context) => {
    const { daybook } = context;
    const { id } = await daybook.created('editor', collection, { [name]: `Some ${kind}` });
    const target = `/${collection}/${id}`;
    const codeOf = async (query: string, as: As, of = target) => {
      const { status, body } = await compare(daybook, of, query, as);
      return `${status} ${body.code}`;
    };
    assert.is(await codeOf('', 'editor'), '400 rest_missing_callback_param');
    assert.is(await codeOf('from=99', 'editor'), '404 rest_revision_not_found');
    assert.is(await codeOf('from=nonsense', 'editor'), '400 rest_invalid_param');
    assert.is(await codeOf('from=2001-01-01', 'editor'), '404 rest_not_there_then');
    assert.is(await codeOf('from=0', 'editor', `/${collection}/987654`), '400 rest_invalid_param');
    assert.is(await codeOf('from=0', 'anonymous'), '401 rest_forbidden');
    const now = iso(daybook.clock.at);
    for (const role of ['subscriber', 'contributor'] as const)
      for (const query of ['from=0', `from=${now}&to=${now}`])
        assert.is(await codeOf(query, role), '403 rest_forbidden', `${role} ${query}`);
    // Authors manage categories.
    assert.is(await codeOf('from=0', 'author'), kind === 'category' ? '200 undefined' : '403 rest_forbidden');
    assert.is(await codeOf('from=0&to=set:spring', 'author'), '400 rest_invalid_param');
    const ahead = await compare(daybook, target, `from=0&to=${iso(NOON + 86_400 * 365)}`, 'anonymous');
    assert.is(ahead.status, 401);
  });
}

test('a category that has been deleted since is compared by those who manage terms', async ({ daybook }) => {
  const { id } = await daybook.created('editor', 'categories', { name: 'Choirs' });
  assert.is((await daybook.request('editor', 'DELETE', `/categories/${id}`)).status, 200);
  const { status, body, text } = await compare(daybook, `/categories/${id}`, 'from=0');
  assert.is(status, 200, text);
  assert.is(body.from.category.name, 'Choirs');
});

test('a merge that is proposed is a side of a comparison', async ({ daybook }) => {
  const stays = await daybook.created('editor', 'venues', { venue: 'Town Hall' });
  const goes = await daybook.created('editor', 'venues', { venue: 'Townhall' });
  const { body: proposal } = await daybook.request('administrator', 'POST', `/venues/${goes.id}/proposals`, {
    into: stays.id,
  });
  const { status, body, text } = await compare(daybook, `/venues/${goes.id}`, `from=0&to=proposal:${proposal.id}`);
  assert.is(status, 200, text);
  assert.is(body.to.proposal, proposal.id);
  assert.ok(fieldsIn(body).length > 0, text);
});

test.run();
