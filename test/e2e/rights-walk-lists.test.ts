// What each role meets in lists, feeds and the changes, and at terms and users.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answerFor, type Kind, ROLES, type Role, rowsOf, told } from '../support/rights-table.ts';
import { type As, type Body, PREFIX, someEvent, startTestService } from '../support/service.ts';

const test = suite('rights on lists, feeds, terms and users, through the routes');
const daybook = await startTestService();

const KINDS: readonly Kind[] = ['event', 'venue', 'organizer'];
const LATER = '2027-06-01 09:00:00';
const STATUSES = ['publish', 'future', 'draft', 'pending', 'private', 'trash'];
/** Users with posts of their own; those of `otherAuthor` are others' to every role. */
const OWNERS: readonly As[] = ['subscriber', 'contributor', 'author', 'editor', 'administrator', 'otherAuthor'];

/** Owner and status of each resource, by kind and id. */
const resources = new Map<string, { readonly owner: As; readonly status: string }>();

async function fill(kind: Kind): Promise<void> {
  for (const owner of OWNERS)
    for (const status of STATUSES) {
      const name = `${kind} ${status} of ${owner}`;
      const members = { author: daybook.userId(owner), status: status === 'trash' ? 'draft' : status };
      const date = status === 'future' ? { date: LATER } : {};
      const named = kind === 'event' ? someEvent({ title: name }) : { [kind]: name };
      const { id } = await daybook.created('administrator', `${kind}s`, { ...named, ...members, ...date });
      if (status === 'trash') await daybook.request('administrator', 'DELETE', `/${kind}s/${id}`);
      resources.set(`${kind} ${id}`, { owner, status });
    }
}
for (const kind of KINDS) await fill(kind);

/** Statuses that a list shows: `own` ones, and those of others; `refused` where the question is not allowed. */
type Shown = { readonly own: readonly string[]; readonly others: readonly string[] } | 'refused';

const PUBLIC: Shown = { own: ['publish'], others: ['publish'] };
const LIVING = ['draft', 'future', 'pending', 'private', 'publish'];
const both = (...statuses: string[]): Shown => ({ own: statuses, others: statuses });
const mine = (...statuses: string[]): Shown => ({ own: statuses, others: statuses.filter((one) => one === 'publish') });

/** What is asked for, and what is shown: to the public and subscribers, to contributors and authors, to editors and above. */
const LISTS: readonly (readonly [query: string, outside: Shown, writers: Shown, editors: Shown])[] = [
  ['', PUBLIC, mine(...LIVING), both(...LIVING)],
  ['status=publish', PUBLIC, PUBLIC, PUBLIC],
  ['status=draft', 'refused', mine('draft'), both('draft')],
  ['status=pending', 'refused', mine('pending'), both('pending')],
  ['status=private', 'refused', mine('private'), both('private')],
  ['status=future', 'refused', mine('future'), both('future')],
  ['status=trash', 'refused', mine('trash'), both('trash')],
  ['status=any', 'refused', mine(...LIVING), both(...LIVING)],
  ['status=publish,draft', 'refused', mine('draft', 'publish'), both('draft', 'publish')],
  ['status[]=publish&status[]=trash', 'refused', mine('publish', 'trash'), both('publish', 'trash')],
  ['status=', 'refused', PUBLIC, both('private', 'publish')],
  ['status=publish,publish', 'refused', PUBLIC, PUBLIC],
  ['status=inherit', 'refused', both(), both()],
  ['status=publish,nonsense', 'refused', 'refused', 'refused'],
  ['status=Draft', 'refused', 'refused', 'refused'],
];

const columnOf = (role: Role): 1 | 2 | 3 =>
  role === 'anonymous' || role === 'subscriber' ? 1 : role === 'contributor' || role === 'author' ? 2 : 3;

function expectedIds(kind: Kind, role: Role, shown: Exclude<Shown, 'refused'>): string[] {
  return [...resources]
    .filter(([key, { owner, status }]) => {
      // A subscriber has nothing of one's own that others would not see.
      const isOwn = owner === role;
      return key.startsWith(`${kind} `) && (isOwn ? shown.own : shown.others).includes(status);
    })
    .map(([key]) => key)
    .sort();
}

async function listed(kind: Kind, role: Role, query: string): Promise<string[] | 'refused'> {
  const found: string[] = [];
  for (let page = 1; ; page++) {
    const dates = kind === 'event' ? '&start_date=2020-01-01' : '';
    const { status, body } = await daybook.get(`/${kind}s?per_page=20&page=${page}${dates}&${query}`, role);
    if (status === 400) return body.data.params.status ? 'refused' : [];
    assert.is(status, 200, `${role} ${query}`);
    found.push(...body[`${kind}s`].map(({ id }: Body) => `${kind} ${id}`));
    if (page >= body.total_pages) {
      assert.is(body.total, found.length, `${role} ${query}: the total counts nothing that is not shown`);
      return found.sort();
    }
  }
}

for (const kind of KINDS)
  test(`lists of ${kind}s show what each role may see, by the status asked for`, async () => {
    for (const [query, ...columns] of LISTS)
      for (const role of ROLES) {
        const shown = columns[columnOf(role) - 1] ?? 'refused';
        const expected = shown === 'refused' ? shown : expectedIds(kind, role, shown);
        assert.equal(await listed(kind, role, query), expected, `${role}: ${kind}s?${query}`);
      }
  });

async function textOf(role: Role, target: string): Promise<string> {
  const authorization = role === 'anonymous' ? {} : { authorization: daybook.authorization(role) };
  const { payload } = await daybook.service.app.inject({
    url: PREFIX + target,
    headers: { host: 'cal.example', ...authorization },
  });
  return payload.replaceAll('\r\n ', '');
}

test('the calendar shows what the list shows; RSS and Atom are the same for all', async () => {
  const names = (text: string): string[] => [...new Set(text.match(/event \w+ of \w+/g) ?? [])].sort();
  const nameOf = (key: string): string => `event ${resources.get(key)?.status} of ${resources.get(key)?.owner}`;
  for (const [query, ...columns] of LISTS)
    for (const role of ROLES) {
      const shown = columns[columnOf(role) - 1] ?? 'refused';
      const text = await textOf(role, `/events.ics?start_date=2020-01-01&${query}`);
      const expected = shown === 'refused' ? [] : expectedIds('event', role, shown).map(nameOf).sort();
      assert.equal(names(text), expected, `${role}: events.ics?${query}`);
    }
  const all = expectedIds('event', 'anonymous', { own: ['publish'], others: ['publish'] });
  for (const feed of ['rss', 'atom'])
    for (const role of ROLES)
      assert.equal(names(await textOf(role, `/events.${feed}`)), all.map(nameOf).sort(), `${role} ${feed}`);
});

test('changes show editors everything, authors and contributors their own, others nothing', async () => {
  for (const role of ROLES) {
    const met = new Set<string>();
    const first = await daybook.get('/changes?per_page=1', role);
    const outside = columnOf(role) === 1;
    assert.is(told(first), outside ? answerFor('no', role, 'event') : '200', role);
    for (let after = '', hasMore = !outside; hasMore; ) {
      const { body } = await daybook.get(`/changes?after=${after}&types=event,venue,organizer`, role);
      for (const { kind, id } of body.changes) met.add(`${kind} ${id}`);
      [after, hasMore] = [body.next, body.has_more];
    }
    const isFor = ({ owner }: { readonly owner: As }) =>
      columnOf(role) === 3 || (columnOf(role) === 2 && owner === role);
    const expected = [...resources].filter(([, resource]) => isFor(resource)).map(([key]) => key);
    assert.equal([...met].sort(), expected.sort(), role);
  }
});

test('a hidden venue and organizer are left out of an event, no matter who asked before', async () => {
  for (const owner of ['author', 'editor'] as const) {
    const [venue, organizer] = [`Cellar of ${owner}`, `Host of ${owner}`];
    const linked = { venue: { venue, status: 'private' }, organizer: { organizer, status: 'draft' } };
    const { id } = await daybook.created(owner, 'events', someEvent({ title: 'Below', ...linked }));
    for (const role of [...ROLES, ...[...ROLES].reverse()]) {
      const { body } = await daybook.get(`/events/${id}`, role);
      const { body: list } = await daybook.get(`/events?include=${id}&status=publish`, role);
      const shown = columnOf(role) === 3 || role === owner ? [venue, organizer] : [undefined, undefined];
      assert.equal([body.venue.venue, body.organizer[0]?.organizer], shown, `${role} at that of ${owner}`);
      const [event] = list.events;
      assert.equal([event.venue.venue, event.organizer[0]?.organizer], shown, `${role} at that of ${owner}, listed`);
    }
  }
});

//                         public subscriber contributor author editor administrator
const TERMS = {
  categories: rowsOf('others publish  no     no         no          ok     ok     ok'),
  tags: rowsOf('      others publish  no     no         no          no     ok     ok'),
};

for (const [collection, [row]] of Object.entries(TERMS))
  test(`${collection} are created, changed, deleted, reverted and looked up in the past by those who manage them`, async () => {
    for (const role of ROLES) {
      const name = `${collection} for ${role}`;
      const before = await daybook.created('editor', collection, { name });
      await daybook.request('editor', 'PUT', `/${collection}/${before.id}`, { description: 'now' });
      const target = `/${collection}/${before.id}`;
      const steps = [
        ['GET', `${target}/history`, undefined],
        ['GET', `${target}?revision=0`, undefined],
        ['POST', `${target}/revert`, { revision: 0 }],
        ['PUT', target, { name: `${name}, again` }],
        ['PATCH', target, { slug: `${collection}-${role}-slug` }],
        ['DELETE', target, undefined],
      ] as const;
      const word = row?.words[role] ?? 'no';
      for (const [method, path, body] of steps) {
        const head = await daybook.store.head();
        const answer = await daybook.request(role, method, path, body);
        assert.is(told(answer), answerFor(word, role, 'event'), `${role}: ${method} ${path}`);
        if (answer.status !== 200) assert.is(await daybook.store.head(), head, `${role}: ${method} ${path} wrote`);
      }
      const made = await daybook.request(role, 'POST', `/${collection}`, { name: `${name}, made` });
      assert.is(told(made), word === 'ok' ? '201' : answerFor(word, role, 'event'), `${role}: POST`);
      assert.is((await daybook.get(`/${collection}?hide_empty=0`, role)).status, 200, 'every role reads');
    }
  });

test('callers who may write events create categories and tags with them', async () => {
  for (const role of ROLES) {
    const sent = someEvent({ title: `By ${role}`, categories: [`By ${role}`], tags: [`by-${role}`] });
    const { status, body } = await daybook.request(role, 'POST', '/events', sent);
    const expected = columnOf(role) === 1 ? [] : [`By ${role}`, `by-${role}`];
    assert.equal(status === 201 ? [body.categories[0].name, body.tags[0].name] : [], expected, role);
    const { body: terms } = await daybook.get(`/tags?slug=by-${role}&hide_empty=0`);
    assert.is(terms.total, columnOf(role) === 1 ? 0 : 1, 'a refusal makes none');
  }
});

//                     public subscriber contributor author editor administrator
const [ANY_ACCOUNT] = rowsOf('others publish no no no no no ok');
const [OWN] = rowsOf('own    publish no ok ok ok ok ok');

test('users are for administrators, and each user’s own account for that user', async () => {
  const { id } = await daybook.created('administrator', 'users', { login: 'another', role: 'subscriber' });
  const other = `/users/${id}`;
  for (const role of ROLES) {
    const own = `/users/${role === 'anonymous' ? id : daybook.userId(role)}`;
    const cases = [
      ['GET', '/users', undefined, ANY_ACCOUNT],
      ['GET', other, undefined, ANY_ACCOUNT],
      ['GET', `${other}/history`, undefined, ANY_ACCOUNT],
      ['GET', `${other}/credentials`, undefined, ANY_ACCOUNT],
      ['PUT', other, { name: `Named by ${role}` }, ANY_ACCOUNT],
      ['PUT', own, { name: `${role} anew` }, ANY_ACCOUNT],
      ['PUT', own, { role: 'administrator' }, role === 'administrator' ? OWN : ANY_ACCOUNT],
      ['GET', `${own}/history`, undefined, ANY_ACCOUNT],
      ['GET', own, undefined, OWN],
      ['GET', `${own}/credentials`, undefined, OWN],
      ['GET', '/users/me', undefined, OWN],
    ] as const;
    for (const [method, target, body, row] of cases) {
      const head = await daybook.store.head();
      const answer = await daybook.request(role, method, target, body);
      assert.is(told(answer), answerFor(row?.words[role] ?? 'no', role, 'event'), `${role}: ${method} ${target}`);
      if (answer.status !== 200) assert.is(await daybook.store.head(), head, `${role}: ${method} ${target} wrote`);
    }
    const head = await daybook.store.head();
    const refused = role === 'anonymous' ? 401 : 403;
    const isAdministrator = role === 'administrator';
    const added = await daybook.request(role, 'POST', '/users', { login: `by-${role}`, role: 'subscriber' });
    assert.is(added.status, isAdministrator ? 201 : refused, `${role} adds a user`);
    const revoked = await daybook.request(role, 'DELETE', `${other}/credentials/1`);
    assert.is(revoked.status, isAdministrator ? 200 : refused, `${role} revokes a credential of another user`);
    const issued = await daybook.request(role, 'POST', `${other}/credentials`, { label: 'x' });
    assert.is(issued.status, isAdministrator ? 201 : refused, `${role} issues a credential to another user`);
    const removed = await daybook.request(role, 'DELETE', other);
    assert.is(removed.status, isAdministrator ? 200 : refused, `${role} removes a user`);
    if (!isAdministrator) assert.is(await daybook.store.head(), head, `${role} wrote something`);
  }
});

test('Allow offers each role what it may do, and nothing else', async () => {
  const ALL = 'GET, DELETE, POST, PUT, PATCH';
  const TERM = 'GET, POST, PUT, PATCH, DELETE';
  const event = await daybook.created('otherAuthor', 'events', someEvent({ title: 'Offered' }));
  const [tag, category] = [
    await daybook.created('editor', 'tags', { name: 'Offered' }),
    await daybook.created('editor', 'categories', { name: 'Offered' }),
  ];
  const expected: readonly (readonly [target: string, ...allow: string[]])[] = [
    ['/events', 'GET', 'GET', 'GET, POST', 'GET, POST', 'GET, POST', 'GET, POST'],
    ['/categories', 'GET', 'GET', 'GET', 'GET, POST', 'GET, POST', 'GET, POST'],
    ['/tags', 'GET', 'GET', 'GET', 'GET', 'GET, POST', 'GET, POST'],
    [`/events/${event.id}`, 'GET', 'GET', 'GET', 'GET', ALL, ALL],
    [`/events/by-slug/${event.slug}`, 'GET', 'GET', 'GET', 'GET', ALL, ALL],
    [`/tags/${tag.id}`, 'GET', 'GET', 'GET', 'GET', TERM, TERM],
    [`/categories/${category.id}`, 'GET', 'GET', 'GET', TERM, TERM, TERM],
    ['/sets', '', '', '', '', 'GET, POST', 'GET, POST'],
    ['/sets/7', '', '', '', '', 'GET, PATCH, DELETE', 'GET, PATCH, DELETE'],
    ['/media', '', '', '', 'GET, POST', 'GET, POST', 'GET, POST'],
    ['/settings', '', '', 'GET', 'GET', 'GET', 'GET, POST, PUT, PATCH'],
    ['/webhooks/7', '', '', '', '', '', 'GET, PATCH, DELETE'],
    ['/users/me', '', 'GET', 'GET', 'GET', 'GET', 'GET'],
  ];
  for (const [target, ...allow] of expected) {
    const found = await Promise.all(ROLES.map(async (role) => (await daybook.get(target, role)).headers.allow));
    assert.equal(found, allow, target);
  }
});

test.after(() => daybook.close());
test.run();
